//! The one room where a driver call becomes a `Result`.

use cuda_driver_sys as sys;
use cuda_driver_sys::loader::LoadError;

use super::Driver;
use crate::error::{Cause, LayerError, Origin};

/// The core's own error: of the driver layer, whatever layer the user is in.
pub(crate) type CoreError = LayerError<Driver>;
/// Result of the core's own calls.
pub(crate) type CoreResult<T> = Result<T, CoreError>;

/// The number of a `CUresult`, whose C type differs between targets.
#[inline(always)]
#[allow(
    trivial_numeric_casts,
    clippy::unnecessary_cast,
    clippy::cast_sign_loss,
    reason = "an int on Windows, unsigned elsewhere"
)]
pub(crate) fn number(code: sys::CUresult) -> u32 {
    code.code()
}

/// Success, or the error for the code.
#[inline(always)]
#[track_caller]
pub(crate) fn check(code: sys::CUresult, api: &'static str) -> CoreResult<()> {
    if code == sys::CUresult::CUDA_SUCCESS {
        Ok(())
    } else {
        Err(CoreError::from_code(api, number(code), Origin::Driver))
    }
}

#[cold]
#[track_caller]
pub(crate) fn not_loaded<L>(api: &'static str, error: LoadError) -> LayerError<L> {
    LayerError::new(api, Cause::Load(error))
}

/// Calls a driver function by its exact symbol: `cu!(cuInit(0))`. Refuses if CUDA is lost; an
/// absent function is an error that says since which version it exists.
macro_rules! cu {
    ($name:ident($($arg:expr),* $(,)?)) => {
        if $crate::health::is_well() {
            match ::cuda_driver_sys::symbols::$name.get() {
                Ok(function) => $crate::driver::call::check(function($($arg),*), stringify!($name)),
                Err(error) => Err($crate::driver::call::not_loaded(stringify!($name), error)),
            }
        } else {
            Err($crate::health::refusal(stringify!($name)))
        }
    };
}
pub(crate) use cu;
