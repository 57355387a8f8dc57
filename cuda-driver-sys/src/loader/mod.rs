//! How CUDA's libraries are loaded, and what is said when they can't be.
//!
//! Used by this crate for the driver and by `cuda-runtime-sys` for the runtime.

mod error;
mod file;
mod native;
mod open;
mod version;

pub use error::{AlreadyLoaded, Attempt, FoundVia, LibraryError, LibraryKind, LoadError, SymbolError};
#[doc(hidden)]
pub use open::{Checked, Holder, LinkedTable, Opener, address};
pub use open::{Loaded, Resolver};
pub use version::CudaVersion;

#[doc(hidden)]
pub use native::Handle;
