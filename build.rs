//! Embeds the kernels of `kernels/` into the examples, benches and tests of this package.
//!
//! With nvcc on the machine each `kernels/*.cu` becomes a fatbin: machine code for the common architectures and PTX.
//! The checked-in PTX beside it is embedded always, and it is all there is when nvcc is missing or fails; that is a
//! warning and never a failed build. `OUT_DIR/kernels.rs` holds, per `NAME.cu`, a list `NAME` of images, best first.

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compute capabilities worth machine code of their own, as nvcc names them; what this nvcc does not know is left out.
const ARCHITECTURES: [&str; 8] = ["70", "75", "80", "86", "89", "90", "100", "120"];

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or("CARGO_MANIFEST_DIR is not set")?);
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?);
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=kernels");
    real_libs_cfg(&root);

    let compiler = match Nvcc::find(&root) {
        Ok(nvcc) => Some(nvcc),
        Err(why) => {
            println!("cargo:warning=no nvcc, so the kernels are the checked-in PTX: {why}");
            watch_path();
            None
        }
    };
    let mut text = String::from(HEAD);
    for source in sources(&root.join("kernels"))? {
        let name = source.file_stem().and_then(|s| s.to_str()).ok_or("a kernel's name is not UTF-8")?.to_owned();
        let fatbin =
            compiler.as_ref().and_then(|nvcc| match nvcc.fatbin(&source, &out.join(format!("{name}.fatbin"))) {
                Ok(file) => Some((file, nvcc.contents())),
                Err(why) => {
                    println!("cargo:warning=kernels/{name}.cu is used as checked-in PTX: {why}");
                    None
                }
            });
        images(&mut text, &name, &source.with_extension("ptx"), fatbin)?;
    }
    fs::write(out.join("kernels.rs"), text)?;
    Ok(())
}

/// Declares `cfg(real_libs)` and sets it where `scripts/real-libs.sh` has run: tests that need real libraries, and no
/// GPU, are then not ignored.
fn real_libs_cfg(root: &Path) {
    println!("cargo:rustc-check-cfg=cfg(real_libs)");
    if real_libs(root).is_some() {
        println!("cargo:rustc-cfg=real_libs");
    }
}

/// Where `scripts/real-libs.sh` put the libraries, if it has run. To name the folder to cargo while it is missing would
/// run this script at every build: scripts/test.sh touches it when the folder appears.
fn real_libs(root: &Path) -> Option<PathBuf> {
    println!("cargo:rerun-if-env-changed=CUDA_RT_REAL_LIBS");
    let folder = env::var_os("CUDA_RT_REAL_LIBS").map_or_else(|| root.join(".real-libs"), PathBuf::from);
    Some(folder).filter(|folder| folder.join("driver-535/libcuda.so.1").is_file())
}

/// The `.cu` files of a folder, by name.
fn sources(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "cu") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

const HEAD: &str = r#"// Written by build.rs.

/// One form of a module's code.
#[allow(dead_code)]
#[derive(Debug)]
pub(crate) struct Image {
    /// What it is, for a reader: `fatbin by nvcc 13.5 (sm_80 sm_90, PTX compute_90)`.
    pub(crate) what: &'static str,
    /// What a loader takes: a fatbin, or PTX text that ends with a zero byte.
    pub(crate) bytes: &'static [u8],
}

#[allow(dead_code)]
#[repr(C, align(16))]
struct Aligned<T: ?Sized>(T);
"#;

/// Appends the list of images of one source.
fn images(text: &mut String, name: &str, ptx: &Path, fatbin: Option<(PathBuf, String)>) -> Result<()> {
    let constant = name.to_uppercase();
    writeln!(text, "\n/// `kernels/{name}.cu`: its images, the one to try first at the front.")?;
    writeln!(text, "#[allow(dead_code)]\npub(crate) static {constant}: &[Image] = &[")?;
    if let Some((file, contents)) = fatbin {
        let file = file.display().to_string();
        writeln!(text, "    Image {{ what: {contents:?}, bytes: {{")?;
        writeln!(text, "        static FATBIN: &Aligned<[u8]> = &Aligned(*include_bytes!({file:?}));")?;
        writeln!(text, "        &FATBIN.0\n    }} }},")?;
    }
    let (version, target) =
        ptx_header(&fs::read_to_string(ptx)?).ok_or_else(|| format!("{}: no .version or no .target", ptx.display()))?;
    let file = ptx.display().to_string();
    writeln!(text, "    Image {{ what: \"checked-in PTX {version} for {target} and later\", bytes:")?;
    writeln!(text, "        concat!(include_str!({file:?}), \"\\0\").as_bytes() }},\n];")?;
    Ok(())
}

/// The `.version` and `.target` of PTX text.
fn ptx_header(ptx: &str) -> Option<(String, String)> {
    let after = |directive: &str| {
        ptx.lines().find_map(|line| line.trim().strip_prefix(directive)).map(|rest| rest.trim().to_owned())
    };
    Some((after(".version ")?, after(".target ")?))
}

/// A CUDA compiler that answers.
struct Nvcc {
    path: PathBuf,
    /// "13.5".
    version: String,
    /// Those of [`ARCHITECTURES`] that it knows.
    architectures: Vec<&'static str>,
    /// Arguments that name the host compiler, as the cc crate found it.
    host: Vec<std::ffi::OsString>,
}

