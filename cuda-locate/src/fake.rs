//! An invented machine, for tests.

use std::collections::BTreeMap;

use crate::Env;

/// Variables and files that exist nowhere else.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    variables: BTreeMap<String, String>,
    files: BTreeMap<String, Result<String, String>>,
}

impl Tree {
    /// A machine with nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with a variable.
    #[must_use]
    pub fn var(mut self, name: &str, value: &str) -> Self {
        self.variables.insert(name.to_owned(), value.to_owned());
        self
    }

    /// The same with an empty file; its directories exist with it.
    #[must_use]
    pub fn file(self, path: &str) -> Self {
        self.text(path, "")
    }

    /// The same with a file of this text.
    #[must_use]
    pub fn text(mut self, path: &str, text: &str) -> Self {
        self.files.insert(path.to_owned(), Ok(text.to_owned()));
        self
    }

    /// The same with a file that can't be read, for this reason.
    #[must_use]
    pub fn unreadable(mut self, path: &str, why: &str) -> Self {
        self.files.insert(path.to_owned(), Err(why.to_owned()));
        self
    }

    fn below<'a>(&'a self, directory: &'a str) -> impl Iterator<Item = &'a str> {
        let directory = directory.trim_end_matches(['/', '\\']);
        self.files.keys().filter_map(move |path| path.strip_prefix(directory)?.strip_prefix(['/', '\\']))
    }
}

impl Env for Tree {
    fn variable(&self, name: &str) -> Option<String> {
        self.variables.get(name).filter(|value| !value.is_empty()).cloned()
    }

    fn is_file(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    fn is_dir(&self, path: &str) -> bool {
        self.below(path).next().is_some()
    }

    fn list(&self, directory: &str) -> Vec<String> {
        let mut names: Vec<String> =
            self.below(directory).filter_map(|rest| Some(rest.split(['/', '\\']).next()?.to_owned())).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    fn read(&self, path: &str) -> Result<String, String> {
        self.files.get(path).cloned().unwrap_or_else(|| Err("no such file".to_owned()))
    }
}
