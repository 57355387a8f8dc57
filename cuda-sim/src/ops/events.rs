//! Events: a wait keeps the state that the event has when the wait is enqueued.

use crate::clock::Agent;
use crate::handles::Kind;
use crate::sim::{Outcome, Sim, codes};
use crate::stream::EventState;
use crate::work::Work;

const DISABLE_TIMING: u32 = 2;
/// Blocking sync, no timing, interprocess.
const KNOWN_FLAGS: u32 = 7;

impl Sim {
    /// A new event of a context.
    pub(crate) fn create_event(&mut self, context: usize, flags: u32) -> Outcome<usize> {
        if flags & !KNOWN_FLAGS != 0 {
            return Err(codes::INVALID_VALUE);
        }
        let handle = self.handles.add(Kind::Event, self.events.len());
        let timing = flags & DISABLE_TIMING == 0;
        self.events.push(EventState { handle, context, timing, made: self.here(), owned: true, recorded: None });
        Ok(handle)
    }

    /// Destroys an event; waits on it go on.
    pub(crate) fn destroy_event(&mut self, handle: usize) -> Outcome<()> {
        if handle == 0 {
            // With a context current, on an H200. Without one it was seen to be 709.
            return Err(if self.current().is_ok() { codes::INVALID_HANDLE } else { codes::CONTEXT_DESTROYED });
        }
        let event = match self.object(Kind::Event, handle) {
            Ok(event) => event,
            // Its context has been made again since (measured I).
            Err(codes::CONTEXT_DESTROYED) if self.was_of_living_context(handle) => return Err(codes::INVALID_CONTEXT),
            Err(code) => return Err(code),
        };
        self.events[event].owned = false;
        self.end(handle);
        Ok(())
    }

    fn was_of_living_context(&self, handle: usize) -> bool {
        self.events.iter().rfind(|event| event.handle == handle).is_some_and(|event| self.contexts[event.context].alive)
    }

    /// Records where a stream's tail is.
    pub(crate) fn record_event(&mut self, handle: usize, stream: Agent) -> Outcome<()> {
        let event = self.object(Kind::Event, handle)?;
        self.same_context(self.events[event].context, self.streams[stream].context, "an event and a stream")?;
        self.enqueue(stream, Work::Marker, None);
        self.events[event].recorded = Some(self.tail(stream));
        Ok(())
    }

    /// Later work of the stream comes after what the event holds now. The contexts may differ.
    pub(crate) fn wait_event(&mut self, stream: Agent, handle: usize, flags: u32) -> Outcome<()> {
        if flags > 1 {
            return Err(codes::INVALID_VALUE);
        }
        let event = self.object(Kind::Event, handle)?;
        if let Some(point) = self.events[event].recorded.clone() {
            self.enqueue(stream, Work::Marker, Some(&point));
        }
        Ok(())
    }

    /// Whether an event has been reached: success, or 600.
    pub(crate) fn query_event(&mut self, handle: usize) -> Outcome<()> {
        let event = self.object(Kind::Event, handle)?;
        match self.events[event].recorded.clone() {
            Some(point) => self.ask_for(&point),
            None => self.notice(),
        }
    }

    /// Waits until an event is reached.
    pub(crate) fn synchronize_event(&mut self, handle: usize) -> Outcome<()> {
        let event = self.object(Kind::Event, handle)?;
        match self.events[event].recorded.clone() {
            Some(point) => self.wait_for(&point),
            None => self.notice(),
        }
    }

    /// Milliseconds between two events: here, one for each operation between them.
    pub(crate) fn elapsed(&mut self, start: usize, end: usize) -> Outcome<f32> {
        let (start, end) = (self.object(Kind::Event, start)?, self.object(Kind::Event, end)?);
        let (start, end) = (&self.events[start], &self.events[end]);
        let (Some(from), Some(to), true) = (&start.recorded, &end.recorded, start.timing && end.timing) else {
            return Err(codes::INVALID_HANDLE);
        };
        let done = |point: &crate::stream::Point| self.streams[point.agent].done >= point.number;
        if !done(from) || !done(to) {
            return Err(codes::NOT_READY);
        }
        let steps = to.number.saturating_sub(from.number);
        Ok(f32::from(u16::try_from(steps).unwrap_or(u16::MAX)))
    }
}
