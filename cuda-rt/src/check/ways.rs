//! The ways out of a problem, on this machine.

use std::path::Path;

use super::facts::{Facts, File, KernelDriver};
use super::problem::Problem;
use super::{Release, rules};
use crate::error::catalogue;

/// What can be done about it, the likeliest first.
pub(super) fn out(problem: &Problem, facts: &Facts) -> Vec<String> {
    match problem {
        Problem::UsedAfterFork => vec![
            "start CUDA in the child only, after fork()".to_owned(),
            "start a new process (exec, std::process::Command) instead of forking".to_owned(),
        ],
        Problem::ContextLost { .. } => vec!["start a new process: nothing within this one recovers".to_owned()],
        Problem::NoDriver { kernel } => no_driver(kernel, facts),
        Problem::DriverLibraryUnusable { path, .. } => unusable_driver(path, facts),
        Problem::Stub { path } => stub(path.as_deref(), facts),
        Problem::NoDevice { path, visible_devices, kernel } => no_device(path.as_deref(), visible_devices.as_deref(), kernel, facts),
        Problem::DriverOlderThanRuntime { driver, runtime, needs, .. } => {
            let release = needs.map_or_else(|| format!("one for CUDA {}.0", runtime.major()), |needs| format!("release {needs}"));
            vec![
                format!("update the driver to {release} or newer"),
                format!("use a runtime of major {}: {}", driver.major(), rules::runtime_packages(driver.major())),
                format!(
                    "on data-centre GPUs: the forward compatibility package cuda-compat-{}-{}, its directory in LD_LIBRARY_PATH",
                    runtime.major(),
                    runtime.minor()
                ),
            ]
        }
        Problem::RuntimeSeesNoDriver { path } => {
            let directory = path.as_deref().and_then(Path::parent).map_or_else(|| "its directory".to_owned(), |d| d.display().to_string());
            vec![format!("the runtime looks for libcuda.so.1 by itself: put {directory} into LD_LIBRARY_PATH, under that name")]
        }
        Problem::LibraryKernelMismatch { path, is_compat, kernel, .. } => mismatch(path.as_deref(), *is_compat, kernel, facts),
        Problem::CompatUnsupported { path, .. } => {
            let mut ways = vec![drop_directory(path.as_deref(), facts)];
            ways.push("update the driver of the machine, so that it needs no such package".to_owned());
            ways.push("use a runtime of the driver's own major".to_owned());
            ways
        }
        Problem::SystemNotReady => {
            let release = facts.machine.kernel_driver.release().map(|release| format!(" {release}")).unwrap_or_default();
            vec![
                format!("on machines with NVSwitch: `systemctl status nvidia-fabricmanager`; it has to be of the driver's exact release{release}"),
                "while the machine starts it may pass: try again later (nothing here waits or tries again)".to_owned(),
            ]
        }
        Problem::DeviceUnavailable => vec![
            "look at the compute mode: `nvidia-smi -q -d COMPUTE`; EXCLUSIVE_PROCESS admits one process, PROHIBITED none".to_owned(),
            "share the GPU through MPS (nvidia-cuda-mps-control), or set the default mode: `nvidia-smi -c DEFAULT`".to_owned(),
            "end the process that has it (`nvidia-smi` lists them), or choose another GPU".to_owned(),
        ],
        Problem::CallFailed { code, .. } => catalogue::lookup(*code).map(|entry| entry.hint.to_owned()).into_iter().collect(),
        Problem::UnknownCode { .. } => unknown(facts),
        Problem::NoRuntimeLibrary | Problem::RuntimeLibraryUnusable { .. } => runtime_library(facts),
        Problem::MinorVersionCompatibility { driver, .. } => vec![
            format!("PTX of toolkits newer than {driver} is refused (222): ship machine code, or older PTX"),
            format!("functions newer than {driver} are missing (36, or an error that names them): update the driver to use them"),
        ],
        Problem::Noted { .. } => Vec::new(),
        Problem::DriverTooOld { needs, .. } => {
            let branch = rules::branch_for(*needs).map(|branch| format!(" (branch {branch} or newer)")).unwrap_or_default();
            vec![format!("update the driver to one for CUDA {needs}{branch}")]
        }
        Problem::RuntimeTooOld { needs, .. } => {
            vec![format!("install runtime {needs} or newer: {}", rules::runtime_packages(needs.major()))]
        }
        Problem::ComputeCapability { .. } => {
            vec!["use another GPU, or a build of this program for this one".to_owned()]
        }
    }
}

