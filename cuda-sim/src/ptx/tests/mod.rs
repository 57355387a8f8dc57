//! Tests of the interpreter.

mod bits;
mod control;
mod conversions;
mod faults;
mod floats;
mod harness;
mod integers;
mod kernels;
mod memory;
mod nvcc;
mod parsing;
mod races;
mod shadow;
mod warps;
