//! The one room where a runtime call becomes a `Result`.

use cuda_runtime_sys::v13;

use super::Runtime;
use crate::error::{LayerError, Origin};

/// Result of a runtime call.
pub(crate) type RtResult<T> = Result<T, LayerError<Runtime>>;

/// The number of a `cudaError_t`, whose C type differs between targets. Both majors have one type.
#[inline(always)]
#[allow(
    trivial_numeric_casts,
    clippy::unnecessary_cast,
    clippy::cast_sign_loss,
    reason = "an int on Windows, unsigned elsewhere"
)]
pub(crate) fn number(code: v13::cudaError_t) -> u32 {
    code.code()
}

/// Success, or the error for the code.
#[inline(always)]
#[track_caller]
pub(crate) fn check(code: v13::cudaError_t, api: &'static str) -> RtResult<()> {
    let number = number(code);
    if number == 0 { Ok(()) } else { Err(LayerError::from_code(api, number, Origin::Runtime)) }
}

/// Calls a runtime function: `rt!(common::cudaSetDevice(0))`, in the module of the major that is
/// loaded, or in `common` where both majors agree on its ABI.
macro_rules! rt {
    ($module:ident::$name:ident($($arg:expr),* $(,)?)) => {
        if $crate::health::is_well() {
            match ::cuda_runtime_sys::$module::symbols::$name.get() {
                Ok(function) => $crate::runtime::call::check(function($($arg),*), stringify!($name)),
                Err(error) => Err($crate::driver::call::not_loaded(stringify!($name), error)),
            }
        } else {
            Err($crate::health::refusal(stringify!($name)))
        }
    };
}
pub(crate) use rt;
