//! The test kit: a simulated machine for this process.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use cuda_driver_sys::loader::{CudaVersion, Resolver};

use crate::config::{Config, Schedule};
use crate::entry::lock;
use crate::record::Call;
use crate::report::{Finding, FindingKind};
use crate::sim::Sim;

/// Describes a machine, and starts it.
#[derive(Clone, Debug, Default)]
#[must_use = "nothing is simulated until `install`"]
pub struct MachineBuilder {
    config: Config,
}

/// The simulated machine of this process.
///
/// One at a time: a second [`MachineBuilder::install`] waits until the first machine is dropped.
/// Functions that were looked up stay for the rest of the process, so all machines of a process
/// have the same versions.
#[derive(Debug)]
pub struct Machine {
    config: Config,
    _only: MutexGuard<'static, ()>,
}

/// Held by the machine.
static ONLY: Mutex<()> = Mutex::new(());
/// The first machine's description: its versions stay.
static INSTALLED: OnceLock<Config> = OnceLock::new();

/// What the process's machines export.
pub(crate) fn versions() -> Option<&'static Config> {
    INSTALLED.get()
}

impl MachineBuilder {
    /// Number of devices; 1 unless set.
    pub fn devices(mut self, devices: usize) -> Self {
        self.config.devices = devices;
        self
    }

    /// Memory of each device in bytes; 8 GiB unless set.
    pub fn memory(mut self, bytes: usize) -> Self {
        self.config.memory = bytes;
        self
    }

    /// Compute capability of the devices; 9.0 unless set.
    pub fn capability(mut self, major: u32, minor: u32) -> Self {
        self.config.capability = (major, minor);
        self
    }

    /// The driver's CUDA version: what it says, which functions it has, which PTX it takes. 13.0
    /// unless set.
    pub fn driver(mut self, major: u32, minor: u32) -> Self {
        self.config.driver = major * 1000 + minor * 10;
        self
    }

    /// The runtime's version: what it says, which functions it has, how it differs. 13.0 unless set.
    pub fn runtime(mut self, major: u32, minor: u32) -> Self {
        self.config.runtime = major * 1000 + minor * 10;
        self
    }

    /// Lets device `from` be given access to the memory of device `to`, and the other way round.
    pub fn peers(mut self, from: usize, to: usize) -> Self {
        self.config.peers.extend([(from, to), (to, from)]);
        self
    }

    /// Takes a function away, by its symbol, whatever the version.
    pub fn without(mut self, symbol: &str) -> Self {
        self.config.missing.push(symbol.to_owned());
        self
    }

    /// What `cuInit` answers, such as 100; then nothing else works.
    pub fn init_answers(mut self, code: u32) -> Self {
        self.config.init = code;
        self
    }

    /// Chooses the order of execution, and whether handles are used again.
    pub fn seed(mut self, seed: u64) -> Self {
        self.config.seed = seed;
        self
    }

    /// Chooses the order of execution by name; the seed still makes its choices.
    pub fn schedule(mut self, schedule: Schedule) -> Self {
        self.config.schedule = Some(schedule);
        self
    }

    /// The `nth` call (from 1) of a function fails with `code` and does nothing. The name is that
    /// of the symbol, or without its `_v2`; `*` counts all calls.
    pub fn fail(mut self, function: &str, nth: u64, code: u32) -> Self {
        self.config.script.fail(function, nth, code, false);
        self
    }

    /// The `nth` call and all later ones fail.
    pub fn fail_from(mut self, function: &str, nth: u64, code: u32) -> Self {
        self.config.script.fail(function, nth, code, true);
        self
    }

    /// The `nth` kernel that is executed (from 1) ends with a sticky fault, such as 700.
    pub fn fault(mut self, nth: u64, code: u32) -> Self {
        self.config.script.fault(nth, code);
        self
    }

    /// Most instructions that one kernel may execute; more is error 702.
    pub fn step_limit(mut self, steps: u64) -> Self {
        self.config.step_limit = steps;
        self
    }