fn container(facts: &Facts) -> Option<String> {
    facts.machine.container.as_ref().map(|sign| {
        format!(
            "this is a container ({sign}): start it with access to the GPUs (`docker run --gpus all`, on a host with NVIDIA's \
             container toolkit, NVIDIA_DRIVER_CAPABILITIES with `compute`)"
        )
    })
}

/// Under WSL there is one right place for the driver library.
fn wsl(path: Option<&Path>, facts: &Facts) -> Option<String> {
    if !facts.machine.is_wsl || path.is_some_and(|path| path.starts_with("/usr/lib/wsl")) {
        return None;
    }
    let instead = path.map(|path| format!(", not {}", path.display())).unwrap_or_default();
    Some(format!(
        "this is WSL: the driver library is /usr/lib/wsl/lib/libcuda.so.1{instead}; it comes with NVIDIA's driver for Windows; \
         remove Linux driver packages (libcuda1, libnvidia-compute-*), which shadow it"
    ))
}

fn no_driver(kernel: &KernelDriver, facts: &Facts) -> Vec<String> {
    let mut ways: Vec<String> = wsl(None, facts).into_iter().chain(container(facts)).collect();
    ways.push(match kernel {
        KernelDriver::Loaded(release) => {
            format!("install the driver's libraries of the same release {release} (Debian: libcuda1, Ubuntu: libnvidia-compute-{})", release.branch())
        }
        _ => {
            let of = |major| rules::minimum_driver(major).unwrap_or("a newer one");
            format!("install NVIDIA's display driver: {} or newer serves runtimes 12.x, {} or newer also 13.x", of(12), of(13))
        }
    });
    ways.push(
        "if it is somewhere else: give its file in CUDA_RT_DRIVER_LIBRARY, or its directory in LD_LIBRARY_PATH"
            .to_owned(),
    );
    ways
}

fn unusable_driver(path: &str, facts: &Facts) -> Vec<String> {
    let mut ways = Vec::new();
    if facts.variable("CUDA_RT_DRIVER_LIBRARY").is_some() {
        ways.push("unset CUDA_RT_DRIVER_LIBRARY, or give it the path of a driver library".to_owned());
    } else {
        ways.push(format!(
            "remove or mend {path}: install the driver's libraries anew, of the kernel driver's release"
        ));
    }
    ways.extend(container(facts).map(|way| format!("{way}; its links are made when it starts")));
    ways.extend(wsl(Some(Path::new(path)), facts));
    ways
}

/// How to stop a directory from being searched, as far as it is known why it is.
fn drop_directory(path: Option<&Path>, facts: &Facts) -> String {
    let Some(directory) = path.and_then(Path::parent) else {
        return "take its directory out of LD_LIBRARY_PATH".to_owned();
    };
    let shown = directory.display();
    let list = facts.variable("LD_LIBRARY_PATH").unwrap_or_default();
    if std::env::split_paths(list).any(|entry| entry.components().eq(directory.components())) {
        format!("take {shown} out of LD_LIBRARY_PATH")
    } else if facts.variable("CUDA_RT_DRIVER_LIBRARY").is_some() {
        "unset CUDA_RT_DRIVER_LIBRARY".to_owned()
    } else {
        format!("take {shown} out of the loader's search path (LD_LIBRARY_PATH, /etc/ld.so.conf.d, RUNPATH)")
    }
}

fn stub(path: Option<&Path>, facts: &Facts) -> Vec<String> {
    let mut ways = vec![
        drop_directory(path, facts),
        "if the program was linked with that directory as RUNPATH, link it anew without".to_owned(),
    ];
    if facts.machine.kernel_driver == KernelDriver::Absent {
        ways.push(
            "the real libcuda.so.1 comes with NVIDIA's display driver, which is not loaded here: install it".to_owned(),
        );
    }
    ways.extend(container(facts));
    ways
}

