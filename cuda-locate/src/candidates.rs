//! What to hand to the system's loader, in order.

use crate::roots::{conda, known, variables, wheels};
use crate::{Env, Os, Target, Via, names};

/// A file to try to load.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// A full path, or a bare file name that the system's loader searches for.
    pub path: String,
    /// Why it is tried.
    pub via: Via,
}

/// Directories where a driver's installer puts the driver library, beyond those that the system's
/// loader knows. The toolkit's `stubs` (which only serve linking) and `compat` directories (which
/// fit only some machines) are never among them.
#[must_use]
pub fn driver_directories(env: &dyn Env, target: &Target) -> Vec<String> {
    if target.is_windows() {
        let windows = env.variable("SystemRoot").unwrap_or_else(|| "C:\\Windows".to_owned());
        return vec![target.join(&windows, "System32")];
    }
    // WSL first: a Linux driver package installed inside WSL shadows it and can't work.
    let mut directories = vec!["/usr/lib/wsl/lib".to_owned()];
    if let Some(multiarch) = target.multiarch() {
        directories.push(format!("/usr/lib/{multiarch}"));
        directories.push(format!("/usr/lib/{multiarch}/nvidia/current"));
        if target.multiarch() == Some("aarch64-linux-gnu") {
            // Jetson.
            directories.push(format!("/usr/lib/{multiarch}/nvidia"));
            directories.push(format!("/usr/lib/{multiarch}/tegra"));
        }
    }
    directories.extend(
        ["/usr/lib64", "/usr/local/nvidia/lib64", "/usr/local/nvidia/lib", "/run/opengl-driver/lib", "/usr/lib"]
            .map(str::to_owned),
    );
    directories
}

/// The driver library: by name through the system's loader, then in the usual directories.
#[must_use]
pub fn driver_candidates(env: &dyn Env, target: &Target) -> Vec<Candidate> {
    let mut all: Vec<Candidate> = names::driver(target.os)
        .iter()
        .map(|name| Candidate { path: (*name).to_owned(), via: Via::SystemLoader })
        .collect();
    for directory in driver_directories(env, target) {
        for name in names::driver(target.os) {
            let path = target.join(&directory, name);
            if env.is_file(&path) {
                all.push(Candidate { path, via: Via::Known });
            }
        }
    }
    all
}

/// The shared runtime of one major: by name through the system's loader, then wheels, conda, the
/// toolkit variables and the usual places. Apart from the first only files that exist are listed.
///
/// `searched` gets every directory that was looked at, found or not.
pub fn runtime_candidates(env: &dyn Env, target: &Target, major: u32, searched: &mut Vec<Candidate>) -> Vec<Candidate> {
    let name = names::runtime(target.os, major);
    let mut all = vec![Candidate { path: name.clone(), via: Via::SystemLoader }];
    let mut look = |directory: String, via: &Via| {
        let path = target.join(&directory, &name);
        if env.is_file(&path) && !all.iter().any(|earlier| earlier.path == path) {
            all.push(Candidate { path, via: via.clone() });
        }
        searched.push(Candidate { path: directory, via: via.clone() });
    };
    let folders = names::runtime_folders(target, major);
    for root in wheels(env, target) {
        // Wheels of another major hold nothing of this one.
        if root.path.ends_with("cuda_runtime") || root.path.ends_with(&format!("cu{major}")) {
            for folder in folders.iter().filter(|folder| target.is_windows() || *folder == "lib") {
                look(target.join(&root.path, folder), &root.via);
            }
        }
    }
    let rest = [conda(env, target), variables(env), known(env, target)].concat();
    // Debian's own prefix is no toolkit: its directory comes last.
    for root in rest.iter().filter(|root| root.path != "/usr") {
        for folder in folders.iter().filter(|folder| root.via != Via::Conda || *folder != "lib64") {
            look(target.join(&root.path, folder), &root.via);
        }
    }
    if let (Os::Linux, Some(multiarch)) = (target.os, target.multiarch()) {
        look(format!("/usr/lib/{multiarch}"), &Via::Known);
    }
    all
}
