//! The examples, on machines with and without a driver: on the GPU or the simulator, and which of them they say it was.

#![cfg(target_os = "linux")]

mod machine;

use std::path::{Path, PathBuf};

use machine::{DOCTOR, Machine, Said, nothing_installed};

const SAXPY: [&str; 2] = ["saxpy", "saxpy_runtime"];
const ALL: [&str; 3] = ["saxpy", "saxpy_runtime", "device_query"];

/// An example's program. `cargo test` builds it, unless it is told to build one test alone.
fn example(name: &str) -> PathBuf {
    let path = PathBuf::from(DOCTOR).with_file_name("examples").join(name);
    let changed = |path: &Path| path.metadata().and_then(|metadata| metadata.modified()).ok();
    let built = changed(&path);
    let source = ["common/mod.rs", "common/place.rs", &format!("{name}.rs")]
        .map(|file| changed(&Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(file)));
    let is_old = built.is_none() || source.iter().any(|source| *source > built);
    assert!(!is_old, "{} is missing or old: cargo build --examples", path.display());
    path
}

fn run(machine: &Machine, name: &str, arguments: &[&str]) -> Said {
    let said = machine.run(example(name), arguments);
    assert!(!said.err.contains("panicked"), "{name}: {}", said.err);
    said
}

fn first_line(said: &Said) -> &str {
    said.out.lines().next().unwrap_or_default()
}

/// Asserts that it ran on the simulator for this reason, said so first, and succeeded.
fn is_simulated(said: &Said, why: &str) {
    assert_eq!((said.status, said.err.as_str()), (Some(0), ""), "{}", said.out);
    assert!(first_line(said).starts_with(&format!("simulated device ({why}")), "{}", said.out);
}

/// Asserts that it ended with the diagnosis, status 2, and without the simulator.
fn is_diagnosed(said: &Said, words: &[&str]) {
    assert_eq!(said.status, Some(2), "{}{}", said.out, said.err);
    assert!(!said.out.contains("imulated"), "{}", said.out);
    for word in words.iter().chain(&["verdict: "]) {
        assert!(said.err.contains(word), "{word:?} is not in:\n{}", said.err);
    }
}

