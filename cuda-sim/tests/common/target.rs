//! One source of tests for two targets: the simulator and, with `--features gpu`, the real libraries.

use std::cell::Cell;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use cuda_sim::{FindingKind, Machine};

/// Whether the real libraries are asked.
pub const ON_GPU: bool = cfg!(feature = "gpu");

/// Set in a process that [`in_child`] started.
const CHILD: &str = "CUDA_SIM_TEST_CHILD";

/// Tests of one process share the real driver's state: one at a time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// What a test runs on.
pub struct Place<'a> {
    machine: Option<&'a Machine>,
    mistaken: Cell<bool>,
}

impl Place<'_> {
    /// The test makes mistakes, which the simulator reports.
    pub fn makes_mistakes(&self) {
        self.mistaken.set(true);
    }

    /// `read` was enqueued without an order behind a late kernel: on a GPU it has the old value; the
    /// simulator has found the race, whatever was read.
    #[track_caller]
    pub fn assert_unordered(&self, read: &[u32], old: u32) {
        self.makes_mistakes();
        match self.machine {
            Some(machine) => {
                let is_race = |f: &cuda_sim::Finding| matches!(f.kind, FindingKind::Race);
                assert!(machine.findings().iter().any(is_race), "no race was found");
            }
            None => assert!(read.iter().all(|word| *word == old), "ordered on the GPU: {read:?}"),
        }
    }
}

fn version(name: &str, usual: (u32, u32)) -> (u32, u32) {
    std::env::var(name).map_or(usual, |text| {
        let (major, minor) = text.split_once('.').unwrap();
        (major.parse().unwrap(), minor.parse().unwrap())
    })
}

/// A simulated machine of the versions that the environment names.
fn simulated() -> Machine {
    let (driver, runtime) = (version("CUDA_SIM_DRIVER", (13, 0)), version("CUDA_SIM_RUNTIME", (13, 0)));
    Machine::builder().driver(driver.0, driver.1).runtime(runtime.0, runtime.1).install()
}

/// Runs a test: on a GPU a few times, on the simulator for many seeds. There nothing else may be
/// wrong than what the test says.
pub fn on_target(body: impl Fn(&Place<'_>)) {
    if ON_GPU {
        let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        (0..3).for_each(|_| body(&Place { machine: None, mistaken: Cell::new(false) }));
        return;
    }
    let mut machine = simulated();
    let seeds = if std::env::var_os(CHILD).is_some() { 16 } else { 1000 };
    machine.for_seeds(0..seeds, |machine| {
        let place = Place { machine: Some(machine), mistaken: Cell::new(false) };
        body(&place);
        if !place.mistaken.get() {
            machine.assert_no_findings();
        }
    });
}

/// Runs a test in a process of its own, for it needs a process where nothing has happened yet: this
/// binary again, with only that test.
pub fn in_child(name: &str, body: impl Fn(&Place<'_>)) {
    if std::env::var(CHILD).is_ok_and(|child| child == name) {
        if ON_GPU {
            body(&Place { machine: None, mistaken: Cell::new(false) });
        } else {
            on_target(body);
        }
        return;
    }
    run_again(&[name, "--exact", "--nocapture", "--test-threads=1"], &[(CHILD, name)]);
}

/// Runs this binary again; all its tests must pass.
pub fn run_again(arguments: &[&str], environment: &[(&str, &str)]) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    let output = command.args(arguments).envs(environment.iter().copied()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && !text.contains(" 0 passed"),
        "{arguments:?} {environment:?}: {}\n{text}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
}

/// The runtime's version; `None`, with a line, on a GPU host that has no runtime library.
pub fn runtime_version() -> Option<u32> {
    if !ON_GPU {
        // The first machine of the process puts itself in the libraries' place, whichever test comes first.
        drop(simulated());
    }
    match cuda_runtime_sys::library::load() {
        Ok(loaded) => loaded.version().map(|version| version.number()),
        Err(error) => {
            assert!(ON_GPU && std::env::var_os("CUDA_RT_RUNTIME_LIBRARY").is_none(), "{error}");
            println!("skipped: no runtime library, CUDA_RT_RUNTIME_LIBRARY is not set");
            None
        }
    }
}

/// A misuse, and the code that it must have.
pub struct Misuse<T> {
    pub what: &'static str,
    pub code: u32,
    pub ask: fn(&T) -> u32,
}

/// Asks all; tells all that differ at once.
#[track_caller]
pub fn assert_codes<T>(misuses: &[Misuse<T>], objects: &T) {
    let differ: Vec<String> = misuses
        .iter()
        .filter_map(|misuse| {
            let code = (misuse.ask)(objects);
            (code != misuse.code).then(|| format!("{}: expected {}, got {code}", misuse.what, misuse.code))
        })
        .collect();
    assert!(differ.is_empty(), "{} of {} differ:\n{}", differ.len(), misuses.len(), differ.join("\n"));
}
