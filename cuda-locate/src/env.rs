//! What a search may ask of the machine.

use std::path::Path;

/// Variables and files of a machine. Paths are text in the machine's own notation, so that a
/// Windows machine can be described on Linux; variables that are not Unicode count as unset.
pub trait Env {
    /// Value of an environment variable; `None` if unset or empty.
    fn variable(&self, name: &str) -> Option<String>;
    /// Whether there is a file (links are followed).
    fn is_file(&self, path: &str) -> bool;
    /// Whether there is a directory (links are followed).
    fn is_dir(&self, path: &str) -> bool;
    /// Names of the entries of a directory, sorted; empty if there is none.
    fn list(&self, directory: &str) -> Vec<String>;
    /// Text of a file.
    ///
    /// # Errors
    /// The system's words for why it can't be read.
    fn read(&self, path: &str) -> Result<String, String>;
}

/// The machine that this program runs on.
#[derive(Debug, Clone, Copy, Default)]
pub struct System;

impl Env for System {
    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok().filter(|value| !value.is_empty())
    }

    fn is_file(&self, path: &str) -> bool {
        Path::new(path).is_file()
    }

    fn is_dir(&self, path: &str) -> bool {
        Path::new(path).is_dir()
    }

    fn list(&self, directory: &str) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(directory)
            .into_iter()
            .flatten()
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .collect();
        names.sort_unstable();
        names
    }

    fn read(&self, path: &str) -> Result<String, String> {
        // Headers of some releases hold a stray byte that is not UTF-8.
        match std::fs::read(path) {
            Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
            Err(error) => Err(error.to_string()),
        }
    }
}
