//! Errors of the two layers, and what is known about a code.
//!
//! [`driver::Error`](crate::driver::Error) and [`runtime::Error`](crate::runtime::Error) are
//! distinct types of one shape ([`LayerError`]); [`Error`] holds either. None of them needs a CUDA
//! library to be formatted: names and texts are built in ([`catalogue`]).
//!
//! # Late errors {#late}
//!
//! Kernels and copies run after the call that enqueued them has returned, so any later call may be
//! the first to report their failure. [`LayerError::may_be_earlier`] is true for the codes that are
//! reported this way. After a *sticky* one ([`LayerError::is_sticky`]) no CUDA call of this process
//! works any more, in any context: the first such error is kept, and later calls fail at once with
//! [`Cause::ContextLost`], which names it.

pub mod catalogue;
mod cause;
mod code;

use std::fmt;
use std::marker::PhantomData;
use std::panic::Location;

use cuda_driver_sys::loader::LoadError;

use crate::backend::Layer;
use crate::driver::Driver;
use crate::health;
use crate::runtime::Runtime;
use catalogue::Class;
pub use cause::{ArgumentProblem, Cause, Origin};
pub use code::{DriverCode, RuntimeCode};

/// An error of one layer: 8 bytes, detail on the heap, built on failure only.
pub struct LayerError<L> {
    inner: Box<Inner>,
    layer: PhantomData<fn() -> L>,
}

#[derive(Clone)]
struct Inner {
    cause: Cause,
    api: &'static str,
    location: &'static Location<'static>,
}

impl<L> LayerError<L> {
    /// An error with this cause, at the caller of the public function.
    #[cold]
    #[track_caller]
    pub(crate) fn new(api: &'static str, cause: Cause) -> Self {
        Self { inner: Box::new(Inner { cause, api, location: Location::caller() }), layer: PhantomData }
    }

    /// The error for a code that is not success. Takes note if it costs the process its contexts.
    #[cold]
    #[track_caller]
    pub(crate) fn from_code(api: &'static str, number: u32, origin: Origin) -> Self {
        let error = Self::new(api, Cause::Code { number, origin, detail: None });
        if error.is_sticky() {
            health::lose(|| error.to_string());
        }
        error
    }

    /// The same error in the other layer's type: the cause, with its origin, is unchanged.
    pub(crate) fn retag<M>(self) -> LayerError<M> {
        LayerError { inner: self.inner, layer: PhantomData }
    }

    /// Adds what the driver said besides the code.
    pub(crate) fn with_detail(mut self, text: String) -> Self {
        if let Cause::Code { detail, .. } = &mut self.inner.cause {
            *detail = Some(text);
        }
        self
    }

    /// Replaces the cause by a more telling one.
    pub(crate) fn with_cause(mut self, cause: Cause) -> Self {
        self.inner.cause = cause;
        self
    }

    /// Why the call failed.
    pub fn cause(&self) -> &Cause {
        &self.inner.cause
    }

    /// The C function that failed, or the function of this crate that refused.
    pub fn api(&self) -> &'static str {
        self.inner.api
    }

    /// Where the program called this crate.
    pub fn location(&self) -> &'static Location<'static> {
        self.inner.location
    }

    /// The number that the C function returned and the API it belongs to, if one returned at all.
    pub fn raw_code(&self) -> Option<(Origin, u32)> {
        match self.inner.cause {
            Cause::Code { number, origin, .. } => Some((origin, number)),
            _ => None,
        }
    }

    fn entry(&self) -> Option<&'static catalogue::Entry> {
        self.raw_code().and_then(|(_, number)| catalogue::lookup(number))
    }

    /// Whether memory, of the device or pinned, ran out (code 2).
    pub fn is_out_of_memory(&self) -> bool {
        matches!(self.raw_code(), Some((_, 2)))
    }

    /// Whether work is still pending (code 600): not a failure.
    pub fn is_not_ready(&self) -> bool {
        matches!(self.raw_code(), Some((_, 600)))
    }

    /// Whether this process can use CUDA no more: only a new process recovers.
    pub fn is_sticky(&self) -> bool {
        match &self.inner.cause {
            Cause::ContextLost { .. } => true,
            Cause::Code { .. } => self.entry().is_some_and(|entry| entry.class == Class::Sticky),
            _ => false,
        }
    }

    /// Whether this may be the failure of work that an earlier call enqueued.
    pub fn may_be_earlier(&self) -> bool {
        self.entry().is_some_and(|entry| matches!(entry.class, Class::Sticky | Class::AsyncFault))
    }

    /// The library or function that could not be loaded, if that is the cause.
    pub fn load_error(&self) -> Option<&LoadError> {
        match &self.inner.cause {
            Cause::Load(error) => Some(error),
            _ => None,
        }
    }

    /// The likely cause and the next step, in a sentence or two.
    pub fn hint(&self) -> String {
        match &self.inner.cause {
            Cause::Code { number, .. } => match catalogue::lookup(*number) {
                Some(entry) => entry.hint.to_owned(),
                None => "a code newer than this crate; the driver's release notes describe it".to_owned(),
            },
            cause => cause.hint(),
        }
    }
}

