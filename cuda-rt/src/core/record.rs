//! The use record of one resource: [`Uses`](super::uses) with a lock-free answer for the common
//! case, and the driver calls that make order.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use once_cell::race::OnceBox;
use smallvec::SmallVec;

use super::context::ContextCore;
use super::event::RawEvent;
use super::stream::StreamCore;
use super::uses::{Access, Entries, Uses};
use crate::driver::call::CoreResult;

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
struct MarkEvent {
    event: RawEvent,
    /// The stream of the entry keeps it alive; see `Point::other`.
    context: Weak<ContextCore>,
}

/// A recorded event behind the last use of a resource.
#[derive(Debug)]
pub(crate) struct Point {
    event: PointEvent,
    /// The event's context, if it is not the one in whose queue the resource waits: that one must
    /// not be kept alive by its own queue.
    other: Option<Arc<ContextCore>>,
}

#[derive(Debug)]
enum PointEvent {
    Own(RawEvent),
    Shared(Arc<MarkEvent>),
}

impl Point {
    /// An event of the queue's own context.
    pub(crate) fn own(event: RawEvent) -> Self {
        Self { event: PointEvent::Own(event), other: None }
    }

    pub(crate) fn raw(&self) -> RawEvent {
        match &self.event {
            PointEvent::Own(event) => *event,
            PointEvent::Shared(mark) => mark.event,
        }
    }

    /// Gives the event back to its pool; `context` is that of the queue.
    pub(crate) fn give_back(self, context: &ContextCore) {
        if let PointEvent::Own(event) = self.event {
            self.other.as_deref().unwrap_or(context).put_event(event);
        }
    }
}

impl Drop for MarkEvent {
    fn drop(&mut self) {
        match self.context.upgrade() {
            Some(context) => context.put_event(self.event),
            // The context's last user is gone; the event is not in its pool.
            None => self.event.destroy(),
        }
    }
}

/// How to wait for an entry. Keeps its stream alive.
#[derive(Clone, Debug)]
struct Handle {
    // Dropped first: its event returns to the context that the stream keeps alive.
    mark: Mark,
    stream: Arc<StreamCore>,
}

/// Nobody used the resource yet.
const UNUSED: u64 = 0;
/// More than one entry: see `readers` and the list.
const MANY: u64 = u64::MAX;
const WRITE: u64 = 1;

/// Number of streams whose reads are recognised without the lock.
const FAST_READERS: usize = 4;

/// Who used a resource since the last point of order: one word as long as one stream does, which
/// keeps a buffer small and its allocation cheap.
#[derive(Debug)]
pub(crate) struct UseRecord {
    /// `UNUSED`, or the single entry as stream id shifted left by one plus the write bit, or `MANY`.
    word: AtomicU64,
    /// Made when a second stream comes, or any stream without a home.
    list: OnceBox<List>,
}

#[derive(Debug)]
struct List {
    /// With `MANY`: ids of streams that have an entry, as far as there is room; 0 is none.
    readers: [AtomicU64; FAST_READERS],
    uses: Mutex<Uses<Handle>>,
}

impl UseRecord {
    pub(crate) const fn new() -> Self {
        Self { word: AtomicU64::new(UNUSED), list: OnceBox::new() }
    }

