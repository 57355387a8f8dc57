//! The simulator as files in the place of NVIDIA's: what `scripts/sim-libs.sh` makes libcuda and
//! libcudart of. The machine of such a process comes from its environment.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::fmt::Display;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use crate::config::Config;
use crate::entry::lock;
use crate::report::FindingKind;
use crate::sim::Sim;

/// This process has the simulator's libcuda.
static IN_USE: AtomicBool = AtomicBool::new(false);
/// Major of the runtime file that was loaded last; 0 if there is none.
static RUNTIME_FILE: AtomicU32 = AtomicU32::new(0);

/// The machine of a process that found the simulator in a file, made when it is first called.
pub(crate) fn machine() -> Option<Sim> {
    if !IN_USE.load(Ordering::Relaxed) {
        return None;
    }
    let mut sim = Sim::new(config(), false);
    // A foreign program may run for long.
    sim.record.keep_last_only();
    Some(sim)
}

/// The value of a variable; an unusable one ends the process, for all that follows would be wrong.
fn variable<T>(name: &str, read: impl Fn(&str) -> Option<T>) -> Option<T> {
    let text = std::env::var(name).ok().filter(|text| !text.is_empty())?;
    let value = read(&text);
    if value.is_none() {
        end(&format_args!("{name}={text} means nothing"));
    }
    value
}

fn end(why: &dyn Display) -> ! {
    eprintln!("cuda-sim: {why}");
    std::process::abort();
}

/// `12.4` as 12040.
fn version(text: &str) -> Option<u32> {
    let (major, minor) = text.split_once('.')?;
    let (major, minor): (u32, u32) = (major.parse().ok()?, minor.parse().ok()?);
    (major < 100 && minor < 100).then_some(major * 1000 + minor * 10)
}

/// The driver that the environment asks for.
fn driver() -> u32 {
    variable("CUDA_SIM_DRIVER", version).unwrap_or(13_000)
}

/// The runtime that the environment asks for, if it is of the file's major; else a usual one of that
/// major.
fn runtime(major: u32) -> u32 {
    let usual = if major == 12 { 12_090 } else { 13_000 };
    variable("CUDA_SIM_RUNTIME", version).filter(|version| version / 1000 == major).unwrap_or(usual)
}

/// Function, number of the call, code: `cuMemAllocAsync:3:2`.
fn failures(text: &str) -> Option<Vec<(String, u64, u32)>> {
    text.split(',')
        .map(|entry| {
            let mut parts = entry.split(':');
            let failure = (parts.next()?.to_owned(), parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
            parts.next().is_none().then_some(failure)
        })
        .collect()
}

fn config() -> Config {
    let defaults = Config::default();
    let mut config = Config {
        driver: driver(),
        runtime: runtime(RUNTIME_FILE.load(Ordering::Relaxed)),
        devices: variable("CUDA_SIM_DEVICES", |text| text.parse().ok()).unwrap_or(defaults.devices),
        seed: variable("CUDA_SIM_SEED", |text| text.parse().ok()).unwrap_or(defaults.seed),
        ..defaults
    };
    for (function, nth, code) in variable("CUDA_SIM_FAIL", failures).unwrap_or_default() {
        config.script.fail(&function, nth, code, false);
    }
    if let Ok(visible) = std::env::var("CUDA_VISIBLE_DEVICES") {
        config.identities = visible_devices(&visible, config.devices);
        config.devices = config.identities.len();
    }
    config
}

/// Which devices `CUDA_VISIBLE_DEVICES` leaves, in its order: what follows a word that names none is
/// not looked at.
fn visible_devices(list: &str, devices: usize) -> Vec<usize> {
    let mut visible = Vec::new();
    for word in list.split(',') {
        let number = word.trim().parse().ok().filter(|number| *number < devices);
        let by_uuid = || {
            let mut fits = (0..devices).filter(|device| crate::device::uuid_text(*device).starts_with(word.trim()));
            fits.next().filter(|_| fits.next().is_none() && word.trim().starts_with("GPU-"))
        };
        match number.or_else(by_uuid).filter(|device| !visible.contains(device)) {
            Some(device) => visible.push(device),
            None => break,
        }
    }
    visible
}

/// Address of a function that the file exports: `layer` is 0 for the driver, else the runtime's
/// major. Null if the version that the environment asks for has no such function.
///
/// Called by the system's loader, maybe before anything of the process is initialised: it makes and
/// locks nothing.
///
/// # Safety
/// `name` is text with its end.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn cuda_sim_export(layer: c_int, name: *const c_char) -> *const c_void {
    // SAFETY: (caller)
    let Ok(name) = unsafe { CStr::from_ptr(name) }.to_str() else { return std::ptr::null() };
    let major = u32::try_from(layer).unwrap_or(0);
    let found = if major == 0 {
        let config = Config { driver: driver(), ..Config::default() };
        config.driver_exports(name).then(|| crate::abi::driver::find(name))
    } else {
        let config = Config { runtime: runtime(major), ..Config::default() };
        config.runtime_exports(name).then(|| crate::abi::runtime::find(major, name))
    };
    found.flatten().unwrap_or(std::ptr::null())
}