fn no_device(path: Option<&Path>, visible: Option<&str>, kernel: &KernelDriver, facts: &Facts) -> Vec<String> {
    let mut ways = Vec::new();
    if let Some(value) = visible {
        ways.push(format!("unset CUDA_VISIBLE_DEVICES (it is {value:?}): an empty value, -1 or numbers that are not there hide every GPU"));
    }
    ways.extend(wsl(path, facts));
    for node in facts.machine.device_nodes.iter().filter(|node| node.is_forbidden) {
        ways.push(format!(
            "{} is closed to this user: give the user its group, or the node its rights (usually 0666)",
            node.path
        ));
    }
    // With a node for a GPU there is access already.
    ways.extend(container(facts).filter(|_| !has_gpu_node(facts)));
    match kernel {
        KernelDriver::Absent if !facts.machine.is_wsl => {
            ways.push(
                "on a machine with a GPU: load the kernel module (`modprobe nvidia`), or install the driver and reboot"
                    .to_owned(),
            );
        }
        _ => ways.push(
            "see what `nvidia-smi` says in the same place, and the kernel log (`dmesg | grep -i nvrm`)".to_owned(),
        ),
    }
    ways
}

/// Whether there is a device node of a GPU, such as `/dev/nvidia0`.
fn has_gpu_node(facts: &Facts) -> bool {
    let is_gpu = |path: &str| path.bytes().last().is_some_and(|byte| byte.is_ascii_digit());
    facts.machine.device_nodes.iter().any(|node| is_gpu(&node.path))
}

fn mismatch(path: Option<&Path>, compat: bool, kernel: &KernelDriver, facts: &Facts) -> Vec<String> {
    let mut ways = Vec::new();
    if compat {
        ways.push(format!("drop the compat directory: {}", drop_directory(path, facts)));
    }
    let release = kernel.release();
    // The right library may be there as well, only not first.
    let matches =
        |file: &&File| release.is_some() && file.target.as_deref().and_then(Release::of_library).as_ref() == release;
    let right = facts.driver_files.iter().find(matches).map(|file| file.path.display());
    ways.extend(match (right, compat) {
        (Some(right), true) => Some(format!("then {right} is used, which belongs to the kernel driver")),
        (Some(right), false) => {
            Some(format!("use {right}, which belongs to the kernel driver: {}", drop_directory(path, facts)))
        }
        (None, true) => Some("then the libraries of the machine's own driver are used, which may be newer".to_owned()),
        (None, false) => None,
    });
    if !compat {
        ways.push(
            "reboot (or reload the kernel modules): after an update of the driver the old one stays until then"
                .to_owned(),
        );
        if let Some(release) = release {
            ways.push(format!("or install the driver's libraries of release {release}"));
        }
        if let Some(sign) = &facts.machine.container {
            ways.push(format!(
                "this is a container ({sign}): start it anew if the host's driver was updated meanwhile"
            ));
        }
    }
    ways
}

fn unknown(facts: &Facts) -> Vec<String> {
    let mut ways = Vec::new();
    if let Some(value) = facts.variable("LD_PRELOAD") {
        ways.push(format!(
            "unset LD_PRELOAD (it is {value:?}): a library that stands before the driver may answer in its place"
        ));
    }
    if let Some(path) = facts.driver_path() {
        ways.push(format!(
            "see whether {} is NVIDIA's own: a library in its place (GPU sharing, quotas) has codes of its own",
            path.display()
        ));
    }
    ways.push("the driver may be newer than this program: see its release notes, and update cuda-rt".to_owned());
    ways
}

fn runtime_library(facts: &Facts) -> Vec<String> {
    let major = match &facts.driver.version {
        Some(Ok(version)) if version.major() < 13 => 12,
        _ => 13,
    };
    let mut ways = vec![format!("install the runtime: {}", rules::runtime_packages(major))];
    ways.push(
        "if it is somewhere else: give its file in CUDA_RT_RUNTIME_LIBRARY, or the toolkit's root in CUDA_HOME"
            .to_owned(),
    );
    ways.push(
        "or build the program with the cargo feature `static-runtime` of cuda-rt, which puts the runtime into it"
            .to_owned(),
    );
    ways.push("the driver layer (`cuda_rt::driver`) works without it".to_owned());
    ways
}
