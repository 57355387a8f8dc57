//! Headers, libraries and the compiler of a toolkit.

use std::fmt;

use crate::roots::roots;
use crate::{Env, Target, Via, names};

/// A file that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The file.
    pub path: String,
    /// Its directory.
    pub directory: String,
    /// The root of the toolkit that it belongs to.
    pub root: String,
    /// What led there.
    pub via: Via,
}

/// A place that was looked at in vain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tried {
    /// The place.
    pub path: String,
    /// What led there.
    pub via: Via,
}

/// Nothing was found, and where it was looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotFound {
    /// What was looked for, such as `cuda.h`.
    pub what: String,
    /// All places, in order.
    pub tried: Vec<Tried>,
    /// Variables that are asked and were not set.
    pub unset: Vec<&'static str>,
}

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} was not found. Looked in:", self.what)?;
        for tried in &self.tried {
            write!(f, "\n  {} ({})", tried.path, tried.via)?;
        }
        if self.tried.is_empty() {
            write!(f, "\n  no place at all")?;
        }
        if !self.unset.is_empty() {
            write!(f, "\nNot set: {}", self.unset.join(", "))?;
        }
        Ok(())
    }
}

impl std::error::Error for NotFound {}

fn not_found(env: &dyn Env, what: String, tried: Vec<Tried>) -> NotFound {
    let asked = names_of_variables();
    NotFound { what, tried, unset: asked.into_iter().filter(|name| env.variable(name).is_none()).collect() }
}

fn names_of_variables() -> [&'static str; 6] {
    let [home, path, root, toolkit] = crate::ROOT_VARIABLES;
    [home, path, root, toolkit, "CONDA_PREFIX", "VIRTUAL_ENV"]
}

/// The first root with one of `files` in one of `folders`.
fn search(env: &dyn Env, target: &Target, what: String, folders: &[String], files: &[&str]) -> Result<Found, NotFound> {
    let mut tried = Vec::new();
    for root in roots(env, target) {
        for folder in folders {
            let directory = target.join(&root.path, folder);
            for file in files {
                let path = target.join(&directory, file);
                if env.is_file(&path) {
                    return Ok(Found { path, directory, root: root.path, via: root.via });
                }
            }
            tried.push(Tried { path: directory, via: root.via.clone() });
        }
    }
    Err(not_found(env, what, tried))
}

/// A header such as `cuda.h`.
///
/// # Errors
/// [`NotFound`] with every directory that was looked at.
pub fn header(env: &dyn Env, target: &Target, name: &str) -> Result<Found, NotFound> {
    let mut folders = vec!["include".to_owned()];
    folders.extend(target.toolkit_targets().iter().map(|folder| format!("targets/{folder}/include")));
    if target.is_windows() {
        folders.push("Library/include".to_owned());
    }
    search(env, target, name.to_owned(), &folders, &[name])
}

/// A library to link with: the first root that has one of these files.
///
/// # Errors
/// [`NotFound`] with every directory that was looked at.
pub fn library(env: &dyn Env, target: &Target, files: &[&str]) -> Result<Found, NotFound> {
    search(env, target, files.join(" or "), &names::library_folders(target), files)
}

/// A library to link with, in a directory that the user names.
///
/// # Errors
/// [`NotFound`] with that directory.
pub fn library_in(
    env: &dyn Env,
    target: &Target,
    variable: &'static str,
    directory: &str,
    files: &[&str],
) -> Result<Found, NotFound> {
    for file in files {
        let path = target.join(directory, file);
        if env.is_file(&path) {
            return Ok(Found {
                path,
                directory: directory.to_owned(),
                root: directory.to_owned(),
                via: Via::Variable(variable),
            });
        }
    }
    let tried = vec![Tried { path: directory.to_owned(), via: Via::Variable(variable) }];
    Err(NotFound { what: files.join(" or "), tried, unset: Vec::new() })
}

/// The CUDA compiler: the file that `NVCC` names, then `bin/nvcc` of the roots, then `PATH`.
///
/// # Errors
/// [`NotFound`] with every place that was looked at.
pub fn nvcc(env: &dyn Env, target: &Target) -> Result<Found, NotFound> {
    let name = names::nvcc(target.os);
    let mut tried = Vec::new();
    if let Some(path) = env.variable("NVCC") {
        if env.is_file(&path) {
            let directory = path.rfind(['/', '\\']).map_or(String::new(), |end| path[..end].to_owned());
            let root = directory.trim_end_matches("bin").trim_end_matches(['/', '\\']).to_owned();
            return Ok(Found { path, directory, root, via: Via::Variable("NVCC") });
        }
        tried.push(Tried { path, via: Via::Variable("NVCC") });
    }
    let error = match search(env, target, name.to_owned(), &["bin".to_owned()], &[name]) {
        Ok(found) => return Ok(found),
        Err(error) => error,
    };
    tried.extend(error.tried);
    let list = env.variable("PATH").unwrap_or_default();
    for directory in target.split_list(&list) {
        let path = target.join(directory, name);
        if env.is_file(&path) {
            return Ok(Found {
                path,
                directory: directory.to_owned(),
                root: directory.to_owned(),
                via: Via::SearchPath,
            });
        }
        tried.push(Tried { path: directory.to_owned(), via: Via::SearchPath });
    }
    let mut error = not_found(env, name.to_owned(), tried);
    if env.variable("NVCC").is_none() {
        error.unset.insert(0, "NVCC");
    }
    Err(error)
}

/// The number that a header defines for `CUDA_VERSION` or `CUDART_VERSION`, such as 13050.
///
/// # Errors
/// A sentence: the header can't be read, or defines no such number.
pub fn header_version(env: &dyn Env, path: &str, name: &str) -> Result<u32, String> {
    let text = env.read(path).map_err(|error| format!("{path} can't be read: {error}"))?;
    let define = |line: &str| -> Option<u32> {
        let mut words = line.trim_start().strip_prefix('#')?.split_whitespace();
        (words.next()? == "define" && words.next()? == name).then(|| words.next()?.parse().ok()).flatten()
    };
    text.lines().find_map(define).ok_or_else(|| format!("{path} defines no {name}"))
}
