//! Every state as a table: facts in, answer out.

use std::path::PathBuf;

use super::machines::{bare, failing, healthy, library_at, release_of, with_variable};
use super::*;
use crate::check::facts::{Node, Runtime, Tried};
use crate::check::{Report, Requirement};

fn file(path: &str, problem: &str) -> Tried {
    Tried {
        place: path.to_owned(),
        via: "LD_LIBRARY_PATH".to_owned(),
        problem: problem.to_owned(),
        is_file: true,
        is_refused: false,
    }
}

/// The text of all reasons.
fn reasons(facts: &Facts) -> String {
    match facts.verdict() {
        Verdict::Fits(fits) => panic!("fits: {fits}"),
        Verdict::Unfit(unfit) => unfit.to_string(),
        Verdict::Unknown(unknown) => unknown.to_string(),
    }
}

fn main_problem(facts: &Facts) -> Problem {
    facts.verdict().findings().first().unwrap().problem.clone()
}

fn has(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "{word:?} is not in:\n{text}");
    }
}

#[test]
fn healthy_machine_fits_without_remarks() {
    let Verdict::Fits(fits) = healthy().verdict() else { panic!("{}", healthy().verdict()) };
    assert_eq!(
        fits.to_string(),
        "driver 13.0 (580.159.04), runtime 12.9, 1 device: NVIDIA H200, compute capability 9.0, 150000 MiB"
    );
    assert!(fits.remarks.is_empty(), "{:?}", fits.remarks);
}

#[test]
fn report_020_absent_driver_is_not_an_old_driver() {
    let text = reasons(&bare());
    has(&text, &["no driver found", "no kernel module"]);
    assert!(!text.contains("older"), "{text}");
    let mut old = healthy();
    old.driver.version = Some(Ok(CudaVersion::of(12, 2)));
    old.driver.release = Some(release_of("535.261.03"));
    old.runtime.version = Some(CudaVersion::of(13, 5));
    old.runtime.count = Some(Err(35));
    let text = reasons(&old);
    has(
        &text,
        &[
            "driver 12.2 (535.261.03) is older than runtime 13.5",
            "needs driver 580",
            "nvidia-cuda-runtime-cu12",
            "cuda-compat-13-5",
        ],
    );
    assert_eq!(main_problem(&old).code(), Some(35));
}

#[test]
fn report_021_legal_pairs_are_never_refused() {
    for (driver, runtime) in
        [((12, 2), (12, 4)), ((12, 2), (12, 9)), ((13, 0), (13, 5)), ((13, 0), (12, 0)), ((12, 9), (12, 0))]
    {
        let mut facts = healthy();
        facts.driver.version = Some(Ok(CudaVersion::of(driver.0, driver.1)));
        facts.runtime.version = Some(CudaVersion::of(runtime.0, runtime.1));
        let Verdict::Fits(fits) = facts.verdict() else { panic!("{}", facts.verdict()) };
        let limited =
            fits.remarks.iter().any(|remark| matches!(remark.problem, Problem::MinorVersionCompatibility { .. }));
        assert_eq!(limited, driver < runtime, "driver {driver:?}, runtime {runtime:?}");
    }
}

#[test]
fn report_021_no_device_does_not_claim_a_mismatch() {
    let mut facts = failing(100);
    facts.driver.version = Some(Ok(CudaVersion::of(12, 2)));
    let text = reasons(&facts);
    assert!(!text.contains("older than") && !text.contains("mismatch"), "{text}");
    assert!(matches!(main_problem(&facts), Problem::NoDevice { .. }));
}

#[test]
fn driver_of_an_old_major_and_no_device_are_both_told() {
    let mut facts = failing(100);
    facts.driver.version = Some(Ok(CudaVersion::of(12, 2)));
    facts.runtime.version = Some(CudaVersion::of(13, 0));
    facts.runtime.count = Some(Err(35));
    assert!(matches!(main_problem(&facts), Problem::DriverOlderThanRuntime { .. }));
    has(&reasons(&facts), &["older than runtime 13.0", "no device"]);
}

#[test]
fn report_022_wrong_compat_library_names_path_kernel_and_advice() {
    let mut facts = with_variable(failing(803), "LD_LIBRARY_PATH", "/usr/local/cuda-12.4/compat:/x");
    facts.driver.library = library_at("/usr/local/cuda-12.4/compat/libcuda.so.1");
    facts.driver.release = Some(release_of("550.54.15"));
    let text = reasons(&facts);
    has(
        &text,
        &[
            "803",
            "/usr/local/cuda-12.4/compat/libcuda.so.1",
            "550.54.15",
            "does not match the kernel driver",
            "580.159.04",
        ],
    );
    has(&text, &["drop the compat directory", "take /usr/local/cuda-12.4/compat out of LD_LIBRARY_PATH"]);
    assert!(!text.contains("reboot"), "{text}");
}

