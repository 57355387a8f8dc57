//! Which CUDA libraries the process has mapped, from `/proc/self/maps`.
//!
//! That is the truth about what was loaded, whoever loaded it: several runtimes in one process, a
//! copy with a name of its own (`libcudart-1a2b.so.13`, as Python packages make them), a file that
//! an update has replaced since.

use std::fmt;

/// Which library a file is, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// libcuda.
    Driver,
    /// libcudart.
    Runtime,
}

/// A CUDA library in the memory of this process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Mapped {
    /// Which library.
    pub kind: Kind,
    /// Its file.
    pub path: String,
    /// Whether the file is gone, or another one has its name now: an update under way.
    pub deleted: bool,
}

/// The CUDA libraries in the text of a `maps` file, each once, in order of their addresses.
#[must_use]
pub fn parse(text: &str) -> Vec<Mapped> {
    let mut found: Vec<Mapped> = Vec::new();
    for mapped in text.lines().filter_map(line) {
        if !found.contains(&mapped) {
            found.push(mapped);
        }
    }
    found
}

/// One line: `address perms offset device inode path`; the path may hold blanks, and ` (deleted)`
/// may follow it.
fn line(text: &str) -> Option<Mapped> {
    let path = &text[text.find('/')?..];
    let (path, deleted) = match path.strip_suffix(" (deleted)") {
        Some(path) => (path, true),
        None => (path, false),
    };
    let kind = kind(path.rsplit('/').next()?)?;
    Some(Mapped { kind, path: path.to_owned(), deleted })
}

/// `libcuda.so.1`, `libcudart.so.13`, `libcudart-1a2b.so.13`, `libcudart_static` and the like do
/// not count: `libcudadebugger`, `libcudart_static.a`.
fn kind(name: &str) -> Option<Kind> {
    let (stem, _) = name.split_once(".so")?;
    let is = |library: &str| stem.strip_prefix(library).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'));
    if is("libcuda") {
        Some(Kind::Driver)
    } else if is("libcudart") {
        Some(Kind::Runtime)
    } else {
        None
    }
}

impl fmt::Display for Mapped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)?;
        if self.deleted {
            f.write_str(" (the file was replaced or removed since)")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mapped(kind: Kind, path: &str, deleted: bool) -> Mapped {
        Mapped { kind, path: path.to_owned(), deleted }
    }

    #[test]
    fn report_150_hashed_and_deleted_names_are_read() {
        let text = "\
7f00-7f01 r--p 00000000 08:01 1 /venv/lib/libcudart-1a2b.so.13 (deleted)
7f01-7f02 r-xp 00001000 08:01 1 /venv/lib/libcudart-1a2b.so.13 (deleted)
7f02-7f03 r--p 00000000 08:01 2 /usr/lib/x86_64-linux-gnu/libcuda.so.580.159.04
7f03-7f04 r--p 00000000 08:01 3 /with a blank/libcudart.so.12.9.79
7f04-7f05 rw-p 00000000 00:00 0 
7f05-7f06 rw-p 00000000 00:00 0 [heap]
7f06-7f07 r--p 00000000 08:01 4 /usr/lib/libcudadebugger.so.1
7f07-7f08 r--p 00000000 08:01 5 /usr/lib/libcuda-notes.txt
";
        assert_eq!(
            parse(text),
            [
                mapped(Kind::Runtime, "/venv/lib/libcudart-1a2b.so.13", true),
                mapped(Kind::Driver, "/usr/lib/x86_64-linux-gnu/libcuda.so.580.159.04", false),
                mapped(Kind::Runtime, "/with a blank/libcudart.so.12.9.79", false),
            ]
        );
    }

    #[test]
    fn maps_text_that_is_none_gives_nothing() {
        assert_eq!(parse(""), []);
        assert_eq!(parse("\u{fffd}/\u{fffd}.so\n/\n///\nlibcuda.so.1"), []);
    }
}
