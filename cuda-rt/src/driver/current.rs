//! A context made current by the user, for other code.

use std::cell::RefCell;
use std::marker::PhantomData;

use cuda_driver_sys as sys;

use super::Result;
use super::call::{CoreError, CoreResult, check, cu};
use crate::core::context::ContextCore;
use crate::error::Cause;
use crate::{health, teardown};

/// The context is current on this thread while this lives.
#[must_use = "the previous context is current again when this is dropped"]
#[derive(Debug)]
pub struct CurrentContext<'a> {
    /// Position on this thread's stack of guards.
    depth: usize,
    ended: bool,
    context: PhantomData<&'a ContextCore>,
    /// The stack of contexts belongs to a thread.
    thread: PhantomData<*mut ()>,
}

/// A guard's entry: what was current before it, and whether it is over while younger ones are not.
struct Entered {
    previous: sys::CUcontext,
    over: bool,
}

thread_local! {
    static STACK: RefCell<Vec<Entered>> = const { RefCell::new(Vec::new()) };
}

impl<'a> CurrentContext<'a> {
    #[track_caller]
    pub(super) fn new(context: &'a ContextCore) -> Result<Self> {
        let previous = current()?;
        let pushed = STACK.try_with(|stack| {
            let mut stack = stack.borrow_mut();
            stack.push(Entered { previous, over: false });
            stack.len() - 1
        });
        let Ok(depth) = pushed else {
            let what = "making a context current while the thread's locals are destroyed";
            return Err(CoreError::new("Context::enter", Cause::Unsupported { what }));
        };
        // SAFETY: the context is valid while the guard borrows it.
        if let Err(error) = unsafe { cu!(cuCtxPushCurrent_v2(context.raw)) } {
            let _ = STACK.try_with(|stack| stack.borrow_mut().pop());
            return Err(error);
        }
        Ok(Self { depth, ended: false, context: PhantomData, thread: PhantomData })
    }

    /// Restores what was current before, and tells if that failed, which dropping only reports to
    /// the [teardown hook](crate::set_teardown_hook).
    ///
    /// # Errors
    /// Those of `cuCtxPopCurrent`; [`Cause::Unsupported`] if other code left another context
    /// current than it found; it is restored all the same.
    #[track_caller]
    pub fn leave(mut self) -> Result<()> {
        self.end()
    }

    #[track_caller]
    fn end(&mut self) -> CoreResult<()> {
        if std::mem::replace(&mut self.ended, true) {
            return Ok(());
        }
        // The guards that are over, from the top: each has one context to pop.
        let over = STACK.try_with(|stack| {
            let mut stack = stack.borrow_mut();
            if let Some(entered) = stack.get_mut(self.depth) {
                entered.over = true;
            }
            let keep = stack.iter().rposition(|entered| !entered.over).map_or(0, |top| top + 1);
            stack.split_off(keep)
        });
        // Without the stack the thread is ending, and its contexts with it.
        let Some(oldest) = over.as_ref().ok().and_then(|over| over.first()) else { return Ok(()) };
        if health::is_forked() {
            return Ok(());
        }
        // A pop fails if other code popped too often; what was current is restored all the same.
        let mut popped_all = Ok(());
        for _ in over.iter().flatten() {
            let mut popped = std::ptr::null_mut();
            // SAFETY: `popped` is a place for the handle.
            let pop = check(unsafe { sys::cuCtxPopCurrent_v2(&raw mut popped) }, "cuCtxPopCurrent");
            popped_all = popped_all.and(pop);
        }
        let mut now = std::ptr::null_mut();
        // SAFETY: `now` is a place for the handle.
        check(unsafe { sys::cuCtxGetCurrent(&raw mut now) }, "cuCtxGetCurrent")?;
        if now == oldest.previous {
            return popped_all;
        }
        // SAFETY: it was current before the guard; a context that was destroyed since is refused.
        check(unsafe { sys::cuCtxSetCurrent(oldest.previous) }, "cuCtxSetCurrent")?;
        Err(CoreError::new("cuCtxPopCurrent", Cause::Unsupported { what: "a stack of contexts left unbalanced" }))
    }
}

impl Drop for CurrentContext<'_> {
    fn drop(&mut self) {
        if let Err(error) = self.end() {
            teardown::report_error(&error, "other code changed the stack of contexts");
        }
    }
}

#[track_caller]
fn current() -> CoreResult<sys::CUcontext> {
    let mut now = std::ptr::null_mut();
    // SAFETY: `now` is a place for the handle.
    unsafe { cu!(cuCtxGetCurrent(&raw mut now)) }?;
    Ok(now)
}
