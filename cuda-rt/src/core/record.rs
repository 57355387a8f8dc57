//! The use record of one resource: [`Uses`](super::uses) with a lock-free answer for the common
//! case, and the driver calls that make order.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use smallvec::SmallVec;

use super::context::ContextCore;
use super::event::RawEvent;
use super::stream::StreamCore;
use super::uses::{Access, Uses};
use crate::driver::call::{CoreResult, cu};

/// Where an entry's stream has to be waited for.
#[derive(Clone, Debug)]
enum Mark {
    /// At its tail, when somebody waits.
    Tail,
    /// At this event, recorded right after the use: the stream's tail can't be asked for later.
    At(Arc<MarkEvent>),
}

/// An event that returns to its pool with the last entry that uses it.
#[derive(Debug)]
pub(crate) struct MarkEvent {
    event: RawEvent,
    context: Arc<ContextCore>,
}

impl MarkEvent {
    pub(crate) fn raw(&self) -> RawEvent {
        self.event
    }
}

/// A recorded event, shared by those who may have to wait for it.
pub(crate) type Point = Arc<MarkEvent>;

impl Drop for MarkEvent {
    fn drop(&mut self) {
        self.context.put_event(self.event);
    }
}

/// How to wait for an entry. Keeps its stream alive.
#[derive(Clone, Debug)]
struct Handle {
    stream: Arc<StreamCore>,
    mark: Mark,
}

/// Nobody used the resource yet.
const UNUSED: u64 = 0;
/// More than one entry: see `readers` and the list.
const MANY: u64 = u64::MAX;
const WRITE: u64 = 1;

/// Number of streams whose reads are recognised without the lock.
const FAST_READERS: usize = 4;

/// Who used a resource since the last point of order.
#[derive(Debug)]
pub(crate) struct UseRecord {
    /// `UNUSED`, or the single entry as stream id shifted left by one plus the write bit, or `MANY`.
    word: AtomicU64,
    /// With `MANY`: ids of streams that have an entry, as far as there is room; 0 is none.
    readers: [AtomicU64; FAST_READERS],
    uses: Mutex<Uses<Handle>>,
}

impl UseRecord {
    pub(crate) fn new() -> Self {
        Self { word: AtomicU64::new(UNUSED), readers: [const { AtomicU64::new(0) }; FAST_READERS], uses: Mutex::new(Uses::new()) }
    }

    /// The record of memory that `home` has just allocated. Its owner keeps `home` alive.
    pub(crate) fn written_by(home: &StreamCore) -> Self {
        Self { word: AtomicU64::new(home.id << 1 | WRITE), ..Self::new() }
    }

    /// Whether the access comes after all conflicting ones already, and is covered by an entry.
    /// Loads and compares only.
    #[inline]
    pub(crate) fn is_ordered(&self, stream: &StreamCore, access: Access) -> bool {
        let word = self.word.load(Ordering::Acquire);
        if word == stream.id << 1 | WRITE {
            return true;
        }
        match access {
            Access::Write => false,
            Access::Read if word == MANY => self.readers.iter().any(|id| id.load(Ordering::Acquire) == stream.id),
            Access::Read => word == stream.id << 1,
        }
    }

    /// Makes `stream` wait for every conflicting use and notes this one, before it is enqueued.
    ///
    /// `home` is the stream of the constructor, if there was one. On an error nothing is noted, and
    /// the operation must not be enqueued.
    ///
    /// Waiting and noting are one critical section. The enqueue may follow outside of it: until it
    /// has happened the caller borrows the resource, so no conflicting access can come between, and
    /// a later one waits for the tail of `stream`, behind what was enqueued.
    #[cold]
    #[track_caller]
    pub(crate) fn order(&self, home: Option<&Arc<StreamCore>>, stream: &Arc<StreamCore>, access: Access) -> CoreResult<()> {
        let mut uses = self.lock(home);
        for entry in uses.conflicts(stream.id, access) {
            entry.handle.hold_back(stream)?;
        }
        uses.note(stream.id, access, Handle { stream: stream.clone(), mark: Mark::Tail });
        self.publish(&uses);
        Ok(())
    }

