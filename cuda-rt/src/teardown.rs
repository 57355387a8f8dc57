//! Where failures of `Drop` go: to a hook, never into an unrelated later call.

use std::fmt;
use std::sync::RwLock;

use crate::error::catalogue::{Class, lookup};
use crate::error::{Cause, LayerError, Origin};
use crate::health;

/// A call in a `Drop` that failed, or a resource that had to be leaked.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TeardownFailure {
    /// The C function.
    pub api: &'static str,
    /// Why it failed.
    pub cause: Cause,
    /// What follows.
    pub consequence: &'static str,
}

impl fmt::Display for TeardownFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.api, self.cause, self.consequence)
    }
}

/// A function that is told of failures in `Drop`. It must call neither CUDA nor this crate, whose
/// locks may be held.
pub type TeardownHook = fn(&TeardownFailure);

static HOOK: RwLock<TeardownHook> = RwLock::new(to_stderr);

fn to_stderr(failure: &TeardownFailure) {
    use std::io::Write;
    // `eprintln!` would panic where stderr is closed.
    let _ = writeln!(std::io::stderr(), "cuda-rt: {failure}");
}

/// Replaces the hook that is told of failures in `Drop`; the default one writes to stderr.
pub fn set_teardown_hook(hook: TeardownHook) {
    *HOOK.write().unwrap_or_else(std::sync::PoisonError::into_inner) = hook;
}

/// Reports a code of a teardown call, unless it is success or the process is ending.
pub(crate) fn report(api: &'static str, number: u32, origin: Origin, consequence: &'static str) {
    if number != 0 {
        tell(TeardownFailure { api, cause: Cause::Code { number, origin, detail: None }, consequence });
    }
}

/// Reports an error that a teardown met.
pub(crate) fn report_error<L>(error: &LayerError<L>, consequence: &'static str) {
    tell(TeardownFailure { api: error.api(), cause: error.cause().clone(), consequence });
}

#[cold]
fn tell(failure: TeardownFailure) {
    const DEINITIALIZED: u32 = 4;
    const CONTEXT_IS_DESTROYED: u32 = 709;
    if !health::is_well() {
        return;
    }
    if let Cause::Code { number, .. } = failure.cause {
        if matches!(number, DEINITIALIZED | CONTEXT_IS_DESTROYED) {
            return;
        }
        if lookup(number).is_some_and(|entry| entry.class == Class::Sticky) {
            health::lose(|| failure.to_string());
            return;
        }
    }
    let hook = *HOOK.read().unwrap_or_else(std::sync::PoisonError::into_inner);
    // A panic of the hook must not leave a `Drop`.
    if let Err(payload) = std::panic::catch_unwind(|| hook(&failure)) {
        // Nor must the drop of its payload.
        let _ = std::mem::ManuallyDrop::new(payload);
    }
}