/// Prints the names that a file may export, for the script that makes the files. `layer` as above.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn cuda_sim_print_exports(layer: c_int) {
    let major = u32::try_from(layer).unwrap_or(0);
    if major == 0 {
        crate::driver_functions().for_each(|name| println!("{name}"));
        return;
    }
    let newest = Config { runtime: major * 1000 + 990, ..Config::default() };
    let of_some_version = |name: &str| {
        (0..=13).any(|minor| Config { runtime: major * 1000 + minor * 10, ..Config::default() }.runtime_exports(name))
            || newest.runtime_exports(name)
    };
    crate::runtime_functions().filter(|name| of_some_version(name)).for_each(|name| println!("{name}"));
}

/// The driver's file is in the process (`major` 0), or a runtime's.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn cuda_sim_loaded(major: c_int) {
    IN_USE.store(true, Ordering::Relaxed);
    let major = u32::try_from(major).unwrap_or(0);
    if major != 0 {
        RUNTIME_FILE.store(major, Ordering::Relaxed);
        if let Some(sim) = lock().as_mut() {
            sim.config.runtime = runtime(major);
        }
    }
}

/// The process ends: tells on the standard error output what was found wrong. Gives the number of
/// findings if the environment wants them to be fatal (`CUDA_SIM_FATAL=1`), else 0.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn cuda_sim_end() -> c_int {
    if crate::entry::is_forked() {
        return 0;
    }
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|text| text == value);
    let mut guard = lock();
    let Some(sim) = guard.as_mut() else { return 0 };
    sim.run_all(None);
    if !is("CUDA_SIM_LEAKS", "0") {
        sim.leaks();
    }
    let mut bad = 0;
    for finding in sim.report.findings() {
        if finding.kind != FindingKind::Abandoned {
            eprintln!("cuda-sim: {finding} [seed {}]", sim.config.seed);
            bad += 1;
        }
    }
    if is("CUDA_SIM_FATAL", "1") { bad } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_and_failures_are_read() {
        assert_eq!([version("12.4"), version("13.0")], [Some(12_040), Some(13_000)]);
        assert_eq!([version("12"), version("12.x"), version("")], [None; 3]);
        assert_eq!(failures("cuMemAlloc:2:1,*:9:2").unwrap(), [("cuMemAlloc".into(), 2, 1), ("*".into(), 9, 2)]);
        assert!(failures("cuMemAlloc").is_none() && failures("a:1:2:3").is_none());
    }

    #[test]
    fn visible_devices_are_chosen_as_by_the_driver() {
        let uuid = crate::device::uuid_text(1);
        assert_eq!(visible_devices("1,0", 2), [1, 0]);
        assert_eq!(visible_devices(&format!("0,{uuid}"), 2), [0, 1]);
        for none in ["", "-1", "7", "GPU-none", "NoDevFiles"] {
            assert!(visible_devices(none, 2).is_empty(), "{none}");
        }
        assert_eq!(visible_devices("1,7,0", 2), [1]);
        assert!(visible_devices("GPU-", 2).is_empty(), "ambiguous");
        assert_eq!(visible_devices(&uuid[..12], 1), [0]);
    }

    #[test]
    fn exports_follow_the_runtimes_major() {
        // SAFETY: texts with their end.
        let is_there = |layer, name: &CStr| !unsafe { cuda_sim_export(layer, name.as_ptr()) }.is_null();
        assert!(is_there(0, c"cuInit") && !is_there(0, c"cudaMalloc") && !is_there(0, c"cuNoSuchFunction"));
        assert!(is_there(12, c"cudaGetDeviceProperties_v2") && !is_there(13, c"cudaGetDeviceProperties_v2"));
        assert!(is_there(13, c"cudaGetDeviceProperties") && is_there(13, c"cudaMalloc"));
    }
}
