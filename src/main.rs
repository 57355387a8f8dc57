//! `cuda-doctor`: tells what CUDA stack this machine has, whether its parts fit, and what to do if not.
//!
//! All it knows comes from [`mod@cuda_rt::check`]; here are the command line and the exit status.

use std::env;
use std::ffi::OsString;
use std::io::Write as _;
use std::process::ExitCode;

use cuda_rt::{Report, Verdict, check};

const HELP: &str = "\
Tells what CUDA stack this machine has, whether its parts fit, and what to do if not.

Usage: cuda-doctor [OPTION]

  (no option)    print everything that was found, and the verdict
  --probe        print one line, whether CUDA is usable and why not; the exit status is 0 whatever the answer
  -h, --help     print this text
  -V, --version  print the version

Exit status: 0 if CUDA is usable, 2 if it is not or if that can't be told, 1 for a wrong option.
";

/// Exit status for an option that does not exist.
const WRONG_USE: u8 = 1;
/// Exit status where CUDA is not usable.
const UNUSABLE: u8 = 2;

/// What the command line asks for.
enum Task {
    Report,
    Probe,
    Help,
    Version,
}

/// Reads the command line; an error says what is wrong with it.
fn task(mut arguments: impl Iterator<Item = OsString>) -> Result<Task, String> {
    let Some(first) = arguments.next() else {
        return Ok(Task::Report);
    };
    let task = match first.to_str() {
        Some("--probe") => Task::Probe,
        Some("--help" | "-h") => Task::Help,
        Some("--version" | "-V") => Task::Version,
        _ => {
            return Err(format!("{:?} is no option of cuda-doctor", first.to_string_lossy()));
        }
    };
    match arguments.next() {
        None => Ok(task),
        Some(second) => Err(format!("{:?} is one option too many", second.to_string_lossy())),
    }
}

/// Prints to standard output. A reader that went away is no reason to fail.
fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

fn main() -> ExitCode {
    match task(env::args_os().skip(1)) {
        Ok(Task::Help) => print(HELP),
        Ok(Task::Version) => print(concat!("cuda-doctor ", env!("CARGO_PKG_VERSION"), "\n")),
        Ok(Task::Probe) => print(&format!("{}\n", check().to_string().replace('\n', " "))),
        Ok(Task::Report) => {
            let report = Report::collect();
            print(&format!("{report}\n"));
            if !matches!(report.verdict(), Verdict::Fits(_)) {
                return ExitCode::from(UNUSABLE);
            }
        }
        Err(why) => {
            let _ = writeln!(std::io::stderr(), "{why}; `cuda-doctor --help` lists them");
            return ExitCode::from(WRONG_USE);
        }
    }
    ExitCode::SUCCESS
}
