//! What is wrong with PTX text.

use std::error::Error;
use std::fmt;

/// Whether text is no PTX, or PTX that this interpreter does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PtxErrorKind {
    /// Not PTX: a driver refuses the module with `CUDA_ERROR_INVALID_PTX` (218).
    Syntax,
    /// An instruction, modifier or operand outside the supported subset. A GPU may well run it.
    Unsupported,
}

/// Text that can't be run, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PtxError {
    /// Not PTX, or not supported.
    pub kind: PtxErrorKind,
    /// The line, counted from 1; 0 if it is about the whole text.
    pub line: u32,
    /// That line.
    pub text: String,
    /// What is wrong with it.
    pub message: String,
}

impl PtxError {
    pub(crate) fn syntax(line: u32, message: impl Into<String>) -> PtxError {
        PtxError { kind: PtxErrorKind::Syntax, line, text: String::new(), message: message.into() }
    }

    pub(crate) fn unsupported(line: u32, message: impl Into<String>) -> PtxError {
        PtxError { kind: PtxErrorKind::Unsupported, line, text: String::new(), message: message.into() }
    }

    /// The same error with the text of its line.
    pub(crate) fn with_text(mut self, source: &str) -> PtxError {
        let index = (self.line as usize).checked_sub(1);
        let line = index.and_then(|index| source.lines().nth(index)).unwrap_or("");
        self.text = line.trim().chars().take(160).collect();
        self
    }
}

impl fmt::Display for PtxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            PtxErrorKind::Syntax => f.write_str("invalid PTX")?,
            PtxErrorKind::Unsupported => f.write_str("PTX that the simulator does not support")?,
        }
        if self.line > 0 {
            write!(f, ", line {}", self.line)?;
        }
        write!(f, ": {}", self.message)?;
        if !self.text.is_empty() {
            write!(f, ": `{}`", self.text)?;
        }
        Ok(())
    }
}

impl Error for PtxError {}