    /// The record of memory that `home` has just allocated. Its owner keeps `home` alive.
    pub(crate) const fn written_by(home: &StreamCore) -> Self {
        Self { word: AtomicU64::new(home.id << 1 | WRITE), list: OnceBox::new() }
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
            Access::Read if word == MANY => self.list().has_reader(stream.id),
            Access::Read => word == stream.id << 1,
        }
    }

    fn list(&self) -> &List {
        self.list.get_or_init(|| {
            let readers = [const { AtomicU64::new(0) }; FAST_READERS];
            Box::new(List { readers, uses: Mutex::new(Uses::new()) })
        })
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
    pub(crate) fn order(
        &self,
        home: Option<&Arc<StreamCore>>,
        stream: &Arc<StreamCore>,
        access: Access,
    ) -> CoreResult<()> {
        let mut uses = self.lock(home);
        for entry in uses.conflicts(stream.id, access) {
            entry.handle.hold_back(stream)?;
        }
        let spills = uses.entries().len() >= FAST_READERS;
        let done = if spills { uses.take_done(|entry| entry.handle.is_over()) } else { Entries::new() };
        let old = uses.note(stream.id, access, Handle { mark: Mark::Tail, stream: stream.clone() });
        self.publish(&uses);
        drop(uses);
        // May end streams, and run the drop of what keeps a foreign one alive: not under the lock.
        drop((done, old));
        Ok(())
    }

    /// The list, with the entry that the constructor left in the word only.
    fn lock(&self, home: Option<&Arc<StreamCore>>) -> MutexGuard<'_, Uses<Handle>> {
        let mut uses = self.list().uses.lock().unwrap_or_else(PoisonError::into_inner);
        if let (Some(home), true) = (home, uses.entries().is_empty()) {
            let none = uses.note(home.id, Access::Write, Handle { mark: Mark::Tail, stream: home.clone() });
            debug_assert!(none.is_empty());
        }
        uses
    }

    /// Sets what `is_ordered` reads. Reads may go on meanwhile: whoever finds its stream has an
    /// entry, and whoever misses it takes the lock.
    fn publish(&self, uses: &Uses<Handle>) {
        let entries = uses.entries();
        let single = match entries {
            [only] => Some(only.stream << 1 | u64::from(only.access == Access::Write)),
            _ => None,
        };
        let ids = entries.iter().map(|entry| entry.stream).filter(|_| single.is_none());
        for (slot, id) in self.list().readers.iter().zip(ids.chain(std::iter::repeat(0))) {
            slot.store(id, Ordering::Release);
        }
        self.word.store(single.unwrap_or(MANY), Ordering::Release);
    }

    /// After an enqueue on a stream that other code uses too: records where it stands.
    ///
    /// Recording and storing are one critical section, so that the mark never goes backwards. If
    /// the event can't be had the stream's tail stands for the use, which is a superset.
    #[cold]
    #[track_caller]
    pub(crate) fn mark(&self, home: Option<&Arc<StreamCore>>, stream: &Arc<StreamCore>) -> CoreResult<()> {
        let mut uses = self.lock(home);
        let (mark, result) = match stream.tail() {
            Ok(event) => {
                let context = Arc::downgrade(&stream.context);
                (Mark::At(Arc::new(MarkEvent { event, context })), Ok(()))
            }
            Err(error) => (Mark::Tail, Err(error)),
        };
        let old = uses.entry_mut(stream.id).map(|entry| std::mem::replace(&mut entry.handle.mark, mark));
        drop(uses);
        drop(old);
        result
    }

    /// Points behind all uses of a resource of `context`, for its retire queue.
    pub(crate) fn points(&self, context: &ContextCore) -> CoreResult<SmallVec<[Point; 2]>> {
        let uses = self.lock(None);
        let mut points = SmallVec::<[Point; 2]>::new();
        for entry in uses.entries() {
            let stream = &entry.handle.stream;
            let event = match &entry.handle.mark {
                Mark::At(mark) => PointEvent::Shared(mark.clone()),
                Mark::Tail => match stream.tail() {
                    Ok(event) => PointEvent::Own(event),
                    Err(error) => {
                        points.into_iter().for_each(|point| point.give_back(context));
                        return Err(error);
                    }
                },
            };
            points.push(Point { event, other: (stream.context.id != context.id).then(|| stream.context.clone()) });
        }
        Ok(points)
    }

    /// Whether all uses were on `home`, the stream of the constructor.
    #[inline]
    pub(crate) fn only_used_by(&mut self, home: &StreamCore) -> bool {
        *self.word.get_mut() >> 1 == home.id
    }
}

impl List {
    fn has_reader(&self, stream: u64) -> bool {
        self.readers.iter().any(|id| id.load(Ordering::Acquire) == stream)
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

    /// Whether the stream has no user any more and has done all that this stands for.
    fn is_over(&self) -> bool {
        self.stream.is_closed()
            && match &self.mark {
                Mark::At(mark) => mark.event.is_complete(),
                Mark::Tail => self.stream.is_complete(),
            }
    }
}
