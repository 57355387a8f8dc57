//! Kernel arguments: values and buffers as they are, no packing, no heap.

#![allow(unreachable_pub, reason = "sealed: nothing outside can name these")]

use std::ffi::c_void;
use std::sync::Arc;

use smallvec::SmallVec;

use crate::buffer::DeviceBuffer;
use crate::core::allocation::Allocation;
use crate::core::stream::StreamCore;
use crate::core::uses::Access;
use crate::driver::call::CoreResult;
use crate::error::ArgumentProblem;

/// A buffer argument and how the kernel uses it.
#[derive(Debug, Clone, Copy)]
pub struct Used<'a> {
    pub(crate) allocation: &'a Allocation,
    pub(crate) access: Access,
}

/// Something that can be an argument of a kernel: a plain value (`T: NoUninit`), passed by value,
/// or a reference to a [`DeviceBuffer`], passed as its device pointer. `&buffer` is read by the
/// kernel, `&mut buffer` may be written. Can't be implemented for other types.
pub trait KernelArg: sealed::Arg {}
impl<A: sealed::Arg> KernelArg for A {}

// SAFETY: a reference to the value points to its bytes, all of them initialised.
unsafe impl<T: bytemuck::NoUninit> sealed::Arg for T {
    const SIZE: usize = size_of::<T>();
    #[inline]
    fn parameter(&self) -> *const c_void {
        std::ptr::from_ref(self).cast()
    }
    #[inline]
    fn used(&self) -> Option<Used<'_>> {
        None
    }
}

macro_rules! buffer_arg {
    ($buffer:ty, $access:ident) => {
        // SAFETY: the device pointer is a field of the borrowed buffer.
        unsafe impl<T> sealed::Arg for $buffer {
            const SIZE: usize = size_of::<cuda_driver_sys::CUdeviceptr>();
            #[inline]
            fn parameter(&self) -> *const c_void {
                std::ptr::from_ref(&self.allocation().pointer).cast()
            }
            #[inline]
            fn used(&self) -> Option<Used<'_>> {
                Some(Used { allocation: self.allocation(), access: Access::$access })
            }
        }
    };
}
buffer_arg!(&DeviceBuffer<T>, Read);
buffer_arg!(&mut DeviceBuffer<T>, Write);

/// A list of arguments, built by [`Launch::arg`](crate::Launch::arg).
pub trait ArgList: sealed::List {}
impl<A: sealed::List> ArgList for A {}

pub(crate) mod sealed {
    use super::{Arc, CoreResult, Params, StreamCore, Used, c_void};

    /// # Safety
    /// `parameter` points to `SIZE` bytes that stay valid while `self` is borrowed.
    pub unsafe trait Arg {
        /// Bytes of the parameter.
        const SIZE: usize;
        /// Where the value is.
        fn parameter(&self) -> *const c_void;
        /// The buffer behind it, if any.
        fn used(&self) -> Option<Used<'_>>;
    }

    pub trait List {
        fn collect(&self, params: &mut Params<'_>);
        #[track_caller]
        fn order(&self, stream: &Arc<StreamCore>) -> CoreResult<()>;
        #[track_caller]
        fn enqueued(&self, stream: &Arc<StreamCore>) -> CoreResult<()>;
    }

    impl List for () {
        #[inline]
        fn collect(&self, _: &mut Params<'_>) {}
        #[inline]
        fn order(&self, _: &Arc<StreamCore>) -> CoreResult<()> {
            Ok(())
        }
        #[inline]
        fn enqueued(&self, _: &Arc<StreamCore>) -> CoreResult<()> {
            Ok(())
        }
    }

    impl<A: List, T: Arg> List for (A, T) {
        #[inline]
        fn collect(&self, params: &mut Params<'_>) {
            self.0.collect(params);
            params.push(self.1.parameter().cast_mut(), T::SIZE);
        }
        #[inline]
        #[track_caller]
        fn order(&self, stream: &Arc<StreamCore>) -> CoreResult<()> {
            self.0.order(stream)?;
            match self.1.used() {
                Some(used) => used.allocation.order(stream, used.access),
                None => Ok(()),
            }
        }
        #[inline]
        #[track_caller]
        fn enqueued(&self, stream: &Arc<StreamCore>) -> CoreResult<()> {
            let earlier = self.0.enqueued(stream);
            let this = self.1.used().map_or(Ok(()), |used| used.allocation.enqueued(stream));
            earlier.and(this)
        }
    }
}

/// Pointers to the arguments, compared with the kernel's parameters on the way. Up to 32 of them
/// need no heap.
#[derive(Debug)]
pub struct Params<'a> {
    pub(crate) pointers: SmallVec<[*mut c_void; 32]>,
    expected: Option<&'a [usize]>,
    problem: Option<ArgumentProblem>,
}

impl<'a> Params<'a> {
    /// `expected` holds the kernel's parameter sizes in bytes, if they are known.
    #[inline]
    pub(crate) fn new(expected: Option<&'a [usize]>) -> Self {
        Self { pointers: SmallVec::new(), expected, problem: None }
    }

    #[inline]
    fn push(&mut self, pointer: *mut c_void, size: usize) {
        let index = self.pointers.len();
        if let Some(&expected) = self.expected.and_then(|sizes| sizes.get(index)) {
            if expected != size && self.problem.is_none() {
                self.problem = Some(ArgumentProblem::Size { index, given: size, expected });
            }
        }
        self.pointers.push(pointer);
    }

    /// What does not fit, if anything.
    #[inline]
    pub(crate) fn problem(&self) -> Option<ArgumentProblem> {
        let given = self.pointers.len();
        match self.expected {
            Some(sizes) if sizes.len() != given => Some(ArgumentProblem::Count { given, expected: sizes.len() }),
            _ => self.problem,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::sealed::List;
    use super::*;

    fn problem(expected: Option<&[usize]>) -> Option<ArgumentProblem> {
        let list = ((((), 7_u32), 2.5_f32), 9_u64);
        let mut params = Params::new(expected);
        list.collect(&mut params);
        // SAFETY: the list is alive and its first value is a u32.
        assert_eq!(unsafe { *params.pointers[0].cast::<u32>() }, 7);
        params.problem()
    }

    #[test]
    fn arguments_are_compared_with_known_parameters() {
        assert_eq!(problem(Some(&[4, 4, 8])), None);
        assert_eq!(problem(None), None, "an old driver can't tell");
        assert_eq!(problem(Some(&[4, 8, 8])), Some(ArgumentProblem::Size { index: 1, given: 4, expected: 8 }));
        assert_eq!(problem(Some(&[4, 4])), Some(ArgumentProblem::Count { given: 3, expected: 2 }));
        assert_eq!(problem(Some(&[])), Some(ArgumentProblem::Count { given: 3, expected: 0 }));
    }
}
