//! Looks whether the libraries for tests are there; links and generates, if features ask for it.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(cuda_linked, cuda_generated, real_libs)");
    find_real_libraries();
    #[cfg(any(feature = "link-runtime", feature = "static-runtime", feature = "bindgen"))]
    if let Err(text) = on_request::run() {
        for line in text.lines() {
            println!("cargo::error={line}");
        }
        std::process::exit(1);
    }
}

/// What `scripts/real-libs.sh` brings, in a checkout of the repository.
fn find_real_libraries() {
    let script = Path::new("../scripts/real-libs.sh");
    if !script.is_file() {
        return;
    }
    println!("cargo::rerun-if-changed={}", script.display());
    println!("cargo::rerun-if-env-changed=CUDA_RT_REAL_LIBS");
    let folder = std::env::var("CUDA_RT_REAL_LIBS").unwrap_or_else(|_| "../.real-libs".to_owned());
    if Path::new(&folder).join("driver-535/libcuda.so.1").is_file() {
        if let Ok(folder) = Path::new(&folder).canonicalize() {
            println!("cargo::rustc-cfg=real_libs");
            println!("cargo::rustc-env=CUDA_RT_REAL_LIBS={}", folder.display());
        }
    }
}

#[cfg(any(feature = "link-runtime", feature = "static-runtime", feature = "bindgen"))]
mod on_request {
    use cuda_locate::{System, Target, link};

    fn variable(name: &str) -> Result<String, String> {
        std::env::var(name).map_err(|_| format!("cargo did not set {name}"))
    }

    pub(super) fn run() -> Result<(), String> {
        for name in link::variables().into_iter().chain(["LIBCLANG_PATH", "BINDGEN_EXTRA_CLANG_ARGS"]) {
            println!("cargo::rerun-if-env-changed={name}");
        }
        // Documentation is built without CUDA.
        if std::env::var_os("DOCS_RS").is_some() {
            return Ok(());
        }
        let target = Target::from_cargo(&variable("CARGO_CFG_TARGET_OS")?, &variable("CARGO_CFG_TARGET_ARCH")?);
        let out = variable("OUT_DIR")?;
        // Features only add: with both, the static library is the one.
        #[cfg(feature = "static-runtime")]
        link_static(&target, &out)?;
        #[cfg(all(feature = "link-runtime", not(feature = "static-runtime")))]
        link_shared(&target, &out)?;
        #[cfg(feature = "bindgen")]
        generate(&target, &out)?;
        let _ = (System, out, target);
        Ok(())
    }

    #[cfg(any(feature = "link-runtime", feature = "static-runtime"))]
    const ADVICE: &str =
        "Without these features the runtime library is loaded when the program runs, and none is needed to build.";

    /// The lines of a list of symbols: name, since when, whether in the first release of its major.
    #[cfg(any(feature = "link-runtime", feature = "static-runtime"))]
    fn symbols(major: u32) -> Result<Vec<(String, bool)>, String> {
        let path = format!("src/bindings/v{major}/symbols.txt");
        println!("cargo::rerun-if-changed={path}");
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
        Ok(text.lines().filter_map(|line| Some((line.split(' ').next()?.to_owned(), line.ends_with(" 1")))).collect())
    }

    #[cfg(any(feature = "link-runtime", feature = "static-runtime"))]
    fn finish(
        linked: &link::Linked,
        major: u32,
        names: &[&str],
        is_static: bool,
        target: &Target,
        out: &str,
    ) -> Result<(), String> {
        for line in &linked.directives {
            println!("cargo::{line}");
        }
        println!("cargo::rustc-cfg=cuda_linked");
        if let Some(version) = header_version(target) {
            if version / 1000 != major {
                println!(
                    "cargo::warning=linking with {} of CUDA {major}, while the headers found are of CUDA {}.{}: C++ code compiled with them has another ABI",
                    linked.found.path,
                    version / 1000,
                    version % 1000 / 10
                );
            }
        }
        let file = format!("{out}/linked.rs");
        std::fs::write(&file, link::table(names, is_static)).map_err(|error| format!("{file}: {error}"))
    }

    #[cfg(any(feature = "link-runtime", feature = "static-runtime"))]
    fn header_version(target: &Target) -> Option<u32> {
        let found = cuda_locate::header(&System, target, "cuda_runtime_api.h").ok()?;
        cuda_locate::header_version(&System, &found.path, "CUDART_VERSION").ok()
    }

