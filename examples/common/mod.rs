//! What the two saxpy examples share: the numbers, the choice of the image, the check against the CPU, the way out
//! where there is no usable CUDA.

use std::env;
use std::fs;
use std::process::ExitCode;

use cuda_rt::{Error, LayerError, Report, driver, runtime};

include!(concat!(env!("OUT_DIR"), "/kernels.rs"));

/// Exit status where CUDA can't be used on this machine.
pub(crate) const UNUSABLE: u8 = 2;

/// y ← a·x + y, to be computed.
pub(crate) struct Job {
    pub(crate) a: f32,
    pub(crate) x: Vec<f32>,
    pub(crate) y: Vec<f32>,
    /// The numbers are the user's: show the result.
    from_file: bool,
}

impl Job {
    /// From the command line: a number of elements, or a file of numbers for x; 1,000,000 elements without either.
    fn from_arguments() -> Result<Self, String> {
        let mut arguments = env::args().skip(1);
        let (size, file) = match arguments.next() {
            None => (Some(1_000_000), None),
            Some(word) => (word.parse().ok(), Some(word)),
        };
        if arguments.next().is_some() {
            return Err("one argument at most: a number of elements, or a file of numbers".to_owned());
        }
        let x: Vec<f32> = match (size, file) {
            (Some(size), _) => (0..size).map(|i: u32| (i % 1000) as f32 * 0.25).collect(),
            (None, file) => numbers(&file.unwrap_or_default())?,
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
                return Err(format!("element {i}: the GPU has {got}, the CPU {wanted}"));
            }
        }
        Ok(())
    }
}

/// The numbers in a text file, separated by white space or commas.
fn numbers(file: &str) -> Result<Vec<f32>, String> {
    let text = fs::read_to_string(file).map_err(|e| format!("{file}: {e} (and it is no number of elements)"))?;
    text.split(|c: char| c.is_whitespace() || c == ',')
        .filter(|word| !word.is_empty())
        .map(|word| word.parse().map_err(|_| format!("{file}: {word:?} is no number")))
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
    let job = match Job::from_arguments() {
        Ok(job) => job,
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::FAILURE;
        }
    };
    let done = match run(&job) {
        Ok(done) => done,
        Err(error) => return failed(&error),
    };
    println!("{}, {}, kernel from {}", done.device, versions(), done.image.what);
    for line in &done.refused {
        println!("  {line}");
    }
    if let Err(why) = job.check(&done.result) {
        eprintln!("wrong: {why}");
        return ExitCode::FAILURE;
    }
    println!("saxpy of {} elements: the GPU and the CPU agree", done.result.len());
    if job.from_file {
        let shown: Vec<_> = done.result.iter().take(16).map(ToString::to_string).collect();
        println!("  {}{}", shown.join(" "), if done.result.len() > 16 { " …" } else { "" });
    }
    ExitCode::SUCCESS
}

/// Driver and runtime version, as far as they are there.
fn versions() -> String {
    let release = Report::collect().driver_release().map(|release| format!("{release} for ")).unwrap_or_default();
    let driver = driver::version().map_or_else(|_| "none".to_owned(), |v| format!("{release}CUDA {v}"));
    let runtime = runtime::version().map_or_else(|_| "none found".to_owned(), |v| v.to_string());
    format!("driver {driver}, runtime {runtime}")
}

/// Tells what went wrong. Where the machine is the cause that is a diagnosis, and status 2.
pub(crate) fn failed(error: &Error) -> ExitCode {
    let text = error.to_string();
    if !is_of_the_machine(error) {
        eprintln!("{text}\n  at {}\n  try: {}", error.location(), error.hint());
        return ExitCode::FAILURE;
    }
    let report = Report::collect();
    if report.verdict().is_fit() {
        eprintln!("{text}\n");
    } else {
        // The report has the rest of it.
        eprintln!("{}\n", text.lines().next().unwrap_or_default());
    }
    eprintln!("{report}");
    ExitCode::from(UNUSABLE)
}

/// Whether CUDA can't be used on this machine as it is: no library, no device, parts that do not fit.
pub(crate) fn is_of_the_machine(error: &Error) -> bool {
    use cuda_rt::error::catalogue::{Class, lookup};
    let code = error.raw_code().and_then(|(_, number)| lookup(number));
    error.load_error().is_some() || code.is_some_and(|entry| entry.class == Class::Environment)
}
