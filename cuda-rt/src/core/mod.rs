//! The safety logic, written once and knowing no backend: identity, order, end of life.
//!
//! Internal ordering always uses driver calls, which both layers share, since a stream or an event
//! of the runtime is one of the driver.
//!
//! # Lock order
//!
//! At most one lock of each line is held, and lines are taken from top to bottom:
//! 1. the use record of one resource (`record`);
//! 2. the table of primary contexts (`context`);
//! 3. the list of lingering contexts (`ending`);
//! 4. the retire queue of a context (`retire`);
//! 5. the event pool of a context (`event`).
//!
//! No lock is held while user code runs, or while something is dropped that may end a stream or a
//! context. Driver calls made under lock 1 do not wait for the GPU: event create, record and query,
//! stream wait and query, and the push and pop around them on old drivers. Under lock 2 a primary
//! context may be created. None is made under the others.

pub(crate) mod allocation;
pub(crate) mod context;
mod ending;
pub(crate) mod event;
pub(crate) mod record;
pub(crate) mod retire;
pub(crate) mod stream;
pub(crate) mod uses;

use std::sync::atomic::{AtomicU64, Ordering};

/// A number that no other object of this process has or had: driver handles are recycled.
pub(crate) fn unique_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
