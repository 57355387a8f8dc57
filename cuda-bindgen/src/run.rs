//! Runs bindgen.

use std::fmt;

use cuda_locate::{Env, System, Target};

use crate::model::{Api, Bindings};
use crate::parse::parse;

/// Why no bindings were made: a text for the user that names what was tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GenerateError(pub String);

impl fmt::Display for GenerateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for GenerateError {}

/// Loads libclang, which bindgen would panic without.
///
/// # Errors
/// A text that says what was tried and which package has it.
pub fn check_libclang() -> Result<(), GenerateError> {
    if clang_sys::is_loaded() {
        return Ok(());
    }
    clang_sys::load().map_err(|error| {
        let path = System.variable("LIBCLANG_PATH").map_or_else(|| "not set".to_owned(), |path| format!("`{path}`"));
        GenerateError(format!(
            "generating bindings needs libclang, which could not be loaded: {error}\n\
             LIBCLANG_PATH is {path}. Install it (Debian and Ubuntu: libclang-dev; Fedora: clang-devel; Windows: LLVM), \
             set LIBCLANG_PATH to its directory, or build without the feature `bindgen`: the bindings that are checked in need neither libclang nor a toolkit."
        ))
    })
}

/// Reads a header. `includes` are the directories to find it in, `header` its full path.
///
/// # Errors
/// A text: libclang or its own headers are missing, or the header does not parse.
pub fn generate(api: Api, header: &str, includes: &[String]) -> Result<Bindings, GenerateError> {
    check_libclang()?;
    let version = cuda_locate::header_version(&System, header, api.version_macro()).map_err(GenerateError)?;
    let mut builder = bindgen::Builder::default()
        .header_contents("cuda_bindgen.h", &format!("#include <{}>\n", api.header()))
        // Old ABIs and per-thread variants become visible under their own names.
        .clang_arg("-D__CUDA_API_VERSION_INTERNAL")
        .allowlist_item("(cu|CU|cuda|CUDA|CUDART).*")
        .generate_comments(false)
        .layout_tests(true)
        .default_enum_style(bindgen::EnumVariation::NewType { is_bitfield: false, is_global: false })
        .derive_debug(false)
        .use_core()
        .rust_edition(bindgen::RustEdition::Edition2024)
        .prepend_enum_name(false)
        .merge_extern_blocks(true)
        .formatter(bindgen::Formatter::None);
    if let Ok(target) = bindgen::RustTarget::stable(85, 0) {
        builder = builder.rust_target(target);
    }
    if api == Api::Runtime {
        builder = builder
            .allowlist_item("dim3|libraryPropertyType.*|(u?(char|short|int|long|longlong)|float|double)[1-4](_.*)?");
    }
    if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        // The layout is the same on every 64-bit system but for what `emit` makes conditional, so
        // that any host will do; this one has the headers of its own C library only.
        builder = builder.clang_arg("--target=x86_64-unknown-linux-gnu");
    }
    for include in includes.iter().cloned().chain(compiler_includes()) {
        builder = builder.clang_arg(format!("-I{include}"));
    }
    let text = builder.generate().map_err(|error| explain(api, header, includes, &error.to_string()))?.to_string();
    parse(api, version, &text)
        .map_err(|error| GenerateError(format!("what bindgen made of {header} was not understood: {error}")))
}

fn explain(api: Api, header: &str, includes: &[String], error: &str) -> GenerateError {
    let error = error.trim();
    let advice = if error.contains("'stddef.h' file not found") || error.contains("'stdarg.h' file not found") {
        "libclang has not got its own headers (such as stddef.h). The libclang of a Python wheel lacks them: install the \
         system's (Debian and Ubuntu: libclang-dev), or point to them with BINDGEN_EXTRA_CLANG_ARGS=-I<directory of stddef.h>."
    } else if error.contains("crt/host_defines.h' file not found")
        || error.contains("crt/host_config.h' file not found")
    {
        "the folder crt/ is missing: it belongs to the compiler's package (wheel nvidia-cuda-crt, for CUDA 12 nvidia-cuda-nvcc-cu12)."
    } else if error.contains("'stdlib.h' file not found") {
        "the C library's headers are missing (Debian and Ubuntu: libc6-dev)."
    } else {
        "the header did not parse."
    };
    GenerateError(format!(
        "no bindings of {} could be made: {advice}\nHeader: {header}\nInclude directories: {}\nclang says: {error}",
        api.header(),
        includes.join(", ")
    ))
}

/// Directories of gcc with `stddef.h`, for a libclang without its own headers.
fn compiler_includes() -> Vec<String> {
    let env = System;
    let target = Target::current();
    if bindgen_finds_builtin_headers() {
        return Vec::new();
    }
    let Some(multiarch) = target.multiarch() else {
        return Vec::new();
    };
    let folder = format!("/usr/lib/gcc/{multiarch}");
    let versions = env.list(&folder).into_iter().rev().map(|version| format!("{folder}/{version}/include"));
    versions.filter(|include| env.is_file(&format!("{include}/stddef.h"))).take(1).collect()
}

/// Whether the libclang in use sits beside its resource directory.
fn bindgen_finds_builtin_headers() -> bool {
    let Some(library) = clang_sys::get_library() else {
        return true;
    };
    let path = std::fs::canonicalize(library.path()).unwrap_or_else(|_| library.path().to_path_buf());
    let clang = path.ancestors().map(|folder| folder.join("lib/clang").display().to_string());
    let beside = path.parent().map(|folder| folder.join("clang").display().to_string());
    let debian = ["/usr/lib/clang".to_owned()];
    let env = System;
    clang.chain(beside).chain(debian).any(|folder| {
        env.list(&folder).iter().any(|version| env.is_file(&format!("{folder}/{version}/include/stddef.h")))
    }) || env.list("/usr/lib").iter().any(|name| {
        let folder = format!("/usr/lib/{name}/lib/clang");
        name.starts_with("llvm-")
            && path.starts_with("/usr/lib")
            && env.list(&folder).iter().any(|version| env.is_file(&format!("{folder}/{version}/include/stddef.h")))
    })
}