#[test]
fn report_022_version_of_a_wrong_library_is_not_judged() {
    for code in [34, 803, 804] {
        let mut facts = failing(code);
        facts.driver.library = library_at("/usr/local/cuda/compat/libcuda.so.1");
        facts.driver.version = Some(Ok(CudaVersion::of(12, 2)));
        facts.runtime.version = Some(CudaVersion::of(13, 0));
        facts.runtime.count = Some(Err(35));
        assert_eq!(main_problem(&facts).code(), Some(code));
        assert!(!reasons(&facts).contains("older than"), "{}", reasons(&facts));
    }
}

#[test]
fn report_023_compat_on_a_geforce_differs_from_a_mismatch() {
    let mut facts = failing(804);
    facts.driver.library = library_at("/usr/local/cuda/compat/libcuda.so.1");
    let text = reasons(&facts);
    has(&text, &["804", "forward compatibility is not supported on this GPU", "/usr/local/cuda/compat"]);
    assert!(!main_problem(&facts).may_pass());
    facts.driver.init = Some(803);
    assert_ne!(reasons(&facts), text);
}

#[test]
fn report_025_fabric_manager_is_named_and_may_pass() {
    let text = reasons(&failing(802));
    has(&text, &["802", "fabric manager", "nvidia-fabricmanager", "580.159.04", "nothing here waits"]);
    assert!(main_problem(&failing(802)).may_pass());
}

#[test]
fn report_026_kernel_and_library_of_two_releases_suggest_a_reboot() {
    for code in [803, 999, 100] {
        let mut facts = failing(code);
        facts.machine.kernel_driver = KernelDriver::Loaded(release_of("550.90"));
        facts.driver.release = Some(release_of("550.107"));
        let text = reasons(&facts);
        has(&text, &["mismatch", "550.90", "550.107", "reboot"]);
        assert!(matches!(main_problem(&facts), Problem::LibraryKernelMismatch { .. }), "{code}: {text}");
    }
    has(&reasons(&failing_without_kernel()), &["no kernel module"]);
    // The right library is there as well, but comes later.
    let mut facts = with_variable(failing(803), "LD_LIBRARY_PATH", "/old");
    facts.driver.library = library_at("/old/libcuda.so.1");
    let target = Some(PathBuf::from("/usr/lib/libcuda.so.580.159.04"));
    facts.driver_files = vec![File { path: PathBuf::from("/usr/lib/libcuda.so.1"), target, bytes: Some(1) }];
    has(
        &reasons(&facts),
        &["use /usr/lib/libcuda.so.1, which belongs to the kernel driver: take /old out of LD_LIBRARY_PATH"],
    );
}

fn failing_without_kernel() -> Facts {
    let mut facts = failing(100);
    facts.machine.kernel_driver = KernelDriver::Absent;
    facts
}

#[test]
fn working_machine_with_two_releases_only_gets_a_remark() {
    let mut facts = healthy();
    facts.driver.release = Some(release_of("580.95.05"));
    let Verdict::Fits(fits) = facts.verdict() else { panic!("{}", facts.verdict()) };
    assert!(matches!(fits.remarks[0].problem, Problem::LibraryKernelMismatch { code: None, .. }));
    // A compatibility package is newer than the kernel driver by design.
    facts.driver.library = library_at("/usr/local/cuda/compat/libcuda.so.1");
    let Verdict::Fits(fits) = facts.verdict() else { panic!("{}", facts.verdict()) };
    assert!(fits.remarks.is_empty());
}

#[test]
fn report_027_busy_device_mentions_compute_mode_and_mps() {
    has(&reasons(&failing(46)), &["46", "busy or unavailable", "compute mode", "MPS"]);
    let mut runtime_only = healthy();
    runtime_only.runtime.count = Some(Err(46));
    assert_eq!(main_problem(&runtime_only), Problem::DeviceUnavailable);
    let mut prohibited = healthy();
    prohibited.driver.devices[0].compute_mode = Some(ComputeMode::Prohibited);
    assert_eq!(main_problem(&prohibited), Problem::DeviceUnavailable);
    has(&Report::from(prohibited).to_string(), &["compute mode prohibited"]);
}

