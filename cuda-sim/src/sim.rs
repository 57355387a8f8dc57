//! The state of the simulated machine. What it does is in `engine` and `ops`.

use std::collections::HashMap;
use std::sync::Arc;
use std::thread::ThreadId;

use crate::clock::Clock;
use crate::code::{Function, Image, LibraryKernel};
use crate::config::{Config, Schedule};
use crate::context::{Context, Thread};
use crate::fault::Fault;
use crate::handles::{Fate, Handles, Kind, Stale};
use crate::memory::Memory;
use crate::record::Record;
use crate::report::{FindingKind, Label, Report};
use crate::rng::Rng;
use crate::stream::{EventState, StreamState};

/// A result code of either API, which share their numbers.
pub(crate) type Code = u32;
/// Result of an operation.
pub(crate) type Outcome<T> = Result<T, Code>;

/// The codes that are used here.
pub(crate) mod codes {
    pub(crate) const INVALID_VALUE: u32 = 1;
    pub(crate) const OUT_OF_MEMORY: u32 = 2;
    pub(crate) const NOT_INITIALIZED: u32 = 3;
    pub(crate) const INVALID_CONFIGURATION: u32 = 9;
    pub(crate) const INVALID_DIRECTION: u32 = 21;
    pub(crate) const INSUFFICIENT_DRIVER: u32 = 35;
    pub(crate) const INVALID_DEVICE_FUNCTION: u32 = 98;
    pub(crate) const NO_DEVICE: u32 = 100;
    pub(crate) const INVALID_DEVICE: u32 = 101;
    pub(crate) const INVALID_IMAGE: u32 = 200;
    pub(crate) const INVALID_CONTEXT: u32 = 201;
    pub(crate) const NO_BINARY: u32 = 209;
    pub(crate) const PEER_UNSUPPORTED: u32 = 217;
    pub(crate) const INVALID_PTX: u32 = 218;
    pub(crate) const UNSUPPORTED_PTX: u32 = 222;
    pub(crate) const INVALID_HANDLE: u32 = 400;
    pub(crate) const NOT_FOUND: u32 = 500;
    pub(crate) const NOT_READY: u32 = 600;
    pub(crate) const PEER_ALREADY: u32 = 704;
    pub(crate) const PEER_NOT_ENABLED: u32 = 705;
    pub(crate) const CONTEXT_DESTROYED: u32 = 709;
    pub(crate) const ALREADY_REGISTERED: u32 = 712;
    pub(crate) const NOT_REGISTERED: u32 = 713;
    pub(crate) const LAUNCH_FAILED: u32 = 719;
    pub(crate) const NOT_PERMITTED: u32 = 800;
    pub(crate) const NOT_SUPPORTED: u32 = 801;
}

/// The call that is being made.
#[derive(Clone, Debug)]
pub(crate) struct Now {
    pub(crate) call: &'static str,
    pub(crate) number: u64,
    pub(crate) thread: ThreadId,
    /// It had to wait for the device.
    pub(crate) waited: bool,
}

/// The machine.
#[derive(Debug)]
pub(crate) struct Sim {
    pub(crate) config: Config,
    pub(crate) schedule: Schedule,
    pub(crate) rng: Rng,
    pub(crate) record: Record,
    pub(crate) report: Report,
    pub(crate) now: Now,
    pub(crate) initialised: bool,
    pub(crate) fault: Option<Fault>,
    pub(crate) handles: Handles,
    pub(crate) memory: Memory,
    /// By agent; the first stands for the host.
    pub(crate) streams: Vec<StreamState>,
    pub(crate) host: Clock,
    pub(crate) events: Vec<EventState>,
    /// The primary contexts by device, then created ones.
    pub(crate) contexts: Vec<Context>,
    /// Contexts that were made so far, primary ones counted each time.
    pub(crate) contexts_made: u64,
    pub(crate) threads: HashMap<ThreadId, Thread>,
    pub(crate) images: Vec<Image>,
    pub(crate) functions: Vec<Function>,
    pub(crate) kernels: Vec<LibraryKernel>,
    /// Queries that found work pending since the last that made progress.
    pub(crate) fruitless: u32,
    /// The devices' clock, in nanoseconds: it goes on when kernels look at it.
    pub(crate) time: u64,
    /// Whether stream-ordered memory is given out again, as by the driver; otherwise every late use
    /// of it shows.
    pub(crate) reuses: bool,
}

