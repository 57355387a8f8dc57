//! cuda-doctor with the real libraries that exist without a GPU: driver 535 (CUDA 12.2) and four runtimes.

#![cfg(target_os = "linux")]

mod machine;

use machine::{Machine, nothing_installed};

/// A folder of `.real-libs`.
fn real(relative: &str) -> String {
    format!("{}/.real-libs/{relative}", env!("CARGO_MANIFEST_DIR"))
}

/// A machine with these folders in `LD_LIBRARY_PATH`.
fn with(name: &str, folders: &[&str]) -> Machine {
    let mut machine = Machine::new(name);
    let folders: Vec<String> = folders.iter().map(|folder| real(folder)).collect();
    machine.var("LD_LIBRARY_PATH", &folders.join(":"));
    machine
}

const RUNTIMES: [&str; 4] = ["12.4", "12.9", "13.0", "13.5"];

#[test]
#[cfg_attr(not(real_libs), ignore = "needs real libraries: scripts/real-libs.sh")]
fn report_003_real_driver_without_a_gpu_and_a_runtime() {
    if !nothing_installed() {
        return;
    }
    let machine = with("real_535", &["driver-535"]);
    assert!(machine.probe().starts_with("not usable: no device"), "{}", machine.probe());
    let report = machine.refuses(&[
        "driver API version 12.2",
        "its release      535.",
        "no runtime library found",
        "nvidia-cuda-runtime-cu12",
    ]);
    report.has(&["/.real-libs/driver-535/libcuda.so.535."]).lacks(&["is older than"]);
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs real libraries: scripts/real-libs.sh")]
fn report_021_runtime_12_on_driver_535_is_a_legal_pair() {
    for version in ["12.4", "12.9"] {
        let machine = with(&format!("real_535_{version}"), &["driver-535", &format!("toolkit-{version}/lib")]);
        assert!(machine.probe().starts_with("not usable: no device"), "{}", machine.probe());
        let report = machine.refuses(&[
            "driver API version 12.2",
            &format!("runtime version    {version}"),
            "driver it sees   12.2",
        ]);
        report.has(&["cudaErrorNoDevice, 100"]).lacks(&["is older than", "mismatch", "cudaErrorInsufficientDriver"]);
    }
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs real libraries: scripts/real-libs.sh")]
fn report_020_runtime_13_on_driver_535_needs_a_newer_driver() {
    for version in ["13.0", "13.5"] {
        let machine = with(&format!("real_535_{version}"), &["driver-535", &format!("toolkit-{version}/lib")]);
        let probe = machine.probe();
        assert!(probe.starts_with("not usable: driver 12.2 (535."), "{probe}");
        assert!(
            probe.ends_with(&format!("is older than runtime {version}: runtime 13.x needs driver 580 or newer")),
            "{probe}"
        );
        machine.refuses(&[
            "driver it sees   12.2",
            "cudaErrorInsufficientDriver, 35",
            "update the driver to release 580",
            "no device",
        ]);
    }
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs real libraries: scripts/real-libs.sh")]
fn report_020_runtime_without_a_driver_is_no_old_driver() {
    if !nothing_installed() {
        return;
    }
    for version in RUNTIMES {
        let runtime = format!("toolkit-{version}/lib");
        let absent = with(&format!("real_absent_{version}"), &[&runtime]);
        assert!(absent.probe().starts_with("not usable: no driver found"), "{}", absent.probe());
        let report = absent.refuses(&[
            &format!("runtime version    {version}"),
            "driver it sees   none",
            "cudaErrorInsufficientDriver, 35",
        ]);
        report.lacks(&["is older than"]);

        let mut empty = Machine::new(&format!("real_empty_{version}"));
        empty.file("empty/libcuda.so.1", b"").link("dangling/libcuda.so.1", "nowhere");
        for (folder, problem) in [("empty", "empty file"), ("dangling", "dangling symlink")] {
            let path = format!("{}:{}", empty.path(folder), real(&runtime));
            empty.var("LD_LIBRARY_PATH", &path);
            empty.refuses(&[problem, &empty.path(folder), "driver it sees   none"]).lacks(&["is older than"]);
        }
    }
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs real libraries: scripts/real-libs.sh")]
fn real_states_each_have_an_answer_of_their_own() {
    if !nothing_installed() {
        return;
    }
    let mut answers =
        vec![with("real_distinct_none", &[]).report().out, with("real_distinct_535", &["driver-535"]).report().out];
    for version in RUNTIMES {
        let runtime = format!("toolkit-{version}/lib");
        answers.push(with(&format!("real_distinct_{version}"), &["driver-535", &runtime]).report().out);
        answers.push(with(&format!("real_distinct_no_{version}"), &[&runtime]).report().out);
    }
    let count = answers.len();
    answers.sort();
    answers.dedup();
    assert_eq!(answers.len(), count, "{answers:#?}");
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs real libraries: scripts/real-libs.sh")]
fn report_028_real_driver_with_hidden_devices_quotes_the_variable() {
    for value in ["", "-1"] {
        let mut machine = with(&format!("real_hidden_{value}"), &["driver-535"]);
        machine.var("CUDA_VISIBLE_DEVICES", value).var("CUDA_RT_RUNTIME_LIBRARY", "/does/not/exist");
        machine.refuses(&[&format!("CUDA_VISIBLE_DEVICES is set to {value:?}"), "CUDA_ERROR_NO_DEVICE"]);
    }
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs real libraries: scripts/real-libs.sh")]
fn real_runtimes_report_the_drivers_code_faithfully() {
    for version in RUNTIMES {
        for code in ["34", "46", "100", "304", "802", "803", "804", "999"] {
            let mut machine = Machine::fake_driver(&format!("real_faithful_{version}_{code}"), code);
            let path = format!("{}:{}", machine.path("lib"), real(&format!("toolkit-{version}/lib")));
            machine.var("LD_LIBRARY_PATH", &path);
            let report = machine.report();
            let seen = report.out.lines().find(|line| line.starts_with("  devices it sees")).unwrap_or_default();
            assert!(seen.ends_with(&format!(", {code})")), "{version}, {code}: {seen}\n{}", report.out);
            assert_eq!(report.status, Some(2));
        }
    }
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs real libraries: scripts/real-libs.sh")]
fn report_010_runtime_in_a_toolkit_that_only_a_variable_names_is_found() {
    if !nothing_installed() {
        return;
    }
    for variable in ["CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "CUDA_TOOLKIT_PATH"] {
        let mut machine = with(&format!("real_toolkit_{variable}"), &["driver-535"]);
        machine.var(variable, &real("toolkit-12.9"));
        let report = machine.report();
        report.has(&[
            "runtime version    12.9",
            &real("toolkit-12.9/lib/libcudart.so.12"),
            &format!("found by: {variable}"),
        ]);
    }
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs real libraries: scripts/real-libs.sh")]
fn runtime_of_a_major_that_fits_the_driver_is_taken_first() {
    let machine = with("real_both_majors", &["driver-535", "toolkit-13.5/lib", "toolkit-12.9/lib"]);
    machine.refuses(&["runtime version    12.9"]).lacks(&["is older than"]);
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs real libraries: scripts/real-libs.sh")]
fn runtime_of_another_major_is_refused_by_name() {
    let mut machine = Machine::fake_driver("real_runtime_11", "0");
    machine.var("CUDA_RT_RUNTIME_LIBRARY", &real("cudart-11.8/lib/libcudart.so.11.0"));
    let report = machine.report();
    assert_eq!(report.status, Some(0), "the driver layer works\n{}", report.out);
    report.has(&["libcudart major 11 is not supported: 12 and 13 are", "libcudart.so.11.0"]);
}
