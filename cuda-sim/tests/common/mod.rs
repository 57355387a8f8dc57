//! What the tests share.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

#[macro_use]
pub mod raw;
#[macro_use]
pub mod objects;
pub mod target;

/// The kernel of `kernels/saxpy.cu`.
pub const SAXPY: &[u8] = include_bytes!("../../../kernels/saxpy.ptx");
/// The kernels of `kernels/testing.cu`.
pub const TESTING: &[u8] = include_bytes!("../../../kernels/testing.ptx");
