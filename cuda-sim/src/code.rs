//! Loaded code: modules and libraries, and what is found in them.

use std::collections::{BTreeMap, HashMap};
use std::ffi::{CStr, CString, c_char};
use std::sync::{Arc, Mutex, PoisonError};

use crate::clock::Agent;
use crate::config::Config;
use crate::ptx;
use crate::report::Label;
use crate::sim::codes;

/// Compiled PTX.
#[derive(Debug)]
pub(crate) struct Code {
    pub(crate) module: Arc<ptx::Module>,
    /// Names of the kernels, in order.
    pub(crate) kernels: Vec<Arc<str>>,
}

/// Text that could not be compiled: the code, and what the log says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) code: u32,
    pub(crate) log: String,
}

/// A module or a library.
#[derive(Debug)]
pub(crate) struct Image {
    pub(crate) handle: usize,
    /// The context, for a module; a library has none.
    pub(crate) context: Option<usize>,
    /// A library may hold text that does not compile, till it is used.
    pub(crate) code: Result<Arc<Code>, Refusal>,
    pub(crate) made: Arc<Label>,
    pub(crate) owned: bool,
    /// The last launch on each stream.
    pub(crate) launches: HashMap<Agent, (u64, Arc<Label>)>,
    /// Functions by context and kernel.
    pub(crate) functions: HashMap<(usize, Arc<str>), usize>,
    /// A library's kernels by name.
    pub(crate) kernels: HashMap<Arc<str>, usize>,
    /// Blocks of its variables, in their order, by context.
    pub(crate) variables: HashMap<usize, Vec<u64>>,
}

/// A kernel in a context.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) handle: usize,
    pub(crate) context: usize,
    pub(crate) image: usize,
    pub(crate) kernel: Arc<str>,
    /// The name as C gets it.
    pub(crate) name: CString,
    /// Dynamic shared memory that it may have.
    pub(crate) shared_limit: i32,
}

/// A kernel of a library, in any context.
#[derive(Debug)]
pub(crate) struct LibraryKernel {
    pub(crate) handle: usize,
    pub(crate) image: usize,
    pub(crate) kernel: Arc<str>,
    pub(crate) name: CString,
}

/// What an image is.
#[derive(Debug)]
enum Content {
    Text(String),
    /// Machine code, of which the simulated device has none to run.
    Binary,
    Unknown,
}

/// Looks at an image as the driver does: no length is given.
///
/// # Safety
/// `image` points to a cubin, a fatbin, or text that ends with a zero byte.
unsafe fn content(image: *const c_char) -> Content {
    const ELF: [u8; 4] = *b"\x7fELF";
    const FATBIN: [u8; 4] = 0xba55_ed50_u32.to_le_bytes();
    const WRAPPER: [u8; 4] = 0x4662_43b1_u32.to_le_bytes();
    let starts_with = |magic: [u8; 4]| {
        (0..4).all(|i| {
            // SAFETY: the bytes before this one were those of the magic and not zero, so there is
            // one more.
            unsafe { image.cast::<u8>().wrapping_add(i).read() == magic[i] }
        })
    };
    if [ELF, FATBIN, WRAPPER].into_iter().any(starts_with) {
        return Content::Binary;
    }
    // SAFETY: neither of these: text that ends with a zero byte (caller).
    let text = unsafe { CStr::from_ptr(image) }.to_string_lossy();
    if text.contains(".version") { Content::Text(text.into_owned()) } else { Content::Unknown }
}

/// Takes the text out of an image.
///
/// # Safety
/// As for `content`; null is refused.
pub(crate) unsafe fn text_of(image: *const c_char) -> Result<String, Refusal> {
    let refuse = |code| Err(Refusal { code, log: String::new() });
    if image.is_null() {
        return refuse(codes::INVALID_VALUE);
    }
    // SAFETY: (caller)
    match unsafe { content(image) } {
        Content::Text(text) => Ok(text),
        Content::Binary => refuse(codes::NO_BINARY),
        Content::Unknown => refuse(codes::INVALID_IMAGE),
    }
}

/// Compiles PTX for the machine's devices.
pub(crate) fn compile(text: &str, config: &Config) -> Result<Code, Refusal> {
    let log = |line: u32, message: &str| {
        format!(
            "ptxas application ptx input, line {line}; error   : {message}\nptxas fatal   : Ptx assembly aborted due to errors"
        )
    };
    if let Some(version) = stated_version(text).filter(|version| *version > config.newest_ptx()) {
        let newest = config.newest_ptx();
        let message =
            format!("Unsupported .version {}.{}; current version is '{}.{}'", version.0, version.1, newest.0, newest.1);
        return Err(Refusal { code: codes::UNSUPPORTED_PTX, log: log(1, &message) });
    }
    // The same text is loaded again and again where a test runs for many seeds.
    static PARSED: Mutex<BTreeMap<String, Arc<ptx::Module>>> = Mutex::new(BTreeMap::new());
    let known = PARSED.lock().unwrap_or_else(PoisonError::into_inner).get(text).cloned();
    let parsed = || ptx::Module::parse(text).map(Arc::new);
    let module = known.map_or_else(parsed, Ok).map_err(|error| {
        let message =
            if error.text.is_empty() { error.message.clone() } else { format!("{}: {}", error.message, error.text) };
        Refusal { code: codes::INVALID_PTX, log: log(error.line, &message) }
    })?;
    let capability = config.capability.0 * 10 + config.capability.1;
    if module.target() > capability {
        let message = format!("the target sm_{} is beyond the device's sm_{capability}", module.target());
        return Err(Refusal { code: codes::NO_BINARY, log: message });
    }
    PARSED.lock().unwrap_or_else(PoisonError::into_inner).insert(text.to_owned(), module.clone());
    let kernels = module.kernels().map(|kernel| Arc::from(kernel.name())).collect();
    Ok(Code { module, kernels })
}

/// The version that text states in its first directive.
fn stated_version(text: &str) -> Option<(u32, u32)> {
    let (_, rest) = text.split_once(".version")?;
    let (major, minor) = rest.split_whitespace().next()?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

impl Code {
    /// Offset and size of each parameter of a kernel.
    pub(crate) fn parameters(&self, kernel: &str) -> Vec<(usize, usize)> {
        let kernel = self.module.kernel(kernel);
        kernel.map_or_else(Vec::new, |k| k.params().iter().map(|p| (p.offset as usize, p.size as usize)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_told_apart_by_their_first_bytes() {
        // SAFETY: machine code by its magic, or text with its end.
        let of = |image: &CStr| unsafe { text_of(image.as_ptr()) }.map_err(|refusal| refusal.code);
        assert_eq!(of(c"\x7fELF\x02"), Err(codes::NO_BINARY));
        assert_eq!(of(c"\x50\xed\x55\xba"), Err(codes::NO_BINARY));
        assert_eq!(of(c"garbage"), Err(codes::INVALID_IMAGE));
        assert_eq!(of(c""), Err(codes::INVALID_IMAGE));
        assert!(of(c"// text\n.version 7.0\n").is_ok());
    }

    #[test]
    fn ptx_newer_than_the_driver_is_refused_before_it_is_read() {
        let config = Config { driver: 12_020, ..Config::default() };
        let refusal = compile(".version 8.3\n.target sm_50\nwhatever", &config).unwrap_err();
        assert_eq!(refusal.code, codes::UNSUPPORTED_PTX);
        assert!(refusal.log.contains("8.3") && refusal.log.contains("8.2"));
    }
}
