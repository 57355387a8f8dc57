//! What a build script needs to link with CUDA: the file, the directives for cargo, the table of
//! functions that the program imports.

use crate::toolkit::{Found, NotFound, Tried, library_in};
use crate::{Env, Target, Via, driver_directories, names, roots};

/// How a library is named to the linker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Linked {
    /// The file.
    pub found: Found,
    /// Lines for cargo, without their prefix `cargo::`.
    pub directives: Vec<String>,
}

/// Variable with the directory of the driver library (or of its stub) to link with.
pub const DRIVER_DIRECTORY: &str = "CUDA_RT_DRIVER_LINK_DIR";
/// Variable with the directory of the runtime library to link with, shared or static.
pub const RUNTIME_DIRECTORY: &str = "CUDA_RT_RUNTIME_LINK_DIR";

fn search(directory: &str) -> String {
    format!("rustc-link-search=native={directory}")
}

fn not_found(env: &dyn Env, files: &[&str], tried: Vec<Tried>, variable: &'static str) -> NotFound {
    let mut unset = vec![variable];
    unset.extend(crate::ROOT_VARIABLES);
    unset.extend(["CONDA_PREFIX", "VIRTUAL_ENV"]);
    unset.retain(|name| env.variable(name).is_none());
    NotFound { what: files.join(" or "), tried, unset }
}

/// The driver library: from [`DRIVER_DIRECTORY`], then the driver's own directories, then the
/// stubs of a toolkit. Only the name inside is recorded in the program, so that a stub serves.
///
/// # Errors
/// [`NotFound`] with every place that was looked at.
pub fn driver(env: &dyn Env, target: &Target) -> Result<Linked, NotFound> {
    // The file's own name is exact where only the versioned one exists.
    let files: &[&str] = if target.is_windows() { &["cuda.lib"] } else { &["libcuda.so.1", "libcuda.so"] };
    let found = driver_file(env, target, files)?;
    let library = if found.path.ends_with("libcuda.so.1") { "dylib:+verbatim=libcuda.so.1" } else { "dylib=cuda" };
    let directives = vec![search(&found.directory), format!("rustc-link-lib={library}")];
    Ok(Linked { found, directives })
}

fn driver_file(env: &dyn Env, target: &Target, files: &[&str]) -> Result<Found, NotFound> {
    if let Some(directory) = env.variable(DRIVER_DIRECTORY) {
        return library_in(env, target, DRIVER_DIRECTORY, &directory, files);
    }
    let mut places: Vec<(String, String, Via)> = Vec::new();
    if !target.is_windows() {
        places.extend(
            driver_directories(env, target).into_iter().map(|directory| (directory.clone(), directory, Via::Known)),
        );
    }
    for root in roots(env, target) {
        for folder in names::library_folders(target) {
            let directory = target.join(&root.path, &folder);
            if !target.is_windows() {
                places.push((target.join(&directory, "stubs"), root.path.clone(), root.via.clone()));
            }
            places.push((directory, root.path.clone(), root.via.clone()));
        }
    }
    let mut tried = Vec::new();
    for (directory, root, via) in places {
        for file in files {
            let path = target.join(&directory, file);
            if env.is_file(&path) {
                return Ok(Found { path, directory, root, via });
            }
        }
        tried.push(Tried { path: directory, via });
    }
    Err(not_found(env, files, tried, DRIVER_DIRECTORY))
}

/// The shared runtime: from [`RUNTIME_DIRECTORY`], then the toolkits. The second value is its
/// major, known by the file's name; on Windows, where the import library has no version in its
/// name, `None`.
///
/// # Errors
/// [`NotFound`] with every place that was looked at.
pub fn runtime(env: &dyn Env, target: &Target) -> Result<(Linked, Option<u32>), NotFound> {
    let versioned: Vec<String> = names::RUNTIME_MAJORS.iter().map(|major| names::runtime(target.os, *major)).collect();
    let files: Vec<&str> =
        if target.is_windows() { vec!["cudart.lib"] } else { versioned.iter().map(String::as_str).collect() };
    let found = runtime_file(env, target, &files)?;
    let major =
        names::RUNTIME_MAJORS.into_iter().find(|major| found.path.ends_with(&names::runtime(target.os, *major)));
    // Wheels have no libcudart.so, and elsewhere it may be of any major: the exact file is named.
    let library = major
        .map_or("dylib=cudart".to_owned(), |major| format!("dylib:+verbatim={}", names::runtime(target.os, major)));
    let directives = vec![search(&found.directory), format!("rustc-link-lib={library}")];
    Ok((Linked { found, directives }, major))
}

