//! Objects to try misuses on.

use std::ffi::c_void;
use std::ptr::null_mut;

use super::raw::*;

/// Calls a runtime function; gives its code.
#[macro_export]
macro_rules! rt {
    ($name:ident($($argument:expr),* $(,)?)) => {{
        // SAFETY: places for results are valid; wrong handles and addresses are such that a real
        // runtime refuses them.
        #[allow(clippy::macro_metavars_in_unsafe)]
        let result = unsafe { cuda_runtime_sys::common::$name($($argument),*) };
        result.code()
    }};
}

/// A table of misuses: what, the code it must have, how to ask.
#[macro_export]
macro_rules! misuses {
    ($($what:literal => $code:expr, |$o:ident| $ask:expr;)*) => {
        [$($crate::common::target::Misuse { what: $what, code: $code, ask: |$o: &$crate::common::objects::Objects| $ask }),*]
    };
}

/// More memory than any device has.
pub const TOO_MUCH: usize = 1 << 50;
/// A device address that nobody was given.
pub const NOBODYS: u64 = 0x10_0000_0000;

/// What misuses are tried on.
pub struct Objects {
    pub stream: CUstream,
    pub event: CUevent,
    pub timed: [CUevent; 2],
    pub memory: CUdeviceptr,
    pub module: CUmodule,
    pub fill: CUfunction,
    pub host: Vec<u8>,
}

impl Objects {
    /// New ones, in the primary context.
    pub fn new() -> Self {
        primary(0);
        let module = module();
        let timed = [0; 2].map(|_| {
            let mut event = null_mut();
            ok!(cuEventCreate(&raw mut event, 0));
            event
        });
        let fill = function(module, c"fill");
        Self { stream: stream(), event: event(), timed, memory: alloc(4096), module, fill, host: vec![0; 1 << 16] }
    }

    /// All are freed.
    pub fn end(self) {
        ok!(cuCtxSynchronize());
        [self.event, self.timed[0], self.timed[1]].into_iter().for_each(|event| ok!(cuEventDestroy_v2(event)));
        ok!(cuStreamDestroy_v2(self.stream));
        ok!(cuMemFree_v2(self.memory));
        ok!(cuModuleUnload(self.module));
        release(0);
    }

    /// Launches the kernel with these sizes; gives the code.
    pub fn launch(&self, grid: [u32; 3], block: [u32; 3], shared: u32) -> u32 {
        // The kernel fills nothing.
        let (mut n, mut value, mut out) = (0_u32, 0_u32, self.memory);
        let mut arguments = [(&raw mut n).cast::<c_void>(), (&raw mut value).cast(), (&raw mut out).cast()];
        let [(gx, gy, gz), (bx, by, bz)] = [grid, block].map(|[x, y, z]| (x, y, z));
        cu!(cuLaunchKernel(self.fill, gx, gy, gz, bx, by, bz, shared, self.stream, arguments.as_mut_ptr(), null_mut()))
    }

    /// Pageable memory.
    pub fn host(&self) -> *mut c_void {
        self.host.as_ptr().cast::<c_void>().cast_mut()
    }
}
