//! cuda-doctor in states that a machine can be in, acted by files and stand-ins for the driver library.

#![cfg(target_os = "linux")]

mod machine;

use std::time::{Duration, Instant};

use machine::{DOCTOR, Machine, nothing_installed};

#[test]
fn report_001_no_driver_is_an_answer() {
    if !nothing_installed() {
        return;
    }
    let machine = Machine::new("report_001");
    assert!(machine.probe().starts_with("not usable: no driver found"), "{}", machine.probe());
    machine.refuses(&[
        "no driver found",
        "libcuda.so.1 (system loader)",
        "/usr/lib64",
        "install NVIDIA's display driver",
    ]);
}

#[test]
fn report_007_driver_under_its_versioned_name_alone_is_found() {
    let machine = Machine::fake_driver("report_007", "0");
    assert!(machine.probe().starts_with("usable: driver 13.5"), "{}", machine.probe());
}

#[test]
fn report_007_driver_under_its_bare_name_alone_is_reported_as_such() {
    if !nothing_installed() {
        return;
    }
    let mut machine = Machine::new("report_007_bare");
    machine.library("lib/libcuda.so", "fake_cuda.c");
    machine.search(&["lib"]);
    let report = machine.report();
    report.has(&["found as libcuda.so", "libcuda.so.1 only"]);
}

#[test]
fn report_011_stub_is_named_with_its_path() {
    let mut machine = Machine::new("report_011");
    machine.library("cuda/lib64/stubs/libcuda.so.1", "fake_cuda.c");
    machine.search(&["cuda/lib64/stubs"]).var("FK_INIT", "34");
    let path = machine.path("cuda/lib64/stubs/libcuda.so.1");
    machine.refuses(&[&format!("stub driver loaded from {path}"), "out of LD_LIBRARY_PATH"]);
}

#[test]
fn report_013_library_without_the_drivers_functions_is_refused() {
    if !nothing_installed() {
        return;
    }
    for (name, source, problem) in [
        ("report_013_nothing", "nothing.c", "exports no cuInit"),
        ("report_013_partial", "partial.c", "exports no cuDriverGetVersion"),
    ] {
        let mut machine = Machine::new(name);
        machine.library("lib/libcuda.so.1", source);
        machine.search(&["lib"]);
        let path = machine.path("lib/libcuda.so.1");
        machine.refuses(&[&format!("the driver library {path} can't be used: {problem}")]).lacks(&["insufficient"]);
    }
}

#[test]
fn report_013_empty_file_is_refused() {
    if !nothing_installed() {
        return;
    }
    let mut machine = Machine::new("report_013_empty");
    machine.file("lib/libcuda.so.1", b"");
    machine.search(&["lib"]);
    let path = machine.path("lib/libcuda.so.1");
    machine.refuses(&[&format!("the driver library {path} can't be used: empty file")]).lacks(&["insufficient"]);
}

#[test]
fn report_034_dangling_link_and_text_file_are_named_by_path() {
    if !nothing_installed() {
        return;
    }
    let mut dangling = Machine::new("report_034_dangling");
    dangling.link("lib/libcuda.so.1", "libcuda.so.999.1");
    dangling.search(&["lib"]);
    let path = dangling.path("lib/libcuda.so.1");
    dangling.refuses(&[&path, "dangling symlink to libcuda.so.999.1"]).lacks(&["insufficient", "older"]);

    let mut text = Machine::new("report_034_text");
    text.file("lib/libcuda.so.1", b"version https://git-lfs.github.com/spec/v1\n");
    text.search(&["lib"]);
    let path = text.path("lib/libcuda.so.1");
    text.refuses(&[&path, "text file, not a library"]).lacks(&["insufficient", "older"]);
}

#[test]
fn variable_with_the_path_of_no_library_is_named() {
    let mut machine = Machine::new("variable_with_no_library");
    machine.var("CUDA_RT_DRIVER_LIBRARY", "/does/not/exist.so");
    machine.refuses(&["/does/not/exist.so", "unset CUDA_RT_DRIVER_LIBRARY"]);
}

#[test]
fn report_014_the_library_in_use_is_shown_as_it_is_mapped() {
    let mut machine = Machine::fake_driver("report_014", "100");
    machine.library("other/libcuda.so.1", "fake_cuda.c");
    machine.search(&["lib", "other"]);
    let (used, other) = (machine.path("lib/libcuda.so.1"), machine.path("other/libcuda.so.1"));
    machine.refuses(&[&format!("mapped             {used}"), &format!("also there         {other}"), "no device"]);
}

#[test]
fn report_003_no_device_is_an_answer() {
    let machine = Machine::fake_driver("report_003", "100");
    machine.refuses(&["no device", "CUDA_ERROR_NO_DEVICE", &machine.path("lib/libcuda.so.1")]);
    // A driver that starts but lists nothing.
    let mut empty = Machine::fake_driver("report_003_empty", "0");
    empty.var("FK_DEVICES", "0");
    empty.refuses(&["no device"]);
}

#[test]
fn report_022_compat_library_names_path_and_advice() {
    let mut machine = Machine::new("report_022");
    machine.library("usr/local/cuda/compat/libcuda.so.1", "fake_cuda.c");
    machine.search(&["usr/local/cuda/compat"]).var("FK_INIT", "803");
    let path = machine.path("usr/local/cuda/compat/libcuda.so.1");
    machine.refuses(&["803", &path, "compat", "does not match the kernel driver", "drop the compat directory"]);
}

