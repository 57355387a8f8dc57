//! The codes of the two APIs: open newtypes, so that no number is ever lost or undefined.

use std::fmt;

use super::catalogue;

macro_rules! code {
    ($(#[$doc:meta])* $name:ident, $c:literal, $field:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The symbolic name, if this crate knows the number.
            pub fn name(self) -> Option<&'static str> {
                catalogue::lookup(self.0).and_then(|entry| entry.$field)
            }

            /// What the code means, in a few words.
            pub fn description(self) -> &'static str {
                match catalogue::lookup(self.0) {
                    Some(entry) => entry.text,
                    None => concat!("a ", $c, " that this crate does not know"),
                }
            }
        }

        impl From<u32> for $name {
            fn from(number: u32) -> Self {
                Self(number)
            }
        }

        /// `out of memory (CUDA_ERROR_OUT_OF_MEMORY, 2)`; numbers above `i32::MAX` as negative ones.
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let number = self.0 as i32;
                match self.name() {
                    Some(name) => write!(f, "{} ({name}, {number})", self.description()),
                    None => write!(f, "{} ({number})", self.description()),
                }
            }
        }
    };
}

code! {
    /// A `CUresult`, known to this crate or not.
    DriverCode, "CUresult", driver_name
}
code! {
    /// A `cudaError_t`, known to this crate or not.
    RuntimeCode, "cudaError_t", runtime_name
}
