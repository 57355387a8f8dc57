//! Streams and events, as states without behaviour.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::clock::{Agent, Clock};
use crate::report::Label;
use crate::work::Work;

/// How a stream takes part in the order of its context's legacy default stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StreamKind {
    /// It is that stream.
    Legacy,
    /// Its work waits for earlier work of the legacy stream, and the other way round.
    Blocking,
    /// It does not.
    NonBlocking,
}

/// Queued work.
#[derive(Debug)]
pub(crate) struct Operation {
    pub(crate) number: u64,
    /// What comes before it, itself included.
    pub(crate) clock: Clock,
    /// Operations of other streams that must be executed first.
    pub(crate) after: Vec<(Agent, u64)>,
    pub(crate) work: Work,
    pub(crate) label: Arc<Label>,
}

/// A stream. It stays here after it is destroyed: pending work completes.
#[derive(Debug)]
pub(crate) struct StreamState {
    pub(crate) handle: usize,
    pub(crate) context: usize,
    pub(crate) kind: StreamKind,
    pub(crate) flags: u32,
    pub(crate) priority: i32,
    pub(crate) made: Arc<Label>,
    /// Created by the program, and not destroyed yet.
    pub(crate) owned: bool,
    pub(crate) queue: VecDeque<Operation>,
    /// Number of the last operation enqueued.
    pub(crate) issued: u64,
    /// Number of the last operation executed.
    pub(crate) done: u64,
    /// Clock of the last operation enqueued.
    pub(crate) clock: Clock,
}

/// A place in a stream's order.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    pub(crate) agent: Agent,
    pub(crate) number: u64,
    pub(crate) clock: Clock,
}

/// An event.
#[derive(Debug)]
pub(crate) struct EventState {
    pub(crate) handle: usize,
    pub(crate) context: usize,
    pub(crate) timing: bool,
    pub(crate) made: Arc<Label>,
    pub(crate) owned: bool,
    /// Where it was recorded last. Without a record it counts as complete.
    pub(crate) recorded: Option<Point>,
}
