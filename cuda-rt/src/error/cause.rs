//! Why a call failed.

use std::fmt;

use cuda_driver_sys::loader::LoadError;

use super::{DriverCode, RuntimeCode};

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

impl Cause {
    pub(super) fn hint(&self) -> String {
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