    /// Imports what the first release of the major has; the rest is looked up when used.
    #[cfg(all(feature = "link-runtime", not(feature = "static-runtime")))]
    fn link_shared(target: &Target, out: &str) -> Result<(), String> {
        let (linked, major) =
            link::runtime(&System, target).map_err(|error| format!("feature `link-runtime`: {error}\n{ADVICE}"))?;
        let major = major.or_else(|| header_version(target).map(|version| version / 1000)).ok_or_else(|| {
            format!("feature `link-runtime`: the major of {} can't be told, since no cuda_runtime_api.h was found\n{ADVICE}", linked.found.path)
        })?;
        let all = symbols(major)?;
        let floor: Vec<&str> = all.iter().filter(|(_, floor)| *floor).map(|(name, _)| name.as_str()).collect();
        finish(&linked, major, &floor, false, target, out)
    }

    /// Imports exactly what the archive has.
    #[cfg(feature = "static-runtime")]
    fn link_static(target: &Target, out: &str) -> Result<(), String> {
        let context = |error: String| format!("feature `static-runtime`: {error}\n{ADVICE}");
        let linked = link::static_runtime(&System, target).map_err(|error| context(error.to_string()))?;
        let path = &linked.found.path;
        println!("cargo::rerun-if-changed={path}");
        let archive = std::fs::read(path).map_err(|error| context(format!("{path}: {error}")))?;
        let defined: std::collections::BTreeSet<&str> =
            link::archive_symbols(&archive).map_err(|error| context(format!("{path}: {error}")))?.into_iter().collect();
        // Each major has functions that the other lacks.
        let major = match (
            defined.contains("cudaGetDeviceProperties_v2"),
            defined.contains("cudaDeviceGetP2PAtomicCapabilities"),
        ) {
            (true, false) => 12,
            (false, true) => 13,
            _ => {
                return Err(context(format!("{path} is of no known major: 12 and 13 are supported")));
            }
        };
        let all = symbols(major)?;
        let names: Vec<&str> =
            all.iter().map(|(name, _)| name.as_str()).filter(|name| defined.contains(name)).collect();
        finish(&linked, major, &names, true, target, out)
    }

    /// Version of the header that the checked-in bindings of major 13 come from.
    #[cfg(feature = "bindgen")]
    const KNOWN: u32 = 13050;

    /// Bindings of major 13 from the user's header, if it has more than what is checked in. Those
    /// of 12 are complete: 12.9 is its last release.
    #[cfg(feature = "bindgen")]
    fn generate(target: &Target, out: &str) -> Result<(), String> {
        use cuda_bindgen::{Api, Module, emit_functions, emit_types};
        let context = |error: String| {
            format!(
                "feature `bindgen`: {error}\nWithout this feature the bindings that are checked in are used, and nothing is needed to build."
            )
        };
        cuda_bindgen::check_libclang().map_err(|error| context(error.to_string()))?;
        let found =
            cuda_locate::header(&System, target, "cuda_runtime_api.h").map_err(|error| context(error.to_string()))?;
        println!("cargo::rerun-if-changed={}", found.path);
        let version = cuda_locate::header_version(&System, &found.path, "CUDART_VERSION").map_err(context)?;
        let name = |version: u32| format!("{}.{}", version / 1000, version % 1000 / 10);
        if version < KNOWN {
            println!(
                "cargo::warning={} is of CUDA {}; the checked-in bindings, of 12.9 and {}, hold all of it and are used",
                found.path,
                name(version),
                name(KNOWN)
            );
            return Ok(());
        }
        if version / 1000 != KNOWN / 1000 {
            println!(
                "cargo::warning={} is of CUDA {}, a major that this version of cuda-runtime-sys does not bind: the checked-in bindings of 12 and 13 are used, and a runtime library of that major is refused by name",
                found.path,
                name(version)
            );
            return Ok(());
        }
        if version > KNOWN {
            println!(
                "cargo::warning={} is of CUDA {}, newer than this version of cuda-runtime-sys knows ({}): what is new in it is not tested",
                found.path,
                name(version),
                name(KNOWN)
            );
        }
        let mut includes = vec![found.directory.clone()];
        // In wheels crt/ is with the compiler.
        if !Path::new(&found.directory).join("crt/host_defines.h").is_file() {
            if let Ok(crt) = cuda_locate::header(&System, target, "crt/host_defines.h") {
                includes.push(crt.directory);
            }
        }
        let bindings =
            cuda_bindgen::generate(Api::Runtime, &found.path, &includes).map_err(|error| context(error.to_string()))?;
        let write = |file: &str, text: String| {
            std::fs::write(format!("{out}/{file}"), text).map_err(|error| format!("{out}/{file}: {error}"))
        };
        write("types.rs", emit_types(&bindings, None))?;
        write("functions.rs", emit_functions(&bindings, Module::Major(13)))?;
        println!("cargo::rustc-cfg=cuda_generated");
        Ok(())
    }
    #[cfg(feature = "bindgen")]
    use std::path::Path;
}
