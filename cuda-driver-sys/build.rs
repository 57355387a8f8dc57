//! Looks whether the libraries for tests are there; links and generates, if features ask for it.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(cuda_linked, cuda_generated, real_libs)");
    find_real_libraries();
    #[cfg(any(feature = "link-driver", feature = "bindgen"))]
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

#[cfg(any(feature = "link-driver", feature = "bindgen"))]
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
        #[cfg(feature = "link-driver")]
        link_driver(&target, &out)?;
        #[cfg(feature = "bindgen")]
        generate(&target, &out)?;
        let _ = (System, out, target);
        Ok(())
    }

    /// Imports the functions that the driver of CUDA 11.4 has; the others are looked up when used.
    #[cfg(feature = "link-driver")]
    fn link_driver(target: &Target, out: &str) -> Result<(), String> {
        let linked = link::driver(&System, target).map_err(|error| {
            format!("feature `link-driver`: {error}\nWithout this feature the driver library is loaded when the program runs, and none is needed to build.")
        })?;
        for line in &linked.directives {
            println!("cargo::{line}");
        }
        println!("cargo::rustc-cfg=cuda_linked");
        let path = "src/bindings/symbols.txt";
        println!("cargo::rerun-if-changed={path}");
        let symbols = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
        let floor: Vec<&str> =
            symbols.lines().filter(|line| line.ends_with(" 1")).filter_map(|line| line.split(' ').next()).collect();
        let file = format!("{out}/linked.rs");
        std::fs::write(&file, link::table(&floor, false)).map_err(|error| format!("{file}: {error}"))
    }

    /// Bindings from the user's header, if it has more than what is checked in.
    #[cfg(feature = "bindgen")]
    fn generate(target: &Target, out: &str) -> Result<(), String> {
        use cuda_bindgen::{Api, Module, emit_functions, emit_types};
        let context = |error: String| {
            format!(
                "feature `bindgen`: {error}\nWithout this feature the bindings that are checked in are used, and nothing is needed to build."
            )
        };
        cuda_bindgen::check_libclang().map_err(|error| context(error.to_string()))?;
        let found = cuda_locate::header(&System, target, "cuda.h").map_err(|error| context(error.to_string()))?;
        println!("cargo::rerun-if-changed={}", found.path);

        let version = cuda_locate::header_version(&System, &found.path, "CUDA_VERSION").map_err(context)?;
        let name = |version: u32| format!("{}.{}", version / 1000, version % 1000 / 10);
        if version < KNOWN {
            println!(
                "cargo::warning={} is of CUDA {}; the checked-in bindings, of {}, hold all of it and more, and are used",
                found.path,
                name(version),
                name(KNOWN)
            );
            return Ok(());
        }
        if version > KNOWN {
            println!(
                "cargo::warning={} is of CUDA {}, newer than this version of cuda-driver-sys knows ({}): what is new in it is not tested",
                found.path,
                name(version),
                name(KNOWN)
            );
        }
        let bindings = cuda_bindgen::generate(Api::Driver, &found.path, std::slice::from_ref(&found.directory))
            .map_err(|error| context(error.to_string()))?;
        let write = |file: &str, text: String| {
            std::fs::write(format!("{out}/{file}"), text).map_err(|error| format!("{out}/{file}: {error}"))
        };
        write("types.rs", emit_types(&bindings, None))?;
        write("functions.rs", emit_functions(&bindings, Module::Driver))?;
        println!("cargo::rustc-cfg=cuda_generated");
        Ok(())
    }

    /// Version of the header that the checked-in bindings come from.
    #[cfg(feature = "bindgen")]
    const KNOWN: u32 = 13050;
}