/// The static runtime, and what it needs besides: it opens libraries, has threads and shared
/// memory, which older C libraries keep in libraries of their own.
///
/// # Errors
/// [`NotFound`] with every place that was looked at.
pub fn static_runtime(env: &dyn Env, target: &Target) -> Result<Linked, NotFound> {
    let found = runtime_file(env, target, &[names::static_runtime(target.os)])?;
    let mut directives = vec![search(&found.directory), "rustc-link-lib=static=cudart_static".to_owned()];
    if !target.is_windows() {
        directives.extend(["dl", "pthread", "rt"].map(|library| format!("rustc-link-lib=dylib={library}")));
    }
    Ok(Linked { found, directives })
}

fn runtime_file(env: &dyn Env, target: &Target, files: &[&str]) -> Result<Found, NotFound> {
    if let Some(directory) = env.variable(RUNTIME_DIRECTORY) {
        return library_in(env, target, RUNTIME_DIRECTORY, &directory, files);
    }
    crate::library(env, target, files).map_err(|error| not_found(env, files, error.tried, RUNTIME_DIRECTORY))
}

/// The variables that decide where to link from, for `cargo::rerun-if-env-changed`.
#[must_use]
pub fn variables() -> Vec<&'static str> {
    let mut all = vec![DRIVER_DIRECTORY, RUNTIME_DIRECTORY];
    all.extend(crate::ROOT_VARIABLES);
    all.extend(["CONDA_PREFIX", "VIRTUAL_ENV", "PATH"]);
    all
}

/// The names that a static library defines, from its symbol index.
///
/// # Errors
/// A sentence, if it is no such archive or has no index.
pub fn archive_symbols(archive: &[u8]) -> Result<Vec<&str>, String> {
    const MAGIC: &[u8] = b"!<arch>\n";
    const HEADER: usize = 60;
    let rest = archive.strip_prefix(MAGIC).ok_or("it is no archive (a linker script or a text file, maybe)")?;
    let header = rest.get(..HEADER).ok_or("the archive is cut off")?;
    // The index is the first member; its numbers have 4 bytes, or 8 in the form for huge archives.
    let width = match header.get(..16) {
        Some(name) if name.starts_with(b"/SYM64/") => 8,
        Some(name) if name.starts_with(b"/ ") => 4,
        _ => return Err("the archive has no symbol index (run ranlib on it)".to_owned()),
    };
    let size = header
        .get(48..58)
        .and_then(|size| std::str::from_utf8(size).ok())
        .and_then(|size| size.trim().parse::<usize>().ok());
    let index = size.and_then(|size| rest.get(HEADER..HEADER + size)).ok_or("the archive's symbol index is cut off")?;
    let count = index.get(..width).ok_or("the archive's symbol index is empty")?;
    let count = count.iter().fold(0_usize, |count, byte| (count << 8) | usize::from(*byte));
    let start = count
        .checked_add(1)
        .and_then(|entries| entries.checked_mul(width))
        .ok_or("the archive's symbol index is broken")?;
    let names = index.get(start..).ok_or("the archive's symbol index is cut off")?;
    Ok(names.split(|byte| *byte == 0).take(count).filter_map(|name| std::str::from_utf8(name).ok()).collect())
}

/// Rust source of the table of imported functions, sorted by name, for the loaders.
#[must_use]
pub fn table(symbols: &[&str], is_static: bool) -> String {
    let mut symbols = symbols.to_vec();
    symbols.sort_unstable();
    symbols.dedup();
    let mut text = String::from("unsafe extern \"C\" {\n");
    for symbol in &symbols {
        text.push_str(&format!("    fn {symbol}();\n"));
    }
    text.push_str("}\n\npub(crate) static LINKED: &[(&core::ffi::CStr, unsafe extern \"C\" fn())] = &[\n");
    for symbol in &symbols {
        text.push_str(&format!("    (c\"{symbol}\", {symbol}),\n"));
    }
    text.push_str(&format!("];\n#[allow(dead_code)]\npub(crate) const STATIC: bool = {is_static};\n"));
    text
}