#[test]
fn report_023_compat_on_an_unsupported_gpu_differs() {
    let machine = Machine::fake_driver("report_023", "804");
    machine.refuses(&["804", "forward compatibility is not supported on this GPU"]).lacks(&["does not match"]);
}

#[test]
fn report_025_fabric_manager_is_named_without_waiting() {
    let machine = Machine::fake_driver("report_025", "802");
    let start = Instant::now();
    let probe = machine.probe();
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    assert!(probe.contains("802") && probe.contains("fabric manager"), "{probe}");
}

#[test]
fn report_026_mismatch_without_compat_suggests_a_reboot() {
    let machine = Machine::fake_driver("report_026", "803");
    machine.refuses(&["mismatch", "no kernel module", "reboot"]);
}

#[test]
fn report_027_busy_device_mentions_compute_mode_and_mps() {
    Machine::fake_driver("report_027", "46").refuses(&["busy or unavailable", "compute mode", "MPS"]);
    let mut exclusive = Machine::fake_driver("report_027_mode", "0");
    exclusive.var("FK_MODE", "3");
    exclusive.report().has(&["compute mode exclusive process"]);
    exclusive.var("FK_MODE", "2");
    exclusive.refuses(&["compute mode prohibited", "busy or unavailable"]);
}

#[test]
fn report_036_unknown_code_keeps_its_number() {
    let machine = Machine::fake_driver("report_036", "12345");
    assert!(machine.probe().starts_with("cannot tell: cuInit returned 12345"), "{}", machine.probe());
    machine.refuses(&["12345"]);
}

#[test]
fn report_037_negative_code_is_shown_as_one() {
    let machine = Machine::fake_driver("report_037", "-1");
    assert!(machine.probe().starts_with("cannot tell: cuInit returned -1"), "{}", machine.probe());
}

#[test]
fn report_017_each_state_has_an_answer_of_its_own_and_the_probe_succeeds() {
    let mut answers = Vec::new();
    for init in ["0", "1", "3", "34", "46", "100", "101", "304", "802", "803", "804", "999", "12345", "-1"] {
        let machine = Machine::fake_driver(&format!("report_017_{init}"), init);
        let probe = machine.probe();
        assert_eq!(probe.starts_with("usable: "), init == "0", "{init}: {probe}");
        // The folder is the test's own: it must not be what makes the difference.
        answers.push(probe.replace(&machine.path(""), ""));
    }
    if nothing_installed() {
        answers.push(Machine::new("report_017_none").probe());
        let mut empty = Machine::new("report_017_empty");
        empty.file("lib/libcuda.so.1", b"");
        empty.search(&["lib"]);
        answers.push(empty.probe());
        let mut nothing = Machine::new("report_017_nothing");
        nothing.library("lib/libcuda.so.1", "nothing.c");
        nothing.search(&["lib"]);
        answers.push(nothing.probe());
    }
    let mut distinct = answers.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), answers.len(), "{answers:#?}");
}

#[test]
fn report_018_missing_runtime_lists_every_place_and_what_to_install() {
    if !nothing_installed() {
        return;
    }
    let mut machine = Machine::fake_driver("report_018", "0");
    machine.file("venv/lib/python3.12/site-packages/nvidia/cu13/lib/readme", b"");
    for (variable, folder) in
        [("CUDA_HOME", "home"), ("CUDA_PATH", "path"), ("CONDA_PREFIX", "conda"), ("VIRTUAL_ENV", "venv")]
    {
        let value = machine.path(folder);
        machine.var(variable, &value);
    }
    let places =
        ["home/lib64", "home/lib", "path/lib64", "conda/lib", "venv/lib/python3.12/site-packages/nvidia/cu13/lib"];
    let places: Vec<String> = places.iter().map(|place| machine.path(place)).collect();
    let report = machine.report();
    assert_eq!(report.status, Some(0), "the driver layer works without it\n{}", report.out);
    report.has(&places.iter().map(String::as_str).collect::<Vec<_>>());
    report.has(&[
        "no runtime library found",
        "libcudart.so.13",
        "nvidia-cuda-runtime",
        "cuda-cudart",
        "static-runtime",
    ]);
}

#[test]
fn report_019_the_reason_is_never_swallowed() {
    let machine = Machine::fake_driver("report_019", "100");
    // Required: the exit status tells, with the reason. Optional: the reason is the answer.
    assert_eq!(machine.run(DOCTOR, &[]).status, Some(2));
    assert!(machine.probe().starts_with("not usable: no device"), "{}", machine.probe());
}

#[test]
fn report_028_hidden_devices_quote_the_variable() {
    for value in ["", "-1"] {
        let mut machine = Machine::fake_driver(&format!("report_028_{value}"), "100");
        machine.var("CUDA_VISIBLE_DEVICES", value);
        machine.refuses(&[&format!("CUDA_VISIBLE_DEVICES is set to {value:?}")]);
    }
}

#[test]
fn usable_machine_lists_its_devices() {
    let mut machine = Machine::fake_driver("usable_machine", "0");
    machine.var("FK_DEVICES", "2").var("CUDA_RT_RUNTIME_LIBRARY", "/does/not/exist");
    let report = machine.report();
    assert_eq!(report.status, Some(0));
    report.has(&["verdict: CUDA is usable", "Fake GPU, compute capability 8.6, 81920 MiB", "2 devices"]);
    report.has(&["UUID a1a1a1a1-a1a1-a1a1-a1a1-a1a1a1a1a1a1", "PCI 0000:0b:00.0", "/does/not/exist"]);
}
