//! Where CUDA's parts are on a machine: library names, directories, headers, nvcc.
//!
//! Pure functions over an [`Env`] (variables and files) and a [`Target`] (operating system and
//! processor): any machine can be described, and every answer says what was looked at. No CUDA is
//! needed. [`System`] is the real machine, [`fake::Tree`] an invented one.
//!
//! | asked | answer |
//! |---|---|
//! | [`names`] | file names of the driver and of the runtime per system |
//! | [`driver_candidates`], [`runtime_candidates`] | what to hand to the system's loader, in order |
//! | [`header`], [`library`], [`nvcc`] | the first match in the [`roots`] of toolkits, or [`NotFound`] with all that was tried |
//! | [`link`] | what a build script needs to link with CUDA |
//! | [`header_version`] | `CUDA_VERSION` or `CUDART_VERSION` of a header |

mod candidates;
mod env;
pub mod fake;
pub mod link;
pub mod names;
mod roots;
mod target;
mod toolkit;

pub use candidates::{Candidate, driver_candidates, driver_directories, runtime_candidates};
pub use env::{Env, System};
pub use roots::{ROOT_VARIABLES, Root, Via, roots};
pub use target::{Arch, Os, Target};
pub use toolkit::{Found, NotFound, Tried, header, header_version, library, library_in, nvcc};

#[cfg(test)]
mod tests;