#[test]
fn no_driver_means_the_simulator_and_the_first_line_says_so() {
    if !nothing_installed() {
        return;
    }
    let machine = Machine::new("examples_no_driver");
    for name in SAXPY {
        let said = run(&machine, name, &[]);
        is_simulated(&said, "no NVIDIA driver found");
        for part in ["driver CUDA 13.0", "runtime 13.0", "kernel from "] {
            assert!(first_line(&said).contains(part), "{}", said.out);
        }
        said.has(&["saxpy of 1000000 elements: the simulator and the CPU agree"]);
    }
    let said = run(&machine, "device_query", &[]);
    is_simulated(&said, "no NVIDIA driver found");
    said.has(&["Simulated GPU", "the same mistakes"]);
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs real libraries: scripts/real-libs.sh")]
fn runtime_without_a_driver_means_the_simulator_too() {
    if !nothing_installed() {
        return;
    }
    let mut machine = Machine::new("examples_runtime_alone");
    machine.var("LD_LIBRARY_PATH", concat!(env!("CARGO_MANIFEST_DIR"), "/.real-libs/toolkit-12.9/lib"));
    for name in ALL {
        let said = run(&machine, name, &[]);
        is_simulated(&said, "no NVIDIA driver found");
        // That of the simulator, not the one that is there.
        said.has(&["13.0"]).lacks(&["12.9"]);
    }
}

#[test]
fn driver_that_does_not_start_is_diagnosed() {
    // Codes of all kinds: of the environment, that may pass, of no header.
    for code in ["34", "35", "46", "100", "802", "803", "804", "807", "999", "12345"] {
        let machine = Machine::fake_driver(&format!("examples_{code}"), code);
        for name in ["saxpy", "device_query"] {
            is_diagnosed(&run(&machine, name, &[]), &[]);
        }
        let said = run(&machine, "saxpy_runtime", &[]);
        is_diagnosed(&said, if nothing_installed() { &["no runtime library found"] } else { &[] });
    }
    let machine = Machine::fake_driver("examples_100_words", "100");
    is_diagnosed(&run(&machine, "saxpy", &["1000"]), &["no device", &machine.path("lib/libcuda.so.1")]);
}

#[test]
fn file_that_is_no_driver_is_diagnosed() {
    let empty = Machine::new("examples_empty_file");
    empty.file("lib/libcuda.so.1", b"");
    let named = ("examples_named", "/does/not/exist.so");
    let mut machines = vec![(Machine::new(named.0), "CUDA_RT_DRIVER_LIBRARY", named.1.to_owned(), named.1)];
    if nothing_installed() {
        let folder = empty.path("lib");
        machines.push((empty, "LD_LIBRARY_PATH", folder, "empty file"));
    }
    for (mut machine, variable, value, word) in machines {
        machine.var(variable, &value);
        for name in ["saxpy", "device_query"] {
            is_diagnosed(&run(&machine, name, &[]), &[word]);
        }
    }
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs real libraries: scripts/real-libs.sh")]
fn real_driver_without_a_gpu_is_diagnosed() {
    let folder = |name: &str| format!("{}/.real-libs/{name}", env!("CARGO_MANIFEST_DIR"));
    let mut machine = Machine::new("examples_real_100");
    machine.var("LD_LIBRARY_PATH", &folder("driver-535"));
    for name in ALL {
        is_diagnosed(&run(&machine, name, &[]), &["no device"]);
    }
    for (runtime, word) in [("12.9", "no device"), ("13.5", "driver 12.2 (535.")] {
        let mut machine = Machine::new(&format!("examples_real_{runtime}"));
        machine.var("LD_LIBRARY_PATH", &[folder("driver-535"), folder(&format!("toolkit-{runtime}/lib"))].join(":"));
        for name in ALL {
            is_diagnosed(&run(&machine, name, &[]), &[word]);
        }
    }
}

#[test]
fn driver_without_a_runtime_gives_the_runtime_example_the_named_error() {
    if !nothing_installed() {
        return;
    }
    let machine = Machine::fake_driver("examples_no_runtime", "0");
    let said = run(&machine, "saxpy_runtime", &[]);
    assert_eq!((said.status, said.out.as_str()), (Some(2), ""), "{}", said.err);
    for word in ["libcudart.so.13", "nvidia-cuda-runtime", "CONDA_PREFIX", "static-runtime"] {
        assert!(said.err.contains(word), "{word:?} is not in:\n{}", said.err);
    }
}

#[test]
fn simulator_runs_where_it_is_asked_for() {
    let machine = Machine::fake_driver("examples_sim", "100");
    for name in ALL {
        is_simulated(&run(&machine, name, &["--sim"]), "as --sim asks");
    }
    for arguments in [&["--sim", "1000"][..], &["1000", "--sim"]] {
        let said = run(&machine, "saxpy", arguments);
        is_simulated(&said, "as --sim asks");
        said.has(&["saxpy of 1000 elements"]);
    }
}

#[test]
fn sizes_at_the_edges_work() {
    let machine = Machine::new("examples_sizes");
    for name in SAXPY {
        for size in ["0", "1", "257", "1000003"] {
            run(&machine, name, &["--sim", size]).has(&[&format!("saxpy of {size} elements: the simulator")]);
        }
    }
}

#[test]
fn numbers_come_from_a_file() {
    let machine = Machine::new("examples_file");
    machine.file("numbers", b"1, 2.5\n-3e2\tinf NaN").file("none", b"").file("words", b"1 two").file("bytes", b"\xff");
    for name in SAXPY {
        let said = run(&machine, name, &["--sim", &machine.path("numbers")]);
        is_simulated(&said, "as --sim asks");
        said.has(&["saxpy of 5 elements", "\n  2.5 7.25 -748 inf NaN\n"]);
        run(&machine, name, &["--sim", &machine.path("none")]).has(&["saxpy of 0 elements"]);
        for (file, problem) in [("words", "\"two\" is no number"), ("bytes", "UTF-8"), ("absent", "No such file")] {
            let said = run(&machine, name, &["--sim", &machine.path(file)]);
            assert_eq!((said.status, said.out.as_str()), (Some(1), ""), "{file}");
            assert!(said.err.contains(problem) && said.err.contains(&machine.path(file)), "{}", said.err);
        }
    }
}

#[test]
fn wrong_arguments_are_named_and_end_with_1() {
    let machine = Machine::new("examples_arguments");
    for name in ALL {
        for arguments in [&["--simulator"][..], &["--sim", "-1"], &["1", "2"], &["--sim", "4294967296"]] {
            let said = run(&machine, name, arguments);
            assert_eq!((said.status, said.out.as_str()), (Some(1), ""), "{name} {arguments:?}");
            assert!(said.err.contains("usage: [--sim]") || said.err.contains("at most 4294967295"), "{}", said.err);
        }
    }
    run(&machine, "saxpy", &["--help"]).has(&["ELEMENTS", "FILE", "--sim"]);
}