impl Nvcc {
    /// Finds nvcc and asks it what it is. The error names what was tried, or what nvcc said.
    fn find(root: &Path) -> Result<Self> {
        let path = locate(root)?;
        println!("cargo:rerun-if-changed={}", path.display());
        let banner = run(Command::new(&path).arg("--version"))?;
        let version = banner
            .split("release ")
            .nth(1)
            .and_then(|rest| rest.split(',').next())
            .ok_or_else(|| format!("{} does not say its release", path.display()))?
            .to_owned();
        let known = run(Command::new(&path).arg("--list-gpu-code"))?;
        let architectures: Vec<_> = ARCHITECTURES
            .into_iter()
            .filter(|cc| known.split_whitespace().any(|code| code.strip_prefix("sm_") == Some(cc)))
            .collect();
        if architectures.is_empty() {
            return Err(format!("{} ({version}) knows none of {ARCHITECTURES:?}", path.display()).into());
        }
        Ok(Self { path, version, architectures, host: host_compiler()? })
    }

    /// Compiles `source` into a fatbin at `file`.
    fn fatbin(&self, source: &Path, file: &Path) -> Result<PathBuf> {
        let mut nvcc = Command::new(&self.path);
        nvcc.args(&self.host).args(["-fatbin", "-O3"]);
        for cc in &self.architectures {
            nvcc.arg(format!("-gencode=arch=compute_{cc},code=sm_{cc}"));
        }
        if let Some(cc) = self.architectures.last() {
            nvcc.arg(format!("-gencode=arch=compute_{cc},code=compute_{cc}"));
        }
        run(nvcc.arg("-o").arg(file).arg(source))?;
        Ok(file.to_owned())
    }

    /// What such a fatbin holds, for a reader.
    fn contents(&self) -> String {
        let sass: Vec<_> = self.architectures.iter().map(|cc| format!("sm_{cc}")).collect();
        let newest = self.architectures.last().unwrap_or(&"");
        format!("fatbin by nvcc {} ({}, PTX compute_{newest})", self.version, sass.join(" "))
    }
}

/// `-ccbin=…` with the C++ compiler of this machine, as the cc crate finds it, unless nvcc's own variable names one.
fn host_compiler() -> Result<Vec<std::ffi::OsString>> {
    println!("cargo:rerun-if-env-changed=NVCC_CCBIN");
    if env::var_os("NVCC_CCBIN").is_some() {
        return Ok(Vec::new());
    }
    // For this machine, also when the crate is built for another one: the device code is the same.
    let host = env::var("HOST")?;
    let tool = cc::Build::new().cpp(true).target(&host).host(&host).cargo_warnings(false).try_get_compiler()?;
    let mut flag = std::ffi::OsString::from("-ccbin=");
    flag.push(tool.path());
    Ok(vec![flag])
}

/// Runs a command; its standard output, or an error that quotes what it said.
fn run(command: &mut Command) -> Result<String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|e| format!("{program}: {e}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = [output.stderr, output.stdout].concat();
    let said = String::from_utf8_lossy(&said);
    let lines: Vec<_> = said.lines().map(str::trim).filter(|line| !line.is_empty()).take(3).collect();
    Err(format!("{program}: {}: {}", output.status, lines.join(" | ")).into())
}

/// The path of nvcc: as the machine has it, else the one that scripts/real-libs.sh brought.
fn locate(root: &Path) -> Result<PathBuf> {
    for variable in ["NVCC", "PATH", "CONDA_PREFIX", "VIRTUAL_ENV"].iter().chain(&cuda_locate::ROOT_VARIABLES) {
        println!("cargo:rerun-if-env-changed={variable}");
    }
    let missing = match cuda_locate::nvcc(&cuda_locate::System, &cuda_locate::Target::current()) {
        Ok(found) => return Ok(found.path.into()),
        Err(missing) => missing,
    };
    let fetched = real_libs(root).map(|folder| folder.join("toolkit-13.5/bin/nvcc")).filter(|nvcc| nvcc.is_file());
    fetched.ok_or_else(|| {
        let places = missing.tried.len();
        format!("it is in none of {places} places; set NVCC or CUDA_HOME, or put it on PATH").into()
    })
}

/// Asks cargo to run this script again when something appears in a directory of `PATH`, so that an nvcc installed
/// later is used. Cargo walks such a directory at each build: large trees are left out.
fn watch_path() {
    for directory in env::split_paths(&env::var_os("PATH").unwrap_or_default()) {
        if directory.is_absolute() && is_small(&directory, &mut 20_000, 3) {
            println!("cargo:rerun-if-changed={}", directory.display());
        }
    }
}

/// Whether a tree exists and holds at most `left` entries and `depth` levels, links followed.
fn is_small(directory: &Path, left: &mut usize, depth: usize) -> bool {
    let Ok(entries) = fs::read_dir(directory) else {
        return false;
    };
    for entry in entries.flatten() {
        let Some(remaining) = left.checked_sub(1) else {
            return false;
        };
        *left = remaining;
        let path = entry.path();
        // Debian's /usr/bin holds a link to itself, which cargo's walk ends at.
        let is_loop = || path.canonicalize().ok().is_some_and(|real| directory.starts_with(real));
        if path.is_dir() && !is_loop() && (depth == 0 || !is_small(&path, left, depth - 1)) {
            return false;
        }
    }
    true
}
