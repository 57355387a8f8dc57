//! Where failures of `Drop` go: to a hook, never into an unrelated later call.

use std::fmt;
use std::sync::RwLock;

use crate::error::{DriverCode, Origin, RuntimeCode};
use crate::health;

/// A call in a `Drop` that failed, or a resource that had to be leaked.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct TeardownFailure {
    /// The C function.
    pub api: &'static str,
    /// The number that it returned.
    pub number: u32,
    /// The API that it belongs to.
    pub origin: Origin,
    /// What follows.
    pub consequence: &'static str,
}

impl fmt::Display for TeardownFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.origin {
            Origin::Driver => write!(f, "{}: {}: {}", self.api, DriverCode(self.number), self.consequence),
            Origin::Runtime => write!(f, "{}: {}: {}", self.api, RuntimeCode(self.number), self.consequence),
        }
    }
}

/// A function that is told of failures in `Drop`. It must not call CUDA.
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
    const SUCCESS: u32 = 0;
    const DEINITIALIZED: u32 = 4;
    const CONTEXT_IS_DESTROYED: u32 = 709;
    if matches!(number, SUCCESS | DEINITIALIZED | CONTEXT_IS_DESTROYED) || !health::is_well() {
        return;
    }
    if crate::error::catalogue::lookup(number).is_some_and(|e| e.class == crate::error::catalogue::Class::Sticky) {
        health::lose(|| TeardownFailure { api, number, origin, consequence }.to_string());
        return;
    }
    let hook = *HOOK.read().unwrap_or_else(std::sync::PoisonError::into_inner);
    // A panic of the hook must not leave a `Drop`.
    let _ = std::panic::catch_unwind(|| hook(&TeardownFailure { api, number, origin, consequence }));
}