impl Sim {
    pub(crate) fn new(config: Config, initialised: bool) -> Self {
        let seed = config.seed;
        let mut rng = Rng::new(seed);
        let (recycle, reuses) = (rng.one_in(2), rng.one_in(2));
        let mut handles = Handles::new(recycle);
        let nobody = Arc::new(Label::host("(the driver)", 0));
        let contexts = (0..config.devices)
            .map(|device| Context::new(handles.add(Kind::Context, device), device, true, nobody.clone()))
            .collect();
        let host = StreamState {
            handle: 0,
            context: usize::MAX,
            kind: crate::stream::StreamKind::NonBlocking,
            flags: 0,
            priority: 0,
            made: nobody,
            owned: false,
            queue: std::collections::VecDeque::new(),
            issued: 0,
            done: 0,
            clock: Clock::default(),
        };
        Self {
            schedule: config.schedule.unwrap_or_else(|| Schedule::of_seed(seed)),
            rng,
            record: Record::default(),
            report: Report::default(),
            now: Now { call: "", number: 0, thread: std::thread::current().id(), waited: false },
            initialised,
            fault: None,
            handles,
            memory: Memory::new(config.devices, config.memory),
            streams: vec![host],
            host: Clock::default(),
            events: Vec::new(),
            contexts,
            contexts_made: 0,
            threads: HashMap::new(),
            images: Vec::new(),
            functions: Vec::new(),
            kernels: Vec::new(),
            fruitless: 0,
            time: 0,
            reuses,
            config,
        }
    }

    /// The calling thread's own state.
    pub(crate) fn thread(&mut self) -> &mut Thread {
        let index = self.threads.len();
        self.threads.entry(self.now.thread).or_insert_with(|| Thread { index, ..Thread::default() })
    }

    /// The current call as a label.
    pub(crate) fn here(&self) -> Arc<Label> {
        Arc::new(Label::host(self.now.call, self.now.number))
    }

    /// Adds a finding about the current call.
    pub(crate) fn find(&mut self, kind: FindingKind, other: Option<&Label>, text: &str) {
        let here = Label::host(self.now.call, self.now.number);
        let text = format!("{here}: {text}");
        self.report.add(kind, &here, other, text);
    }

    /// The object of a handle; a stale one is a finding and an error.
    pub(crate) fn object(&mut self, kind: Kind, handle: usize) -> Outcome<usize> {
        let stale = match self.handles.find(kind, handle) {
            Ok(index) => return Ok(index),
            Err(stale) => stale,
        };
        match stale {
            Stale::Unknown => {
                self.find(FindingKind::UnknownHandle, None, &format!("{handle:#x} is no {kind:?}"));
                Err(codes::INVALID_HANDLE)
            }
            Stale::Destroyed(by) => {
                self.find(
                    FindingKind::DestroyedHandle,
                    Some(&by),
                    &format!("the {kind:?} {handle:#x} was destroyed by {by}"),
                );
                Err(codes::INVALID_HANDLE)
            }
            Stale::Orphaned(by) => {
                self.find(
                    FindingKind::DestroyedHandle,
                    Some(&by),
                    &format!("the {kind:?} {handle:#x} went with its context, by {by}"),
                );
                Err(codes::CONTEXT_DESTROYED)
            }
        }
    }

    /// Ends an object of the program.
    pub(crate) fn end(&mut self, handle: usize) {
        let here = self.here();
        self.handles.end(handle, Fate::Destroyed(here));
    }

    /// Index of the current context.
    pub(crate) fn current(&mut self) -> Outcome<usize> {
        let current = self.thread().current().ok_or(codes::INVALID_CONTEXT)?;
        if self.contexts[current].alive { Ok(current) } else { Err(codes::CONTEXT_DESTROYED) }
    }

    /// Whether the device exists.
    pub(crate) fn device(&self, ordinal: i32) -> Outcome<usize> {
        usize::try_from(ordinal).ok().filter(|device| *device < self.config.devices).ok_or(codes::INVALID_DEVICE)
    }
}
