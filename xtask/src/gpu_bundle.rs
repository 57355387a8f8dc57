//! `cargo xtask gpu-bundle`: every test, example and bench of the workspace in one folder that runs on a GPU host
//! without Rust, toolkit or network. `run.sh` in that folder does the rest.

use std::error::Error;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

type Result<T, E = Box<dyn Error>> = std::result::Result<T, E>;

const RUN: &str = include_str!("gpu_bundle/run.sh");

/// The most that the folder may hold, in bytes.
const LIMIT: u64 = 60 << 20;

/// Builds the bundle. `--out DIR` says where, otherwise it is `target/gpu-bundle`.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let root = root();
    let out = match arguments {
        [] => root.join("target/gpu-bundle"),
        [flag, folder] if flag == "--out" => PathBuf::from(folder),
        _ => return Err("usage: cargo xtask gpu-bundle [--out DIR]".into()),
    };
    if out.exists() {
        fs::remove_dir_all(&out)?;
    }
    for folder in ["tests", "examples", "benches", "bin", "kernels", "runtime"] {
        fs::create_dir_all(out.join(folder))?;
    }

    // cuda-bindgen has nothing to do with a GPU, and takes long to build. The simulator needs none; the tests of its
    // rules ask a GPU for the same.
    let tests = ["test", "--no-run", "--tests", "--features=gpu", "--profile=gpu-tests"];
    let packages = ["--workspace", "--exclude=xtask", "--exclude=cuda-bindgen", "--exclude=cuda-sim"];
    let mut left_out = build(&root, &out, &[&tests[..], &packages].concat(), "")?;
    if has_rule_tests(&root)? {
        let rules = ["test", "--no-run", "--features=gpu", "--profile=gpu-tests", "-p=cuda-sim", "--test=rules*"];
        left_out.extend(build(&root, &out, &rules, "")?);
    }
    let programs = ["build", "--release", "-p=cuda-doctor", "--features=gpu"];
    build(&root, &out, &[&programs[..], &["--bins", "--examples", "--benches"]].concat(), "")?;
    let real_libs = root.join(".real-libs");
    if copy_runtimes(&real_libs, &out)? {
        let features = "--features=gpu,cuda-rt/static-runtime";
        build(&root, &out, &["build", "--release", "-p=cuda-doctor", features, "--example=saxpy_runtime"], "-static")?;
    } else {
        eprintln!("no .real-libs: the bundle holds no libcudart; scripts/real-libs.sh fetches them");
    }
    for entry in fs::read_dir(root.join("kernels"))? {
        let path = entry?.path();
        fs::copy(&path, out.join("kernels").join(path.file_name().unwrap_or_default()))?;
    }
    fs::write(out.join("run.sh"), RUN)?;
    fs::set_permissions(out.join("run.sh"), fs::Permissions::from_mode(0o755))?;
    fs::write(out.join("COMMIT"), commit(&root)?)?;
    fs::write(out.join("LEFT_OUT"), left_out.join("\n") + "\n")?;
    gpu_tests(&out)?;

    let size = size(&out)?;
    println!("{}: {:.1} MiB", out.display(), mebibytes(size));
    if size > LIMIT {
        return Err(format!("the bundle is larger than {:.0} MiB", mebibytes(LIMIT)).into());
    }
    Ok(())
}

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.parent().map_or(here.clone(), Path::to_path_buf)
}

#[allow(clippy::cast_precision_loss, reason = "for a message")]
fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// Runs cargo and puts the programs that it made, stripped, into the bundle, `suffix` added to their names. Names the
/// tests that can run only where they were built.
fn build(root: &Path, out: &Path, arguments: &[&str], suffix: &str) -> Result<Vec<String>> {
    eprintln!("cargo {}", arguments.join(" "));
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root).args(arguments).arg("--message-format=json-render-diagnostics").stderr(Stdio::inherit());
    // Tests that need the real libraries have no place on a GPU host: they stay ignored. nvcc is taken from there still.
    cargo.env("CUDA_RT_REAL_LIBS", "none");
    let toolkit = root.join(".real-libs/toolkit-13.5");
    if toolkit.is_dir() && std::env::var_os("NVCC").is_none() {
        cargo.env("CUDA_HOME", toolkit);
    }
    if !suffix.is_empty() {
        // Other features build the same programs again: they must not replace the first ones.
        cargo.env("CARGO_TARGET_DIR", root.join("target/gpu-bundle-build").join(suffix.trim_start_matches('-')));
    }
    let output = cargo.output()?;
    if !output.status.success() {
        return Err(format!("cargo {}: {}", arguments.join(" "), output.status).into());
    }
    let mut count = 0;
    let mut left_out = Vec::new();
    for line in String::from_utf8(output.stdout)?.lines() {
        let message: Value = serde_json::from_str(line)?;
        let Some((program, place)) = artifact(&message) else {
            continue;
        };
        let target = out.join(format!("{place}{suffix}"));
        let status = Command::new("strip").arg("-s").arg("-o").arg(&target).arg(program).status()?;
        if !status.success() {
            return Err(format!("strip {program}: {status}").into());
        }
        if place.starts_with("tests/") && is_bound(&target, root)? {
            fs::remove_file(&target)?;
            left_out.push(place.trim_start_matches("tests/").to_owned());
        }
        count += 1;
    }
    if count == 0 {
        return Err("cargo made no program".into());
    }
    Ok(left_out)
}

