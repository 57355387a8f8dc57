//! Makes the bindings of `cuda-driver-sys` and `cuda-runtime-sys` out of CUDA's headers.
//!
//! One generator, two users: `cargo xtask bindgen`, whose output is checked in, and the build
//! scripts of the two crates when their feature `bindgen` is on. bindgen reads the header; what it
//! says is then rewritten: types and constants in a compact form, functions as one table of
//! symbols (name, since which version) that the crates' loaders fill when a function is used.
//!
//! No text of NVIDIA's headers gets into the output but names, types and values.

mod emit;
mod fields;
mod layout;
mod model;
mod parse;
mod run;
mod share;
mod since;
#[cfg(test)]
mod tests;

pub use emit::{Module, emit_functions, emit_symbols, emit_types};
pub use fields::emit_fields;
pub use model::{Api, Bindings};
pub use run::{GenerateError, check_libclang, generate};
pub use share::{common_functions, share_with};