    /// The list, with the entry that the constructor left in the word only.
    fn lock(&self, home: Option<&Arc<StreamCore>>) -> MutexGuard<'_, Uses<Handle>> {
        let mut uses = self.uses.lock().unwrap_or_else(PoisonError::into_inner);
        if let (Some(home), true) = (home, uses.entries().is_empty()) {
            uses.note(home.id, Access::Write, Handle { stream: home.clone(), mark: Mark::Tail });
        }
        uses
    }

    /// Sets what `is_ordered` reads.
    fn publish(&self, uses: &Uses<Handle>) {
        let entries = uses.entries();
        if let [only] = entries {
            // A write has exclusive access, so nobody reads `readers` now.
            self.readers.iter().for_each(|id| id.store(0, Ordering::Relaxed));
            self.word.store(only.stream << 1 | u64::from(only.access == Access::Write), Ordering::Release);
            return;
        }
        for (slot, entry) in self.readers.iter().zip(entries) {
            slot.store(entry.stream, Ordering::Release);
        }
        self.word.store(MANY, Ordering::Release);
    }

    /// After an enqueue on a stream whose tail can't be asked for later: records where it stands.
    #[cold]
    #[track_caller]
    pub(crate) fn mark(&self, home: Option<&Arc<StreamCore>>, stream: &Arc<StreamCore>) -> CoreResult<()> {
        let event = stream.context.take_event()?;
        let mark = MarkEvent { event, context: stream.context.clone() };
        stream.record(event)?;
        let mut uses = self.lock(home);
        if let Some(entry) = uses.entry_mut(stream.id) {
            entry.handle.mark = Mark::At(Arc::new(mark));
        }
        Ok(())
    }

    /// Points behind all uses, for the retire queue.
    pub(crate) fn points(&self) -> CoreResult<SmallVec<[Point; 2]>> {
        let uses = self.lock(None);
        uses.entries()
            .iter()
            .map(|entry| match &entry.handle.mark {
                Mark::Tail => {
                    let context = entry.handle.stream.context.clone();
                    Ok(Arc::new(MarkEvent { event: entry.handle.stream.tail()?, context }))
                }
                Mark::At(mark) => Ok(mark.clone()),
            })
            .collect()
    }

    /// Whether all uses were on `home`, the stream of the constructor.
    #[inline]
    pub(crate) fn only_used_by(&mut self, home: &StreamCore) -> bool {
        *self.word.get_mut() >> 1 == home.id
    }
}

impl Handle {
    /// Makes `later` wait for this entry.
    #[track_caller]
    fn hold_back(&self, later: &StreamCore) -> CoreResult<()> {
        match &self.mark {
            Mark::At(mark) => later.wait(mark.event),
            Mark::Tail => later.wait_for_tail(&self.stream),
        }
    }
}

impl StreamCore {
    /// An event recorded at the stream's tail. The caller gives it back to the stream's context.
    #[track_caller]
    fn tail(&self) -> CoreResult<RawEvent> {
        let event = self.context.take_event()?;
        match self.record(event) {
            Ok(()) => Ok(event),
            Err(error) => {
                self.context.put_event(event);
                Err(error)
            }
        }
    }

    /// Makes this stream wait for all that `other` holds now.
    #[track_caller]
    pub(crate) fn wait_for_tail(&self, other: &StreamCore) -> CoreResult<()> {
        let event = other.tail()?;
        let waited = self.wait(event);
        // The wait keeps the event's state of now; recording it again does not change that.
        other.context.put_event(event);
        waited
    }

    #[track_caller]
    pub(crate) fn record(&self, event: RawEvent) -> CoreResult<()> {
        let _current = self.context.enter_for_stream()?;
        // SAFETY: event and stream are alive, and of one context.
        unsafe { cu!(cuEventRecord(event.0, self.raw)) }
    }

    #[track_caller]
    pub(crate) fn wait(&self, event: RawEvent) -> CoreResult<()> {
        let _current = self.context.enter_for_stream()?;
        // SAFETY: event and stream are alive; a wait may cross contexts.
        unsafe { cu!(cuStreamWaitEvent(self.raw, event.0, 0)) }
    }
}
