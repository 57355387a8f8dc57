//! What the two saxpy examples share: the numbers, the choice of the image, the check against the CPU, the way out
//! where there is no usable CUDA.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use cuda_rt::check::Problem;
use cuda_rt::{Error, LayerError, Report, driver, runtime};

mod place;
use place::Place;

include!(concat!(env!("OUT_DIR"), "/kernels.rs"));

/// Exit status where CUDA can't be used on this machine.
const UNUSABLE: u8 = 2;

const USAGE: &str = "usage: [--sim] [ELEMENTS | FILE]
  ELEMENTS  how many; 1000000 unless given
  FILE      a text file of numbers, separated by white space or commas
  --sim     use the simulator, even if there is a driver";

/// The command line.
#[derive(Default)]
struct Arguments {
    wants_simulator: bool,
    wants_help: bool,
    /// Size or file.
    numbers: Option<OsString>,
}

impl Arguments {
    fn parse(words: impl Iterator<Item = OsString>) -> Result<Self, String> {
        let mut arguments = Self::default();
        for word in words {
            match word.to_str() {
                Some("--sim") => arguments.wants_simulator = true,
                Some("--help" | "-h") => arguments.wants_help = true,
                Some(option) if option.starts_with('-') => return Err(format!("no such option: {option}\n{USAGE}")),
                _ if arguments.numbers.is_some() => return Err(format!("more than one size or file\n{USAGE}")),
                _ => arguments.numbers = Some(word),
            }
        }
        Ok(arguments)
    }
}

/// y ← a·x + y, to be computed.
pub(crate) struct Job {
    pub(crate) a: f32,
    pub(crate) x: Vec<f32>,
    pub(crate) y: Vec<f32>,
    /// The numbers are the user's: show the result.
    from_file: bool,
}

impl Job {
    /// From what the command line says: a number of elements, or a file of numbers for x.
    fn new(numbers: Option<&OsString>) -> Result<Self, String> {
        let size = match numbers.map(|word| word.to_str().unwrap_or_default()) {
            None => Some(1_000_000),
            Some(digits) if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                Some(digits.parse().map_err(|_| format!("{digits}: at most {} elements", u32::MAX))?)
            }
            Some(_) => None,
        };
        let x: Vec<f32> = match (size, numbers) {
            (None, Some(file)) => read(file.as_ref())?,
            _ => (0..size.unwrap_or_default()).map(|i: u32| (i % 1000) as f32 * 0.25).collect(),
        };
        let y = (0..x.len()).map(|i| (i % 7) as f32).collect();
        Ok(Self { a: 2.5, x, y, from_file: size.is_none() })
    }

    /// Number of elements, as the kernel takes it.
    pub(crate) fn len(&self) -> u32 {
        u32::try_from(self.x.len()).unwrap_or(u32::MAX)
    }

    /// Compares with what the CPU computes. The kernel rounds once, as `mul_add` does: the bits are the same.
    fn check(&self, result: &[f32]) -> Result<(), String> {
        if result.len() != self.x.len() {
            return Err(format!("{} elements came back, not {}", result.len(), self.x.len()));
        }
        for (i, ((&x, &y), &got)) in self.x.iter().zip(&self.y).zip(result).enumerate() {
            let wanted = self.a.mul_add(x, y);
            if wanted.to_bits() != got.to_bits() && !(wanted.is_nan() && got.is_nan()) {
                return Err(format!("element {i}: the device has {got}, the CPU {wanted}"));
            }
        }
        Ok(())
    }
}

/// The numbers in a text file, separated by white space or commas.
fn read(file: &Path) -> Result<Vec<f32>, String> {
    let name = file.display();
    let text = fs::read_to_string(file).map_err(|e| format!("{name}: {e} (and it is no number of elements)"))?;
    text.split(|c: char| c.is_whitespace() || c == ',')
        .filter(|word| !word.is_empty())
        .map(|word| word.parse().map_err(|_| format!("{name}: {word:?} is no number")))
        .collect()
}

/// What a layer did.
pub(crate) struct Done {
    /// Name of the device.
    pub(crate) device: String,
    /// What the kernel was loaded from.
    pub(crate) image: &'static Image,
    /// The images before it, and why the driver refused them.
    pub(crate) refused: Vec<String>,
    /// y as it came back.
    pub(crate) result: Vec<f32>,
}

