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
pub use code::{DriverCode, RuntimeCode};

/// The API whose function returned a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A function of `cuda.h`; the code is a `CUresult`.
    Driver,
    /// A function of `cuda_runtime_api.h`; the code is a `cudaError_t`.
    Runtime,
}

/// Why a call failed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Cause {
    /// The C function returned this code.
    Code {
        /// The number as returned, known to this crate or not.
        number: u32,
        /// Which API returned it.
        origin: Origin,
        /// What else the driver said, such as the log of its PTX compiler.
        detail: Option<String>,
    },
    /// The library or the function is not there.
    Load(LoadError),
    /// A number is out of its range; nothing was enqueued.
    Limit {
        /// What the number counts, with its axis.
        what: &'static str,
        /// The number given.
        value: u64,
        /// The greatest one allowed.
        limit: u64,
    },
    /// A dimension is zero; nothing was enqueued.
    Zero {
        /// Which dimension.
        what: &'static str,
    },
    /// Two lengths differ, in elements; nothing was enqueued.
    Length {
        /// The length given.
        given: usize,
        /// The length needed.
        needed: usize,
    },
    /// A size in bytes does not fit the address space.
    Overflow {
        /// Number of elements.
        len: usize,
        /// Size of one, in bytes.
        element: usize,
    },
    /// Two objects of one call belong to different contexts; nothing was enqueued.
    OtherContext {
        /// Which object does not belong to the stream's context.
        what: &'static str,
    },
    /// The arguments do not fit the kernel's parameters; nothing was enqueued.
    Arguments {
        /// The kernel's name.
        kernel: String,
        /// What does not fit.
        problem: ArgumentProblem,
    },
    /// A name is not in the module, or holds a NUL.
    NotFound {
        /// The name asked for.
        name: String,
        /// The names that are there, as far as the driver tells.
        present: Vec<String>,
    },
    /// The bytes are not an image that this crate hands to the driver.
    Image(crate::image::ImageError),
    /// There is no such device.
    NoSuchDevice {
        /// The ordinal asked for.
        ordinal: u32,
        /// The number of devices.
        count: u32,
    },
    /// The device or the driver lacks what the call needs.
    Unsupported {
        /// What is missing.
        what: &'static str,
    },
    /// An earlier failure cost this process all of its contexts.
    ContextLost {
        /// The first such failure, as it was reported.
        first: String,
    },
    /// CUDA was initialised before `fork`, and this is the child.
    Forked,
}

/// What does not fit between arguments and parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentProblem {
    /// Another number of them.
    Count {
        /// Arguments given.
        given: usize,
        /// Parameters of the kernel.
        expected: usize,
    },
    /// Another size.
    Size {
        /// Which one, from 0.
        index: usize,
        /// Bytes given.
        given: usize,
        /// Bytes of the parameter.
        expected: usize,
    },
}

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

impl Cause {
    fn hint(&self) -> String {
        let text = match self {
            Self::Code { .. } | Self::Load(_) => {
                "see `cuda_rt::check()` or run cuda-doctor: they tell what this machine lacks"
            }
            Self::Limit { .. } => "use a smaller value; `DeviceAttribute` has the limits of the device",
            Self::Zero { .. } => "every dimension is at least 1; for an empty input skip the launch",
            Self::Length { .. } => "give slices of equal length",
            Self::Overflow { .. } => "ask for fewer elements",
            Self::OtherContext { .. } => "use objects made from one context, or copy the data over",
            Self::Arguments { .. } => "compare with the kernel's declaration; pointers count 8 bytes",
            Self::NotFound { .. } => "declare the kernel `extern \"C\"`, or give its mangled name",
            Self::Image(_) => "build it again; PTX, cubin and fatbin are accepted",
            Self::NoSuchDevice { .. } => "ordinals count from 0 over the devices that CUDA_VISIBLE_DEVICES leaves",
            Self::Unsupported { .. } => "query the device attribute first",
            Self::ContextLost { .. } => {
                "only a new process can use CUDA again; run GPU work in a worker process if the service must go on"
            }
            Self::Forked => "start CUDA in the child only, or spawn a new process instead of forking",
        };
        text.to_owned()
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code { number, origin, detail } => {
                match origin {
                    Origin::Driver => fmt::Display::fmt(&DriverCode(*number), f)?,
                    Origin::Runtime => fmt::Display::fmt(&RuntimeCode(*number), f)?,
                }
                match detail {
                    Some(text) => write!(f, "; {text}"),
                    None => Ok(()),
                }
            }
            Self::Load(error) => write!(f, "{error}"),
            Self::Limit { what, value, limit } => write!(f, "{what} is {value}, the limit is {limit}"),
            Self::Zero { what } => write!(f, "{what} is 0"),
            Self::Length { given, needed } => write!(f, "{given} elements given, {needed} needed"),
            Self::Overflow { len, element } => {
                write!(f, "{len} elements of {element} bytes do not fit the address space")
            }
            Self::OtherContext { what } => write!(f, "the {what} belongs to another context than the stream"),
            Self::Arguments { kernel, problem } => write!(f, "kernel `{kernel}`: {problem}"),
            Self::NotFound { name, present } if present.is_empty() => write!(f, "no kernel `{name}` in the image"),
            Self::NotFound { name, present } => {
                write!(f, "no kernel `{name}` in the image; it has: {}", present.join(", "))
            }
            Self::Image(error) => write!(f, "{error}"),
            Self::NoSuchDevice { ordinal, count } => write!(f, "no device {ordinal}: there are {count}"),
            Self::Unsupported { what } => write!(f, "not supported here: {what}"),
            Self::ContextLost { first } => write!(f, "CUDA is lost to this process since: {first}"),
            Self::Forked => f.write_str("CUDA was initialised before fork(); the child can't use it"),
        }
    }
}

impl fmt::Display for ArgumentProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count { given, expected } => write!(f, "{given} arguments given, it has {expected} parameters"),
            Self::Size { index, given, expected } => {
                write!(f, "argument {index} has {given} bytes, the parameter {expected}")
            }
        }
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
