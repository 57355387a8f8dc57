#![doc = include_str!("../README.md")]

pub mod library;
mod macros;
mod major;

/// What is made from the headers. One allowance for all of it: names and shapes are C's.
#[rustfmt::skip]
#[allow(
    missing_docs, non_camel_case_types, non_snake_case, non_upper_case_globals, unreachable_pub, unused_qualifications,
    trivial_numeric_casts, clippy::all, clippy::missing_safety_doc, clippy::doc_markdown, clippy::cast_possible_truncation,
    clippy::cast_sign_loss, clippy::wildcard_imports, clippy::semicolon_if_nothing_returned,
)]
mod bindings {
    pub(crate) mod v12 {
        pub(crate) mod functions;
        pub(crate) mod types;
    }
    #[cfg(not(cuda_generated))]
    pub(crate) mod v13 {
        pub(crate) mod functions;
        pub(crate) mod types;
    }
    #[cfg(cuda_generated)]
    pub(crate) mod v13 {
        pub(crate) mod functions {
            include!(concat!(env!("OUT_DIR"), "/functions.rs"));
        }
        pub(crate) mod types {
            include!(concat!(env!("OUT_DIR"), "/types.rs"));
        }
    }
    pub(crate) mod common {
        pub(crate) mod functions;
    }
}

#[cfg(cuda_linked)]
#[allow(non_snake_case)]
mod linked {
    include!(concat!(env!("OUT_DIR"), "/linked.rs"));
}

/// The runtime API of CUDA 12, from the headers of 12.9. Its functions are only there if the
/// loaded runtime is of major 12. What is the same in 13 is 13's type; an enum then has 13's
/// values besides.
///
/// `cudaGetDeviceProperties` without suffix is left out: `libcudart.so.12` exports it with the
/// struct of CUDA 11, while the header declares it with that of 12. C programs call `_v2` by macro.
pub mod v12 {
    pub use crate::bindings::v12::functions::*;
    pub use crate::bindings::v12::types::*;
    pub use crate::macros::*;

    /// The value of a kernel node's attribute.
    #[allow(non_camel_case_types)]
    pub type cudaKernelNodeAttrValue = cudaLaunchAttributeValue;
    /// The value of a stream's attribute.
    #[allow(non_camel_case_types)]
    pub type cudaStreamAttrValue = cudaLaunchAttributeValue;
}

/// The runtime API of CUDA 13, from the headers of 13.5. Its functions are only there if the
/// loaded runtime is of major 13.
pub mod v13 {
    pub use crate::bindings::v13::functions::*;
    pub use crate::bindings::v13::types::*;
    pub use crate::macros::*;

    /// The value of a kernel node's attribute.
    #[allow(non_camel_case_types)]
    pub type cudaKernelNodeAttrValue = cudaLaunchAttributeValue;
    /// The value of a stream's attribute.
    #[allow(non_camel_case_types)]
    pub type cudaStreamAttrValue = cudaLaunchAttributeValue;
}

/// The functions that are the same in CUDA 12 and 13: their signatures, and the layouts of all
/// types that can be reached through them. They are there whichever of the two is loaded; types
/// are those of [`v13`]. What shares a name but not an ABI is not among them.
pub mod common {
    pub use crate::bindings::common::functions::*;
}

pub use major::{Common, Major, V12, V13};

impl v13::cudaError {
    /// The code as a number, on every system.
    #[inline]
    #[must_use]
    #[allow(clippy::cast_sign_loss, clippy::unnecessary_cast, trivial_numeric_casts)]
    pub const fn code(self) -> u32 {
        self.0 as u32
    }
}

impl cuda_driver_sys::support::Absent for v13::cudaError {
    #[inline]
    #[allow(clippy::cast_possible_wrap, clippy::unnecessary_cast, trivial_numeric_casts)]
    fn absent(code: u32) -> Self {
        Self(code as cuda_driver_sys::c_enum)
    }
}

impl cuda_driver_sys::support::Absent for v13::cudaChannelFormatDesc {
    fn absent(_: u32) -> Self {
        Self::default()
    }
}

// `long` has 4 bytes there; elsewhere the generated assertion says 88.
#[cfg(all(windows, target_pointer_width = "64"))]
const _: () = assert!(size_of::<v13::cudaPointerAttributes>() == 56);
