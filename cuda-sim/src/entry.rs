//! Where every call of either API enters: recorded, failed on demand, refused after a fault.

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::alloc::uncounted;
use crate::fault::{Attitude, attitude, runtime_attitude};
use crate::record::{Arguments, Value};
use crate::sim::{Code, Now, Outcome, Sim, codes};
use crate::work::Callback;

/// Which API a function belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layer {
    Driver,
    Runtime,
}

static SIM: Mutex<Option<Sim>> = Mutex::new(None);

thread_local! {
    /// A function of the program runs on this thread, in the order of a stream.
    static IN_CALLBACK: Cell<bool> = const { Cell::new(false) };
}

/// The machine of this process, if one is installed.
pub(crate) fn lock() -> MutexGuard<'static, Option<Sim>> {
    SIM.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The process that used the machine; 0 at first.
static PROCESS: AtomicU32 = AtomicU32::new(0);

/// Whether this is a child of a process that used the machine. Nothing works in it, and the machine
/// may be locked by a thread that is not here.
pub(crate) fn is_forked() -> bool {
    let process = PROCESS.load(Ordering::Relaxed);
    process != 0 && process != std::process::id()
}

/// What calls answer in a child of fork (measured F; `cuStreamDestroy` crashes there).
fn in_child_of_fork(name: &str) -> Code {
    match name {
        "cuDriverGetVersion" | "cuStreamQuery" | "cuEventDestroy_v2" => 0,
        _ => codes::NOT_INITIALIZED,
    }
}

/// Makes a call.
pub(crate) fn enter(
    layer: Layer,
    name: &'static str,
    arguments: &[Value],
    body: impl FnOnce(&mut Sim) -> Outcome<()>,
) -> Code {
    uncounted(|| {
        if IN_CALLBACK.get() {
            // The machine is locked by this very thread; CUDA permits no calls here.
            return codes::NOT_PERMITTED;
        }
        if is_forked() {
            return in_child_of_fork(name);
        }
        let mut guard = lock();
        if guard.is_none() {
            *guard = crate::file::machine();
        }
        let Some(sim) = guard.as_mut() else { return codes::NOT_INITIALIZED };
        if PROCESS.load(Ordering::Relaxed) == 0 {
            PROCESS.store(std::process::id(), Ordering::Relaxed);
        }
        sim.now = Now { call: name, number: 0, thread: std::thread::current().id(), waited: false };
        let (thread, context) = (sim.thread().index, sim.current_handle());
        sim.now.number = sim.record.begin(name, Arguments::new(arguments), thread, context);
        let code = match layer {
            Layer::Driver => driver_call(sim, name, body),
            Layer::Runtime => runtime_call(sim, name, body),
        };
        sim.record.end(code, sim.now.waited);
        sim.drift();
        code
    })
}

fn driver_call(sim: &mut Sim, name: &'static str, body: impl FnOnce(&mut Sim) -> Outcome<()>) -> Code {
    let any_time = matches!(name, "cuInit" | "cuDriverGetVersion" | "cuGetErrorName" | "cuGetErrorString");
    if let Some(code) = sim.config.script.call(name) {
        return code;
    }
    if !sim.initialised && !any_time {
        return codes::NOT_INITIALIZED;
    }
    perform(sim, attitude(name), body)
}

fn runtime_call(sim: &mut Sim, name: &'static str, body: impl FnOnce(&mut Sim) -> Outcome<()>) -> Code {
    let reads_slot = matches!(name, "cudaGetLastError" | "cudaPeekAtLastError");
    if matches!(name, "cudaDriverGetVersion" | "cudaRuntimeGetVersion") {
        return sim.config.script.call(name).unwrap_or_else(|| perform(sim, Attitude::Immune, body));
    }
    let code = match sim.config.script.call(name) {
        Some(code) => code,
        None => match start_runtime(sim) {
            Ok(()) => perform(sim, runtime_attitude(name), body),
            Err(code) => code,
        },
    };
    if code != 0 && !reads_slot {
        sim.thread().last_error = code;
    }
    code
}

/// The runtime initialises the driver when it is first used, and tries again after a failure.
fn start_runtime(sim: &mut Sim) -> Outcome<()> {
    if sim.config.driver / 1000 < sim.config.runtime_major() {
        return Err(codes::INSUFFICIENT_DRIVER);
    }
    sim.initialise(0)
}

fn perform(sim: &mut Sim, attitude: Attitude, body: impl FnOnce(&mut Sim) -> Outcome<()>) -> Code {
    if let Some(fault) = &mut sim.fault {
        let tells = match attitude {
            Attitude::Immune => false,
            Attitude::Blind => fault.noticed,
            // What asks for a stream decides itself: another stream's fault goes unnoticed there.
            Attitude::Notices => fault.noticed || !sim.now.call.ends_with("StreamQuery"),
        };
        if tells {
            fault.noticed = true;
            return fault.code;
        }
    }
    match body(sim) {
        Ok(()) => 0,
        Err(code) => code,
    }
}

impl Sim {
    /// `cuInit`.
    pub(crate) fn initialise(&mut self, flags: u32) -> Outcome<()> {
        if flags != 0 {
            return Err(codes::INVALID_VALUE);
        }
        if self.config.init != 0 {
            return Err(self.config.init);
        }
        if self.config.devices == 0 {
            return Err(codes::NO_DEVICE);
        }
        self.initialised = true;
        Ok(())
    }
}

/// Calls a function of the program in the order of a stream. Calls to CUDA are refused meanwhile.
pub(crate) fn call_back(callback: Callback) {
    IN_CALLBACK.set(true);
    // SAFETY: the program enqueued the function to be called with this argument.
    unsafe { (callback.function)(std::ptr::with_exposed_provenance_mut(callback.data)) };
    IN_CALLBACK.set(false);
}
