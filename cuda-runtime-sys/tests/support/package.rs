//! Builds a small package that depends on both -sys crates, with chosen features.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A package in a folder of its own; all of them share one folder for what cargo builds.
pub(crate) struct Package {
    folder: PathBuf,
    target: PathBuf,
}

impl Package {
    pub(crate) fn new(name: &str, driver: &str, runtime: &str, main: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the workspace");
        let temporary = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let folder = temporary.join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("src")).expect("a folder for the package");
        let dependency = |name: &str, features: &str| {
            format!("{name} = {{ path = \"{}/{name}\", features = [{features}] }}\n", root.display())
        };
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n{}{}",
            dependency("cuda-driver-sys", driver),
            dependency("cuda-runtime-sys", runtime)
        );
        std::fs::write(folder.join("Cargo.toml"), manifest).expect("the manifest is written");
        std::fs::write(folder.join("src/main.rs"), main).expect("the program is written");
        // The very versions that are tested here; without network.
        std::fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).expect("the lock file");
        Self { folder, target: temporary.join("packages") }
    }

    /// `cargo build`, without any of CUDA's variables.
    pub(crate) fn cargo(&self) -> Command {
        let mut command = Command::new(env!("CARGO"));
        command.args(["build", "--offline", "-v"]).current_dir(&self.folder).env("CARGO_TARGET_DIR", &self.target);
        let ours =
            |name: &str| name.starts_with("CUDA") || ["LD_LIBRARY_PATH", "VIRTUAL_ENV", "CONDA_PREFIX"].contains(&name);
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(ours)) {
            command.env_remove(name);
        }
        // What cargo tells a test of its own package does not concern another package.
        for (name, _) in
            std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(|name| name.starts_with("CARGO_PKG_")))
        {
            command.env_remove(name);
        }
        command
    }

    /// The program.
    pub(crate) fn program(&self) -> PathBuf {
        self.program_of("debug")
    }

    /// The program of a profile.
    pub(crate) fn program_of(&self, profile: &str) -> PathBuf {
        self.target.join(profile).join(self.folder.file_name().expect("it has a name"))
    }
}

/// Runs cargo: whether it succeeded, and all that it said.
pub(crate) fn said(command: &mut Command) -> (bool, String) {
    let output = command.output().expect("cargo starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(!text.contains("panicked"), "{text}");
    (output.status.success(), text)
}

/// A file that `scripts/real-libs.sh` brings.
pub(crate) fn real(path: &str) -> String {
    format!("{}/{path}", option_env!("CUDA_RT_REAL_LIBS").unwrap_or_default())
}