#[test]
fn report_028_hidden_devices_quote_the_variable() {
    for value in ["", "-1", "7"] {
        let facts = with_variable(failing(100), "CUDA_VISIBLE_DEVICES", value);
        has(&reasons(&facts), &[&format!("CUDA_VISIBLE_DEVICES is set to {value:?}"), "unset CUDA_VISIBLE_DEVICES"]);
    }
    assert!(!reasons(&failing(100)).contains("CUDA_VISIBLE_DEVICES"));
}

#[test]
fn report_011_stub_names_its_path() {
    let mut facts = with_variable(failing(34), "LD_LIBRARY_PATH", "/cuda/lib64/stubs");
    facts.driver.library = library_at("/cuda/lib64/stubs/libcuda.so.1");
    facts.driver.version = Some(Err(34));
    has(
        &reasons(&facts),
        &["stub driver loaded from /cuda/lib64/stubs/libcuda.so.1", "take /cuda/lib64/stubs out of LD_LIBRARY_PATH"],
    );
}

#[test]
fn report_034_unusable_file_is_not_an_old_driver() {
    for problem in ["empty file", "dangling symlink to libcuda.so.999", "text file, not a library", "exports no cuInit"]
    {
        let mut facts = bare();
        let Some(Err(missing)) = &mut facts.driver.library else { unreachable!() };
        missing.tried.push(file("/x/libcuda.so.1", problem));
        let text = reasons(&facts);
        has(&text, &["the driver library /x/libcuda.so.1 can't be used", problem]);
        assert!(!text.contains("insufficient") && !text.contains("older"), "{text}");
    }
}

#[test]
fn report_014_wrong_library_under_wsl_is_named() {
    let mut facts = failing(100);
    facts.machine.is_wsl = true;
    has(&reasons(&facts), &["WSL", "/usr/lib/wsl/lib/libcuda.so.1, not /usr/lib/x86_64-linux-gnu/libcuda.so.1"]);
    facts.driver.library = library_at("/usr/lib/wsl/lib/libcuda.so.1");
    assert!(!reasons(&facts).contains("shadow"));
}

#[test]
fn report_018_every_place_tried_is_listed_with_a_next_step() {
    let text = reasons(&bare());
    has(
        &text,
        &["libcuda.so.1 (system loader): No such file", "/usr/lib64", "/opt/x/lib", "install NVIDIA's display driver"],
    );
}

#[test]
fn missing_runtime_alone_fits_and_says_what_to_install() {
    let mut facts = healthy();
    let searched = vec!["/venv/lib/python3.12/site-packages/nvidia/cu13/lib".to_owned(), "/conda/lib".to_owned()];
    facts.runtime = Runtime { library: Some(Err(Missing { searched, tried: Vec::new() })), ..Runtime::default() };
    let Verdict::Fits(fits) = facts.verdict() else { panic!("{}", facts.verdict()) };
    assert_eq!(fits.runtime.to_string(), "none found");
    let text = fits.remarks[0].to_string();
    has(
        &text,
        &[
            "no runtime library found",
            "nvidia-cuda-runtime",
            "static-runtime",
            "site-packages/nvidia/cu13/lib",
            "/conda/lib",
        ],
    );
    // The wheel is that of the driver's major.
    facts.driver.version = Some(Ok(CudaVersion::of(12, 4)));
    let Verdict::Fits(fits) = facts.verdict() else { panic!("{}", facts.verdict()) };
    has(&fits.remarks[0].to_string(), &["nvidia-cuda-runtime-cu12"]);
}

#[test]
fn report_036_unknown_code_cannot_be_told_and_keeps_its_number() {
    for (code, shown) in [(12_345, "12345"), (u32::MAX, "-1")] {
        let facts = with_variable(failing(code), "LD_PRELOAD", "/x/shim.so");
        assert!(matches!(facts.verdict(), Verdict::Unknown(_)));
        has(&reasons(&facts), &[shown, "LD_PRELOAD", "/x/shim.so"]);
    }
}

#[test]
fn report_017_every_state_has_an_answer_of_its_own() {
    let mut answers: Vec<String> = [1, 3, 34, 46, 100, 101, 304, 802, 803, 804, 999, 12_345, u32::MAX]
        .into_iter()
        .map(|code| failing(code).verdict().to_string())
        .chain([bare().verdict().to_string(), healthy().verdict().to_string()])
        .collect();
    let count = answers.len();
    answers.sort();
    answers.dedup();
    assert_eq!(answers.len(), count, "{answers:#?}");
    assert!(answers.iter().all(|answer| !answer.contains('\n')), "{answers:#?}");
}