/// Loads the first image that fits: one without code for this GPU (209), or with PTX newer than the driver (222), makes
/// way for the next.
pub(crate) fn load<K, L>(
    images: &'static [Image],
    refused: &mut Vec<String>,
    load: impl Fn(&'static [u8]) -> Result<K, LayerError<L>>,
) -> Result<(K, &'static Image), LayerError<L>> {
    let (last, others) = images.split_last().expect("build.rs embeds the PTX always");
    for image in others {
        match load(image.bytes) {
            Ok(kernel) => return Ok((kernel, image)),
            Err(error) if matches!(error.raw_code(), Some((_, 209 | 222))) => {
                refused.push(format!("{}: {error}; the next image was tried", image.what));
            }
            Err(error) => return Err(error),
        }
    }
    Ok((load(last.bytes)?, last))
}

/// Runs a layer on the job of the command line.
pub(crate) fn main(run: impl FnOnce(&Job) -> cuda_rt::Result<Done>) -> ExitCode {
    let arguments = match Arguments::parse(env::args_os().skip(1)) {
        Ok(arguments) if arguments.wants_help => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Ok(arguments) => arguments,
        Err(why) => return told(&why),
    };
    let job = match Job::new(arguments.numbers.as_ref()) {
        Ok(job) => job,
        Err(why) => return told(&why),
    };
    let place = Place::choose(arguments.wants_simulator);
    let done = match run(&job) {
        Ok(done) => done,
        Err(error) => return failed(&error, &place),
    };
    let notice = place.notice();
    let is_simulated = notice.is_some();
    let device = notice.unwrap_or(done.device);
    println!("{device}, {}, kernel from {}", versions(is_simulated), done.image.what);
    for line in &done.refused {
        println!("  {line}");
    }
    let wrong: Vec<_> = job.check(&done.result).err().into_iter().chain(place.findings()).collect();
    if !wrong.is_empty() {
        return told(&format!("wrong: {}", wrong.join("\nwrong: ")));
    }
    let device = if is_simulated { "simulator" } else { "GPU" };
    println!("saxpy of {} elements: the {device} and the CPU agree", done.result.len());
    if job.from_file {
        let shown: Vec<_> = done.result.iter().take(16).map(ToString::to_string).collect();
        println!("  {}{}", shown.join(" "), if done.result.len() > 16 { " …" } else { "" });
    }
    ExitCode::SUCCESS
}

fn told(why: &str) -> ExitCode {
    eprintln!("{why}");
    ExitCode::FAILURE
}

/// Driver and runtime version, as far as they are there.
fn versions(is_simulated: bool) -> String {
    // The release would be that of the machine's own driver.
    let release = if is_simulated { None } else { Report::collect().driver_release().cloned() };
    let release = release.map(|release| format!("{release} for ")).unwrap_or_default();
    let driver = driver::version().map_or_else(|_| "none".to_owned(), |v| format!("{release}CUDA {v}"));
    let runtime = runtime::version().map_or_else(|_| "none found".to_owned(), |v| v.to_string());
    format!("driver {driver}, runtime {runtime}")
}

/// Tells what went wrong. Where the machine is the cause that is a diagnosis, and status 2.
fn failed(error: &Error, place: &Place) -> ExitCode {
    let text = error.to_string();
    if let Some(notice) = place.notice() {
        return told(&format!("{notice}: {text}\n  at {}", error.location()));
    }
    let report = Report::collect();
    if !is_of_the_machine(error, &report) {
        return told(&format!("{text}\n  at {}\n  try: {}", error.location(), error.hint()));
    }
    if report.verdict().is_fit() {
        eprintln!("{text}\n");
    } else {
        // The report has the rest of it.
        eprintln!("{}\n", text.lines().next().unwrap_or_default());
    }
    eprintln!("{report}");
    ExitCode::from(UNUSABLE)
}

/// Whether CUDA can't be used on this machine as it is: no library, no device, parts that do not fit or are not ready, a
/// driver that does not start.
fn is_of_the_machine(error: &Error, report: &Report) -> bool {
    use cuda_rt::error::catalogue::{Class, lookup};
    let entry = error.raw_code().and_then(|(_, number)| lookup(number));
    // Where the driver starts, a fault of the program's is the program's.
    let starts = report.verdict().is_fit()
        || report.verdict().findings().iter().any(|finding| matches!(finding.problem, Problem::ContextLost { .. }));
    error.load_error().is_some()
        || entry.is_some_and(|entry| matches!(entry.class, Class::Environment | Class::Transient))
        || (error.api() == "cuInit" && !starts)
        || (entry.is_none() && !starts)
}