impl<L: Layer> LayerError<L> {
    /// The code in this layer's own type. None if no C function returned one, or if a driver
    /// function did so below the runtime layer with a code that the runtime does not have (see
    /// [`LayerError::raw_code`]).
    pub fn code(&self) -> Option<L::Code> {
        let (origin, number) = self.raw_code()?;
        let same =
            origin == L::ORIGIN || self.entry().is_some_and(|e| e.driver_name.is_some() && e.runtime_name.is_some());
        same.then(|| L::Code::from(number))
    }
}

impl<L> fmt::Display for LayerError<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.inner.api, self.inner.cause)?;
        if self.may_be_earlier() {
            f.write_str(" (reported here; may come from earlier work)")?;
        }
        Ok(())
    }
}

impl<L> fmt::Debug for LayerError<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} at {}", self.inner.location)
    }
}

impl<L> Clone for LayerError<L> {
    fn clone(&self) -> Self {
        Self { inner: self.inner.clone(), layer: PhantomData }
    }
}

impl<L> std::error::Error for LayerError<L> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.inner.cause {
            Cause::Load(error) => Some(error),
            Cause::Image(error) => Some(error),
            _ => None,
        }
    }
}

/// An error of either layer; the layer, the call and unknown codes survive.
#[derive(Clone)]
pub enum Error {
    /// From the driver layer.
    Driver(crate::driver::Error),
    /// From the runtime layer.
    Runtime(crate::runtime::Error),
}

/// Result of calls of either layer.
pub type Result<T, E = Error> = std::result::Result<T, E>;

macro_rules! of_either {
    ($($(#[$doc:meta])* $name:ident -> $ret:ty;)*) => { $(
        $(#[$doc])*
        pub fn $name(&self) -> $ret {
            match self { Self::Driver(e) => e.$name(), Self::Runtime(e) => e.$name() }
        }
    )* };
}

impl Error {
    of_either! {
        /// Why the call failed.
        cause -> &Cause;
        /// The C function that failed, or the function of this crate that refused.
        api -> &'static str;
        /// Where the program called this crate.
        location -> &'static Location<'static>;
        /// The number that the C function returned and the API it belongs to.
        raw_code -> Option<(Origin, u32)>;
        /// Whether memory ran out.
        is_out_of_memory -> bool;
        /// Whether work is still pending.
        is_not_ready -> bool;
        /// Whether this process can use CUDA no more.
        is_sticky -> bool;
        /// Whether this may be the failure of work that an earlier call enqueued.
        may_be_earlier -> bool;
        /// The library or function that could not be loaded, if that is the cause.
        load_error -> Option<&LoadError>;
        /// The likely cause and the next step.
        hint -> String;
    }
}

impl From<LayerError<Driver>> for Error {
    fn from(error: LayerError<Driver>) -> Self {
        Self::Driver(error)
    }
}

impl From<LayerError<Runtime>> for Error {
    fn from(error: LayerError<Runtime>) -> Self {
        Self::Runtime(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Driver(error) => fmt::Display::fmt(error, f),
            Self::Runtime(error) => fmt::Display::fmt(error, f),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Driver(error) => fmt::Debug::fmt(error, f),
            Self::Runtime(error) => fmt::Debug::fmt(error, f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Driver(error) => error.source(),
            Self::Runtime(error) => error.source(),
        }
    }
}

#[cfg(test)]
mod tests;