/// Whether there is a `cuda-sim/tests/rules*.rs`: cargo takes it for a mistake to ask for none.
fn has_rule_tests(root: &Path) -> Result<bool> {
    let name = |file: &PathBuf| file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let files = files(&root.join("cuda-sim/tests"))?;
    Ok(files.iter().map(name).any(|name| name.starts_with("rules") && name.ends_with(".rs")))
}

/// Whether a test needs the tree that it was built in, or cargo: it has a path of that tree in it, or trybuild.
fn is_bound(program: &Path, root: &Path) -> Result<bool> {
    let bytes = fs::read(program)?;
    let contains = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    Ok(contains(&format!("{}/", root.display())) || contains("trybuild"))
}

/// The program in a message of cargo's, and its place in the bundle.
fn artifact(message: &Value) -> Option<(&str, String)> {
    if message["reason"] != "compiler-artifact" {
        return None;
    }
    let program = message["executable"].as_str()?;
    let target = &message["target"];
    let (name, kind) = (target["name"].as_str()?, target["kind"][0].as_str()?);
    let package = package(message["manifest_path"].as_str()?);
    let test = message["profile"]["test"].as_bool()?;
    let place = match kind {
        "example" if !test => format!("examples/{name}"),
        "bench" => format!("benches/{name}"),
        "bin" if !test => format!("bin/{name}"),
        "test" => format!("tests/{package}-{name}"),
        _ if test => format!("tests/{package}-unit-{kind}-{name}"),
        _ => return None,
    };
    Some((program, place))
}

/// The name of a package, by the folder of its manifest; the root package is cuda-doctor.
fn package(manifest: &str) -> String {
    let folder = Path::new(manifest).parent();
    match folder.filter(|f| *f != root()).and_then(Path::file_name) {
        Some(name) => name.to_string_lossy().into_owned(),
        None => "cuda-doctor".to_owned(),
    }
}

/// Copies each `libcudart.so.12` and `.13` of the real libraries to `runtime/VERSION/`. Whether there were any.
fn copy_runtimes(real_libs: &Path, out: &Path) -> Result<bool> {
    let mut any = false;
    for file in files(real_libs)? {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_link = fs::symlink_metadata(&file)?.is_symlink();
        if !matches!(&*name, "libcudart.so.12" | "libcudart.so.13") || is_link {
            continue;
        }
        // The folder below .real-libs says which release it is.
        let release = file.strip_prefix(real_libs)?.iter().next().unwrap_or_default();
        let folder = out.join("runtime").join(release);
        fs::create_dir_all(&folder)?;
        fs::copy(&file, folder.join(name))?;
        any = true;
    }
    Ok(any)
}

/// Every file below a folder, links not followed; nothing if there is no such folder.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    if !folder.is_dir() {
        return Ok(found);
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && !fs::symlink_metadata(&path)?.is_symlink() {
            found.extend(files(&path)?);
        } else {
            found.push(path);
        }
    }
    Ok(found)
}

/// The commit, and whether the tree differs from it.
fn commit(root: &Path) -> Result<String> {
    let git = |arguments: &[&str]| Command::new("git").current_dir(root).args(arguments).output();
    let head = String::from_utf8_lossy(&git(&["rev-parse", "--short=12", "HEAD"])?.stdout).trim().to_owned();
    let changed = !git(&["status", "--porcelain"])?.stdout.is_empty();
    Ok(format!("{head}{}\n", if changed { " with changes" } else { "" }))
}

/// Which test binaries use the GPU, and so run with every runtime and under compute-sanitizer: those of cuda-rt that are
/// not units.
fn gpu_tests(out: &Path) -> Result<()> {
    let mut names = Vec::new();
    for entry in fs::read_dir(out.join("tests"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.starts_with("cuda-rt-") && !name.contains("-unit-") {
            names.push(name);
        }
    }
    names.sort();
    fs::write(out.join("GPU_TESTS"), names.join("\n") + "\n")?;
    Ok(())
}

/// Bytes in every file below a folder.
fn size(folder: &Path) -> Result<u64> {
    let mut sum = 0;
    for file in files(folder)? {
        sum += fs::metadata(file)?.len();
    }
    Ok(sum)
}
