//! What is known about every code of the two APIs: names, meaning, likely cause, next step.
//!
//! One table serves both layers: the numbers of `CUresult` and `cudaError_t` that coincide mean the
//! same. The table is data in the program: it needs no CUDA library, and a number that is not in it
//! is not an error of the caller's ([`lookup`] gives `None`, the number itself stays valid).
//!
//! Names are those of CUDA 13.5, the newest headers this crate knows; a test compares them with the
//! generated bindings. Meanings and hints are this project's own words.

mod high;
mod low;
mod middle;

/// What kind of trouble a code stands for, and so what can be done about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Class {
    /// The machine, its driver or its libraries are the cause; the program can't mend it, whoever
    /// runs it can. `cuda_rt::check()` tells more.
    Environment,
    /// The call was wrong: arguments, handles, order of calls, the image. Fix the program.
    Usage,
    /// Memory or another limited resource ran out. Free some, or ask for less.
    Resource,
    /// May be the failure of earlier work, reported late. Contexts may or may not survive it.
    AsyncFault,
    /// The failure of earlier work, after which no CUDA call of this process works: start a new
    /// process.
    Sticky,
    /// May pass: the same call can succeed later.
    Transient,
    /// The process is ending and CUDA is gone already.
    Shutdown,
    /// An answer rather than a failure: success, work pending, something that was done already.
    NotAnError,
}

/// What is known about one code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The number, as the C function returns it.
    pub code: u32,
    /// The constant of `CUresult`, if the driver API has this number.
    pub driver_name: Option<&'static str>,
    /// The constant of `cudaError_t`, if the runtime API has this number.
    pub runtime_name: Option<&'static str>,
    /// What it means, in a few words.
    pub text: &'static str,
    /// The likely cause and the next step.
    pub hint: &'static str,
    /// What kind of trouble it is.
    pub class: Class,
}

/// The table in three parts, each sorted, the parts in order.
const PARTS: [&[Entry]; 3] = [low::ENTRIES, middle::ENTRIES, high::ENTRIES];

/// The entry of a code; `None` for a number that the headers of CUDA 13.5 do not have.
#[must_use]
pub fn lookup(code: u32) -> Option<&'static Entry> {
    let part = PARTS.into_iter().find(|part| part.last().is_some_and(|last| code <= last.code))?;
    part.binary_search_by_key(&code, |entry| entry.code).ok().and_then(|index| part.get(index))
}

/// Every entry, by number.
pub fn all() -> impl Iterator<Item = &'static Entry> {
    PARTS.into_iter().flatten()
}

/// Name of a constant; `-` stands for none.
const fn name(text: &'static str) -> Option<&'static str> {
    if text.len() > 1 { Some(text) } else { None }
}

/// Rows of the table: number, name in the driver API, name in the runtime API (`-` if there is
/// none), class; text; hint.
macro_rules! entries {
    ($($code:literal $driver:tt $runtime:tt $class:ident: $text:literal; $hint:literal;)*) => {
        pub(super) const ENTRIES: &[super::Entry] = &[$(super::Entry {
            code: $code,
            driver_name: super::name(stringify!($driver)),
            runtime_name: super::name(stringify!($runtime)),
            text: $text,
            hint: $hint,
            class: super::Class::$class,
        }),*];
    };
}
use entries;

#[cfg(test)]
mod tests;
