//! Streams: made, found by their handle, waited for, destroyed.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::clock::{Agent, Clock};
use crate::handles::Kind;
use crate::sim::{Outcome, Sim, codes};
use crate::stream::{StreamKind, StreamState};
use crate::work::{Callback, Work};

/// `CU_STREAM_LEGACY` and `CU_STREAM_PER_THREAD`, as handles.
const LEGACY: usize = 1;
const PER_THREAD: usize = 2;
const NON_BLOCKING: u32 = 1;

impl Sim {
    /// A new stream of a context.
    pub(crate) fn create_stream(&mut self, context: usize, flags: u32, priority: i32) -> Outcome<usize> {
        if flags > NON_BLOCKING {
            return Err(codes::INVALID_VALUE);
        }
        let kind = if flags == NON_BLOCKING { StreamKind::NonBlocking } else { StreamKind::Blocking };
        let handle = self.handles.add(Kind::Stream, self.streams.len());
        self.add_stream(handle, context, kind, flags, priority.clamp(-5, 0));
        Ok(handle)
    }

    fn add_stream(&mut self, handle: usize, context: usize, kind: StreamKind, flags: u32, priority: i32) -> Agent {
        self.streams.push(StreamState {
            handle,
            context,
            kind,
            flags,
            priority,
            made: self.here(),
            owned: handle != 0,
            queue: VecDeque::new(),
            issued: 0,
            done: 0,
            clock: Clock::default(),
        });
        self.streams.len() - 1
    }

    /// The stream of a handle; a default stream is that of the current context.
    pub(crate) fn stream(&mut self, handle: usize) -> Outcome<Agent> {
        match handle {
            0 | LEGACY | PER_THREAD => {
                let context = self.current()?;
                Ok(self.default_stream(context, handle == PER_THREAD))
            }
            _ => self.object(Kind::Stream, handle),
        }
    }

    /// As [`Self::stream`], where a default stream is that of the given context.
    pub(crate) fn stream_in(&mut self, context: usize, handle: usize) -> Outcome<Agent> {
        match handle {
            0 | LEGACY | PER_THREAD => Ok(self.default_stream(context, handle == PER_THREAD)),
            _ => self.object(Kind::Stream, handle),
        }
    }

    /// A default stream of a context.
    pub(crate) fn default_stream(&mut self, context: usize, per_thread: bool) -> Agent {
        let thread = self.thread().index;
        let known = if per_thread {
            self.contexts[context].per_thread.get(&thread).copied()
        } else {
            self.contexts[context].legacy
        };
        if let Some(agent) = known {
            return agent;
        }
        let kind = if per_thread { StreamKind::Blocking } else { StreamKind::Legacy };
        let agent = self.add_stream(0, context, kind, 0, 0);
        if per_thread {
            self.contexts[context].per_thread.insert(thread, agent);
        } else {
            self.contexts[context].legacy = Some(agent);
        }
        agent
    }

    /// Destroys a stream; its work goes on.
    pub(crate) fn destroy_stream(&mut self, handle: usize) -> Outcome<()> {
        if handle <= PER_THREAD {
            return Err(codes::INVALID_HANDLE);
        }
        let stream = self.object(Kind::Stream, handle)?;
        self.streams[stream].owned = false;
        self.end(handle);
        Ok(())
    }

    /// Waits for all work of a stream.
    pub(crate) fn synchronize_stream(&mut self, stream: Agent) -> Outcome<()> {
        let point = self.tail(stream);
        self.wait_for(&point)
    }

    /// Whether all work of a stream is done: success, or 600.
    pub(crate) fn query_stream(&mut self, stream: Agent) -> Outcome<()> {
        let point = self.tail(stream);
        self.ask_for(&point)
    }

    /// A function of the program, in the order of a stream.
    pub(crate) fn host_function(
        &mut self,
        stream: Agent,
        function: Option<unsafe extern "C" fn(*mut std::ffi::c_void)>,
        data: usize,
    ) -> Outcome<()> {
        let function = function.ok_or(codes::INVALID_VALUE)?;
        self.enqueue(stream, Work::Call(Callback { function, data }), None);
        Ok(())
    }

    /// The device that a stream's work runs on.
    pub(crate) fn device_of(&self, stream: Agent) -> usize {
        self.contexts[self.streams[stream].context].device
    }

    /// Whether two objects are of one context; if not it is a finding.
    pub(crate) fn same_context(&mut self, a: usize, b: usize, what: &str) -> Outcome<()> {
        if a == b {
            return Ok(());
        }
        let (a, b) = (self.contexts[a].handle, self.contexts[b].handle);
        self.find(crate::report::FindingKind::WrongContext, None, &format!("{what} of contexts {a:#x} and {b:#x}"));
        Err(codes::INVALID_HANDLE)
    }

    /// Who made a stream, for a report.
    pub(crate) fn leaks(&mut self) {
        let mut leaks: Vec<(String, Arc<crate::report::Label>)> = Vec::new();
        for stream in self.streams.iter().filter(|stream| stream.owned) {
            leaks.push(("stream".to_owned(), stream.made.clone()));
        }
        for event in self.events.iter().filter(|event| event.owned) {
            leaks.push(("event".to_owned(), event.made.clone()));
        }
        for image in self.images.iter().filter(|image| image.owned) {
            leaks.push((if image.context.is_some() { "module" } else { "library" }.to_owned(), image.made.clone()));
        }
        for region in self.memory.regions() {
            if matches!(region.state, crate::memory::State::Live) && region.origin != crate::memory::Origin::Module {
                leaks.push((format!("{} bytes of memory at {:#x}", region.size, region.base), region.made.clone()));
            }
        }
        for context in &self.contexts {
            if context.references > 0 {
                leaks.push((format!("{} references to the primary context", context.references), context.made.clone()));
            } else if context.alive && !context.primary {
                leaks.push(("context".to_owned(), context.made.clone()));
            }
        }
        for (what, made) in leaks {
            self.report.add(crate::report::FindingKind::Leak, &made, None, format!("{what} of {made} was never freed"));
        }
    }
}
