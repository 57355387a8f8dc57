//! The parts of an instruction's name after its first dot, taken one by one; what is left in the end is unsupported.

use super::super::sem::round::Rounding;
use super::super::types::{Space, Ty};

/// The parts not taken yet.
pub(super) struct Modifiers<'a> {
    left: Vec<&'a str>,
}

impl<'a> Modifiers<'a> {
    pub(super) fn new(parts: &[&'a str]) -> Modifiers<'a> {
        Modifiers { left: parts.to_vec() }
    }

    /// Takes `name` if it is there.
    pub(super) fn take(&mut self, name: &str) -> bool {
        self.take_by(|part| (part == name).then_some(())).is_some()
    }

    /// Takes the first part for which `f` gives something.
    pub(super) fn take_by<T>(&mut self, f: impl Fn(&'a str) -> Option<T>) -> Option<T> {
        let (index, found) = self.left.iter().enumerate().find_map(|(index, part)| Some((index, f(part)?)))?;
        self.left.remove(index);
        Some(found)
    }

    /// Takes the first of the names that is there.
    pub(super) fn take_one(&mut self, names: &[&'static str]) -> Option<&'static str> {
        self.take_by(|part| names.iter().copied().find(|name| *name == part))
    }

    /// Takes the first type.
    pub(super) fn ty(&mut self) -> Option<Ty> {
        self.take_by(Ty::parse)
    }

    /// Takes a state space.
    pub(super) fn space(&mut self) -> Option<Space> {
        self.take_by(Space::parse)
    }

    /// Takes a rounding mode; `.approx` and `.full` are rounded to the nearest here.
    pub(super) fn rounding(&mut self) -> Rounding {
        self.take_by(|part| match part {
            "rn" | "approx" | "full" => Some(Rounding::Nearest),
            "rz" => Some(Rounding::Zero),
            "rm" => Some(Rounding::Down),
            "rp" => Some(Rounding::Up),
            _ => None,
        })
        .unwrap_or(Rounding::Nearest)
    }

    /// Takes `.rni` and its like.
    pub(super) fn integral(&mut self) -> Option<Rounding> {
        self.take_by(|part| match part {
            "rni" => Some(Rounding::Nearest),
            "rzi" => Some(Rounding::Zero),
            "rmi" => Some(Rounding::Down),
            "rpi" => Some(Rounding::Up),
            _ => None,
        })
    }

    /// Drops what says only how caches are used.
    pub(super) fn ignore_caching(&mut self) {
        self.left.retain(|part| {
            !matches!(*part, "ca" | "cg" | "cs" | "lu" | "cv" | "wb" | "wt" | "nc")
                && !part.starts_with("L1::")
                && !part.starts_with("L2::")
        });
    }

    /// Drops everything.
    pub(super) fn ignore_rest(&mut self) {
        self.left.clear();
    }

    /// The first part that nobody took.
    pub(super) fn first_left(&self) -> Option<&'a str> {
        self.left.first().copied()
    }
}