    /// Starts the machine; waits for one that another thread has. It stands for the driver and the
    /// runtime of this process from now on.
    ///
    /// # Panics
    /// If the process uses real libraries already, or had a machine of other versions.
    pub fn install(self) -> Machine {
        let only = ONLY.lock().unwrap_or_else(PoisonError::into_inner);
        let config = self.config;
        let first = INSTALLED.get_or_init(|| config.clone());
        let same = |a: &Config, b: &Config| (a.driver, a.runtime, &a.missing) == (b.driver, b.runtime, &b.missing);
        assert!(
            same(first, &config),
            "this process has had a machine of driver {} and runtime {}; driver {} and runtime {} need a process of their own",
            first.driver,
            first.runtime,
            config.driver,
            config.runtime
        );
        static RESOLVERS: std::sync::Once = std::sync::Once::new();
        RESOLVERS.call_once(|| install_resolvers(&config));
        let machine = Machine { config, _only: only };
        machine.restart();
        machine
    }
}

fn install_resolvers(config: &Config) {
    let driver = Resolver { symbol: crate::resolve_driver, version: CudaVersion::new(config.driver) };
    let runtime = Resolver { symbol: crate::resolve_runtime, version: CudaVersion::new(config.runtime) };
    // SAFETY: the functions have the signatures of the bindings, which the compiler checked.
    let driver = unsafe { cuda_driver_sys::library::install_resolver(driver) };
    // SAFETY: as above, for the runtime's major.
    let runtime = unsafe { cuda_runtime_sys::library::install_resolver(runtime) };
    assert!(
        driver.is_ok() && runtime.is_ok(),
        "a real CUDA library is in use in this process: {driver:?}, {runtime:?}"
    );
}

impl Machine {
    /// Describes a machine: one device, driver and runtime 13.0, seed 0.
    pub fn builder() -> MachineBuilder {
        MachineBuilder::default()
    }

    fn restart(&self) {
        let mut guard = lock();
        // A library initialises the driver once in a process; a new machine is no new process.
        let initialised = guard.as_ref().is_some_and(|sim| sim.initialised);
        *guard = Some(Sim::new(self.config.clone(), initialised && self.config.init == 0));
    }

    /// Runs a closure once for each seed, on a fresh machine each time. What the closure makes must
    /// be gone when it returns. A panic names the seed.
    pub fn for_seeds(&mut self, seeds: Range<u64>, mut body: impl FnMut(&Self)) {
        struct Tell(u64);
        impl Drop for Tell {
            fn drop(&mut self) {
                if std::thread::panicking() {
                    eprintln!("cuda-sim: the seed was {}", self.0);
                }
            }
        }
        for seed in seeds {
            self.config.seed = seed;
            self.restart();
            let tell = Tell(seed);
            body(self);
            drop(tell);
        }
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.config.seed
    }

    fn with<T>(&self, look: impl FnOnce(&mut Sim) -> T) -> T {
        crate::alloc::uncounted(|| {
            let mut guard = lock();
            look(guard.get_or_insert_with(|| Sim::new(self.config.clone(), false)))
        })
    }

    /// The calls since the start or the last [`Machine::clear_calls`].
    pub fn calls(&self) -> Vec<Call> {
        self.with(|sim| sim.record.calls().to_vec())
    }

