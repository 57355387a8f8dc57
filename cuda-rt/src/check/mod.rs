//! Whether CUDA can be used here, and if not, why and what to do.
//!
//! [`check()`] answers at the start of a program, [`require`] insists, [`Report`] tells all. None of
//! them fails or panics, whatever the machine has: that CUDA is missing is an answer, not an error
//! of the question.
//!
//! ```no_run
//! use cuda_rt::Verdict;
//!
//! match cuda_rt::check() {
//!     Verdict::Fits(v) => println!("driver {} ({}), runtime {}", v.driver_api, v.driver_release, v.runtime),
//!     Verdict::Unfit(why) => { eprintln!("{why}"); std::process::exit(2) }
//!     Verdict::Unknown(why) => eprintln!("cannot tell: {why}"),
//! }
//! ```
//!
//! # What counts as fitting
//!
//! | driver and device | runtime library | [`check()`] | [`require`] without, with a runtime |
//! |---|---|---|---|
//! | work | fits the driver | `Fits` | `Ok`, `Ok` |
//! | work | missing, or unusable | `Fits`, with a remark that says what to install | `Ok`, `Err` |
//! | work | of a newer major than the driver | `Unfit` | `Ok`, `Err` |
//! | do not work | any | `Unfit`, or `Unknown` if the driver's answer is not known | `Err`, `Err` |
//!
//! The driver layer does without libcudart, so that a missing one alone is no failure. One that is
//! there and does not fit the driver is: the runtime layer would fail with code 35.
//!
//! # How it works
//!
//! [`Facts::collect`] asks the machine and judges nothing; [`Facts::verdict`] and [`Facts::fulfil`]
//! judge and ask nothing, by the numbers in [`rules`]. So every state of a machine can be tested on
//! any other.

mod ask;
mod collect;
mod facts;
mod judge;
pub mod maps;
mod problem;
mod release;
mod report;
mod requirement;
pub mod rules;
mod verdict;
mod ways;

pub use facts::{
    ComputeMode, Device, Driver, Facts, File, KernelDriver, Library, Lost, Machine, Missing, Node, Runtime, Tried,
    Variable,
};
pub use problem::{Finding, Problem};
pub use release::Release;
pub use report::Report;
pub use requirement::Requirement;
pub use verdict::{Fits, Maybe, Unfit, Unknown, Verdict};

/// Whether CUDA can be used on this machine by this process, and if not, why.
///
/// Starts the driver (`cuInit`) if that is possible, and creates no context. Calls of CUDA: see
/// [`Facts::collect`].
#[must_use]
pub fn check() -> Verdict {
    Facts::collect().verdict()
}

/// Insists on CUDA: what a program that can't do without calls first.
///
/// # Errors
/// [`Unfit`]: everything that keeps this machine from it, with both versions and every way out.
pub fn require(requirement: Requirement) -> Result<Fits, Unfit> {
    Facts::gather(requirement.needs_runtime()).fulfil(&requirement)
}
