//! An invented machine for a child process: folders with libraries that work, fail, or are none, and the environment
//! that leads to them.
#![allow(dead_code, clippy::unwrap_used, reason = "each test uses its part of this, and may panic")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of its own, and the environment of the child.
pub(crate) struct Machine {
    root: PathBuf,
    environment: Vec<(String, String)>,
}

/// What a program printed, and how it ended.
pub(crate) struct Said {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) status: Option<i32>,
}

impl Machine {
    /// A machine without anything. Tests run at once: `name` is that of the test.
    pub(crate) fn new(name: &str) -> Self {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("machines").join(name);
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(&root).unwrap();
        Self { root: root.canonicalize().unwrap(), environment: Vec::new() }
    }

    /// A path of the machine.
    pub(crate) fn path(&self, relative: &str) -> String {
        self.root.join(relative).to_str().unwrap().to_owned()
    }

    /// Sets a variable of the child.
    pub(crate) fn var(&mut self, name: &str, value: &str) -> &mut Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Sets `LD_LIBRARY_PATH` to these folders of the machine.
    pub(crate) fn search(&mut self, folders: &[&str]) -> &mut Self {
        let folders: Vec<String> = folders.iter().map(|folder| self.path(folder)).collect();
        self.var("LD_LIBRARY_PATH", &folders.join(":"))
    }

    fn make_room(&self, relative: &str) -> PathBuf {
        let path = self.root.join(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        path
    }

    /// A file with this content.
    pub(crate) fn file(&self, relative: &str, content: &[u8]) -> &Self {
        fs::write(self.make_room(relative), content).unwrap();
        self
    }

    /// A link.
    pub(crate) fn link(&self, relative: &str, target: &str) -> &Self {
        std::os::unix::fs::symlink(target, self.make_room(relative)).unwrap();
        self
    }

    /// A library, compiled from `tests/fake/SOURCE` with gcc. Without gcc the test fails.
    pub(crate) fn library(&self, relative: &str, source: &str) -> &Self {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fake").join(source);
        let path = self.make_room(relative);
        let output = Command::new("gcc")
            .args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-Wl,-soname,libcuda.so.1", "-o"])
            .args([&path, &source])
            .output()
            .expect("gcc is needed for the stand-ins of tests/fake");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        self
    }

    /// The stand-in driver in `lib`, found by `LD_LIBRARY_PATH`; `cuInit` gives this code.
    pub(crate) fn fake_driver(name: &str, init: &str) -> Self {
        let mut machine = Self::new(name);
        machine.library("lib/libcuda.so.1", "fake_cuda.c");
        machine.search(&["lib"]).var("FK_INIT", init);
        machine
    }

    /// Runs a program on the machine.
    pub(crate) fn run(&self, program: impl AsRef<Path>, arguments: &[&str]) -> Said {
        let environment = self.environment.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        Said::from(Command::new(program.as_ref()).args(arguments).env_clear().envs(environment).output().unwrap())
    }

    /// The whole report of cuda-doctor. It ends with 0 or 2 and does not panic.
    pub(crate) fn report(&self) -> Said {
        let said = self.run(DOCTOR, &[]);
        assert!(matches!(said.status, Some(0 | 2)), "status {:?}\n{}{}", said.status, said.out, said.err);
        assert!(said.out.contains("verdict: "), "{}", said.out);
        assert_eq!(said.err, "", "nothing goes to standard error");
        said
    }

    /// The answer of `cuda-doctor --probe`: one line, exit status 0 whatever it says.
    pub(crate) fn probe(&self) -> String {
        let said = self.run(DOCTOR, &["--probe"]);
        assert_eq!((said.status, said.err.as_str()), (Some(0), ""), "{}", said.out);
        assert_eq!(said.out.lines().count(), 1, "{}", said.out);
        said.out.trim_end().to_owned()
    }

    /// The report, where CUDA is not usable; it has all these words.
    pub(crate) fn refuses(&self, words: &[&str]) -> Said {
        let probe = self.probe();
        assert!(!probe.starts_with("usable"), "{probe}");
        let said = self.report();
        assert_eq!(said.status, Some(2), "{}", said.out);
        said.has(words);
        said
    }
}

/// The program under test.
pub(crate) const DOCTOR: &str = env!("CARGO_BIN_EXE_cuda-doctor");

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self { out: text(&output.stdout), err: text(&output.stderr), status: output.status.code() }
    }
}

impl Said {
    /// Asserts that the program said all of this.
    pub(crate) fn has(&self, words: &[&str]) -> &Self {
        for word in words {
            assert!(self.out.contains(word), "{word:?} is not in:\n{}", self.out);
        }
        self
    }

    /// Asserts that it said none of this.
    pub(crate) fn lacks(&self, words: &[&str]) -> &Self {
        for word in words {
            assert!(!self.out.contains(word), "{word:?} is in:\n{}", self.out);
        }
        self
    }
}

/// Whether this machine's own loader and usual places have no CUDA library, so that an absent one can be acted. Where
/// there is one, states that need its absence can't be made; in CI (`REAL_LIBS=required`) that is a failure.
pub(crate) fn nothing_installed() -> bool {
    let said = Said::from(Command::new(DOCTOR).env_clear().output().unwrap());
    let nothing =
        said.out.lines().filter(|line| line.contains(" library ") && line.trim_end().ends_with("not found")).count()
            == 2;
    if !nothing {
        let text = format!("a CUDA library is installed here, so that its absence can't be tested:\n{}", said.out);
        assert!(std::env::var("REAL_LIBS").as_deref() != Ok("required"), "{text}");
        eprintln!("{text}");
    }
    nothing
}