    /// Their names, in order.
    pub fn call_names(&self) -> Vec<&'static str> {
        self.with(|sim| sim.record.calls().iter().map(|call| call.name).collect())
    }

    /// How often a function was called; the name is that of the symbol, or without its `_v2`.
    pub fn count(&self, function: &str) -> usize {
        self.with(|sim| sim.record.count(function))
    }

    /// Forgets the calls, so that the next ones are looked at alone.
    pub fn clear_calls(&self) {
        self.with(|sim| sim.record.clear());
    }

    /// The calls that a closure makes.
    pub fn calls_of<T>(&self, body: impl FnOnce() -> T) -> (T, Vec<Call>) {
        self.clear_calls();
        let result = body();
        (result, self.calls())
    }

    /// The `nth` call from now of a function fails, as with [`MachineBuilder::fail`].
    pub fn fail(&self, function: &str, nth: u64, code: u32) {
        self.with(|sim| sim.config.script.fail(function, nth, code, false));
    }

    /// The `nth` kernel from now ends with a sticky fault, as with [`MachineBuilder::fault`].
    pub fn fault(&self, nth: u64, code: u32) {
        self.with(|sim| sim.config.script.fault(nth, code));
    }

    /// Takes back the failures and faults that have not come yet.
    pub fn clear_failures(&self) {
        self.with(|sim| sim.config.script.clear());
    }

    /// Lets the device finish all that is queued, without the program knowing.
    pub fn run_all(&self) {
        self.with(|sim| sim.run_all(None));
    }

    /// Lets the device finish, without the program knowing, and gives what was found wrong so far.
    pub fn findings(&self) -> Vec<Finding> {
        self.with(|sim| {
            sim.run_all(None);
            sim.report.findings().to_vec()
        })
    }

    /// Lets the device finish, looks for what was never freed, and gives all findings.
    pub fn finish(&self) -> Vec<Finding> {
        self.with(|sim| {
            sim.run_all(None);
            sim.leaks();
            sim.report.findings().to_vec()
        })
    }

    /// Lets the device finish; nothing may be wrong. Objects may be alive, or have gone with their
    /// context.
    ///
    /// # Panics
    /// With the findings, if there are any.
    #[track_caller]
    pub fn assert_no_findings(&self) {
        let mut findings = self.findings();
        findings.retain(|finding| finding.kind != FindingKind::Abandoned);
        complain(&findings, &self.calls());
    }

    /// As [`Machine::assert_no_findings`], and nothing may be alive. What went with its context
    /// ([`FindingKind::Abandoned`]) is let pass: it is gone, and [`Machine::finish`] tells.
    ///
    /// # Panics
    /// With the findings, if there are any.
    #[track_caller]
    pub fn assert_clean(&self) {
        let mut findings = self.finish();
        findings.retain(|finding| finding.kind != FindingKind::Abandoned);
        complain(&findings, &self.calls());
    }

    /// Tells the machine that the program reads memory that a device may be writing: pinned or
    /// registered. The simulator can't see it; a missing order is then reported.
    pub fn host_reads<T>(&self, memory: &[T]) {
        self.host_touches("(a read by the program)", memory.as_ptr().addr(), size_of_val(memory), false);
    }

    /// The same for a write by the program.
    pub fn host_writes<T>(&self, memory: &[T]) {
        self.host_touches("(a write by the program)", memory.as_ptr().addr(), size_of_val(memory), true);
    }

    fn host_touches(&self, what: &'static str, address: usize, len: usize, write: bool) {
        self.with(|sim| sim.host_access(what, address as u64, len, write));
    }

    /// Whether there is a finding of this kind whose text has the call's name.
    pub fn found(&self, kind: FindingKind, call: &str) -> bool {
        self.findings().iter().any(|finding| finding.kind == kind && finding.text.contains(call))
    }

    /// Ordinals and counts: bytes of device memory in use.
    pub fn memory_in_use(&self, device: usize) -> usize {
        self.with(|sim| sim.memory.usage(device).0)
    }
}

#[track_caller]
fn complain(findings: &[Finding], calls: &[Call]) {
    if findings.is_empty() {
        return;
    }
    let list: Vec<String> = findings.iter().map(ToString::to_string).collect();
    let last: Vec<String> = calls.iter().rev().take(30).rev().map(ToString::to_string).collect();
    panic!("{} findings:\n{}\nthe last calls:\n{}", findings.len(), list.join("\n"), last.join("\n"));
}