#[test]
fn no_combination_of_codes_is_without_an_answer() {
    for init in (0..1000).chain([9999, 12_345, u32::MAX]) {
        for count in [None, Some(Ok(0)), Some(Ok(1)), Some(Err(3)), Some(Err(77_777))] {
            for version in [None, Some(Err(34)), Some(Ok(CudaVersion::of(12, 2)))] {
                let mut facts = failing(init);
                facts.driver.count = count;
                facts.driver.version = version;
                assert!(facts.verdict().is_fit() || !facts.verdict().findings().is_empty());
                assert!(!Report::from(facts).to_string().is_empty());
            }
        }
    }
    assert!(!Facts::default().verdict().findings().is_empty());
}

#[test]
fn report_033_child_of_a_fork_is_told_so() {
    let facts = Facts { lost: Some(Lost::Forked), ..Facts::default() };
    assert_eq!(main_problem(&facts), Problem::UsedAfterFork);
    has(&reasons(&facts), &["fork", "new process"]);
    let facts = Facts { lost: Some(Lost::Fault("cuStreamSynchronize: 700".to_owned())), ..Facts::default() };
    has(&reasons(&facts), &["cuStreamSynchronize: 700", "new process"]);
}

#[test]
fn runtime_that_sees_no_driver_is_told_where_one_is() {
    let mut facts = healthy();
    facts.driver.library = library_at("/opt/driver/libcuda-own.so");
    facts.runtime.driver_version = Some(Ok(None));
    facts.runtime.count = Some(Err(35));
    has(&reasons(&facts), &["finds no driver", "/opt/driver/libcuda-own.so", "put /opt/driver into LD_LIBRARY_PATH"]);
}

#[test]
fn closed_device_node_is_named() {
    let mut facts = failing(100);
    let node = |path: &str, is_forbidden| Node { path: path.to_owned(), problem: Some("no".to_owned()), is_forbidden };
    facts.machine.device_nodes = vec![node("/dev/nvidia0", true), node("/dev/nvidiactl", false)];
    let text = reasons(&facts);
    has(&text, &["/dev/nvidia0 is closed to this user"]);
    assert!(!text.contains("/dev/nvidiactl"), "{text}");
}

#[test]
fn container_without_gpu_access_is_told_how_to_get_it() {
    for mut facts in [bare(), failing(100)] {
        facts.machine.container = Some("/.dockerenv".to_owned());
        has(&reasons(&facts), &["/.dockerenv", "--gpus all"]);
        facts.machine.device_nodes = vec![Node { path: "/dev/nvidia0".to_owned(), problem: None, is_forbidden: false }];
        assert_eq!(reasons(&facts).contains("--gpus all"), facts.driver.init.is_none(), "it has access already");
    }
}

#[test]
fn report_cuts_very_long_values() {
    let text = Report::from(with_variable(healthy(), "NVIDIA_REQUIRE_CUDA", &"é".repeat(5000))).to_string();
    assert!(text.lines().all(|line| line.chars().count() < 400), "{text}");
    has(&text, &["(10000 bytes)"]);
}

#[test]
fn report_prints_facts_and_verdict() {
    let mut facts = healthy();
    facts.mapped = crate::check::maps::parse("0-1 r--p 0 0:0 0 /usr/lib/libcuda.so.580.159.04");
    facts.driver_files = vec![File { path: PathBuf::from("/x/libcuda.so.1"), target: None, bytes: None }];
    let report = Report::from(with_variable(facts, "CUDA_HOME", "/opt/cuda"));
    assert_eq!(report.driver_release().map(ToString::to_string).as_deref(), Some("580.159.04"));
    let text = report.to_string();
    has(
        &text,
        &["580.159.04", "13.0", "12.9", "NVIDIA H200", "/usr/lib/libcuda.so.580.159.04", "CUDA_HOME=\"/opt/cuda\""],
    );
    has(&text, &["/x/libcuda.so.1, a link that leads nowhere", "verdict: CUDA is usable"]);
}

#[test]
fn report_019_requirement_for_the_driver_alone_ignores_the_runtime() {
    let mut facts = healthy();
    facts.driver.version = Some(Ok(CudaVersion::of(12, 2)));
    facts.runtime.version = Some(CudaVersion::of(13, 0));
    facts.runtime.count = Some(Err(35));
    assert!(!facts.verdict().is_fit());
    assert!(facts.fulfil(&Requirement::any()).is_ok());
    assert!(facts.fulfil(&Requirement::runtime(12, 0)).is_err());
}
