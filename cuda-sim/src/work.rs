//! What a stream can be given to do.

use std::sync::Arc;

use crate::code::Code;

/// A function of the program, to be called in the order of a stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Callback {
    pub(crate) function: unsafe extern "C" fn(*mut std::ffi::c_void),
    /// Its argument, as an address.
    pub(crate) data: usize,
}

/// A launch with its arguments.
#[derive(Clone, Debug)]
pub(crate) struct Launch {
    pub(crate) code: Arc<Code>,
    pub(crate) kernel: Arc<str>,
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) shared: u32,
    /// Arguments, each at its offset.
    pub(crate) parameters: Vec<u8>,
    /// Addresses of the code's variables.
    pub(crate) variables: Vec<u64>,
    pub(crate) context: usize,
}

/// One operation of a stream.
#[derive(Debug)]
pub(crate) enum Work {
    /// Nothing: an event's place, a wait.
    Marker,
    /// Bytes that were taken from pageable memory when the call was made.
    Put { to: u64, bytes: Vec<u8> },
    /// A copy between places that the device can reach.
    Copy { to: u64, from: u64, len: usize },
    /// A copy to pageable memory, given by its address.
    Fetch { to: usize, from: u64, len: usize },
    /// A pattern, again and again.
    Fill { to: u64, pattern: Vec<u8>, times: usize },
    /// A kernel.
    Launch(Box<Launch>),
    /// A block begins, by its base.
    Allocate { base: u64 },
    /// A block ends, for the time it was given out.
    Free { base: u64, generation: u32 },
    /// A function of the program.
    Call(Callback),
}
