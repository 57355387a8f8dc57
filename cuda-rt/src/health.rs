//! Whether CUDA can still be used by this process: one byte that every call reads.
//!
//! Two events end it for good: a sticky fault (an illegal address in any context costs the process
//! all of its contexts) and `fork` after initialisation (the child has no CUDA). Calls made after
//! either fail at once, and drops do nothing.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::error::{Cause, LayerError};

const WELL: u8 = 0;
const FORKED: u8 = 1;
const LOST: u8 = 2;

static STATE: AtomicU8 = AtomicU8::new(WELL);
static FIRST: OnceLock<String> = OnceLock::new();

/// Whether calls still make sense. One relaxed load.
#[inline(always)]
pub(crate) fn is_well() -> bool {
    STATE.load(Ordering::Relaxed) == WELL
}

/// Why they do not.
#[cold]
#[track_caller]
pub(crate) fn refusal<L>(api: &'static str) -> LayerError<L> {
    // Acquire: whoever set LOST had set FIRST.
    let cause = if STATE.load(Ordering::Acquire) == FORKED {
        Cause::Forked
    } else {
        Cause::ContextLost { first: FIRST.get().cloned().unwrap_or_default() }
    };
    LayerError::new(api, cause)
}

/// Takes note of the first sticky failure.
pub(crate) fn lose(first: impl FnOnce() -> String) {
    FIRST.get_or_init(first);
    // A child of fork stays one: it never had the contexts.
    let _ = STATE.compare_exchange(WELL, LOST, Ordering::Release, Ordering::Relaxed);
}

/// Whether this is the child of a `fork`, where CUDA must not be called at all.
pub(crate) fn is_forked() -> bool {
    STATE.load(Ordering::Relaxed) == FORKED
}

/// Arms the fork check; called after CUDA was initialised, through either layer.
pub(crate) fn watch_fork() {
    #[cfg(unix)]
    {
        static ARMED: std::sync::Once = std::sync::Once::new();
        extern "C" fn in_child() {
            STATE.store(FORKED, Ordering::Relaxed);
        }
        ARMED.call_once(|| {
            // SAFETY: the handler only stores to an atomic, which is allowed after fork. A failure
            // (out of memory) leaves the check off, as on a platform without fork.
            unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
        });
    }
}

/// Whether CUDA is lost to this process: after a sticky fault, or in the child of a `fork`.
///
/// Nothing in the process recovers from it. A service that must go on runs its GPU work in a
/// worker process and starts a new one.
pub fn is_lost() -> bool {
    !is_well()
}
