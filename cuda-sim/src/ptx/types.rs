//! The types of PTX values and how many bytes they have.

/// The type in an instruction's name, a declaration or a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Ty {
    Pred,
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S32,
    S64,
    F16,
    F16x2,
    Bf16,
    F32,
    F64,
}

impl Ty {
    /// The type that a suffix names; `b*` types count as unsigned.
    pub(crate) fn parse(name: &str) -> Option<Ty> {
        Some(match name {
            "pred" => Ty::Pred,
            "u8" | "b8" => Ty::U8,
            "u16" | "b16" => Ty::U16,
            "u32" | "b32" => Ty::U32,
            "u64" | "b64" => Ty::U64,
            "s8" => Ty::S8,
            "s16" => Ty::S16,
            "s32" => Ty::S32,
            "s64" => Ty::S64,
            "f16" => Ty::F16,
            "f16x2" => Ty::F16x2,
            "bf16" => Ty::Bf16,
            "f32" => Ty::F32,
            "f64" => Ty::F64,
            _ => return None,
        })
    }

    /// Bytes in memory; a predicate has none there, and counts as one.
    pub(crate) fn size(self) -> u32 {
        match self {
            Ty::Pred | Ty::U8 | Ty::S8 => 1,
            Ty::U16 | Ty::S16 | Ty::F16 | Ty::Bf16 => 2,
            Ty::U32 | Ty::S32 | Ty::F32 | Ty::F16x2 => 4,
            Ty::U64 | Ty::S64 | Ty::F64 => 8,
        }
    }

    /// Bits of a value.
    pub(crate) fn bits(self) -> u32 {
        self.size() * 8
    }

    /// Ones where a value of the type has bits.
    pub(crate) fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }

    pub(crate) fn is_signed(self) -> bool {
        matches!(self, Ty::S8 | Ty::S16 | Ty::S32 | Ty::S64)
    }

    pub(crate) fn is_float(self) -> bool {
        matches!(self, Ty::F16 | Ty::F16x2 | Ty::Bf16 | Ty::F32 | Ty::F64)
    }

    /// The integer type of twice the width, as `mul.wide` gives it.
    pub(crate) fn wide(self) -> Option<Ty> {
        Some(match self {
            Ty::U16 => Ty::U32,
            Ty::S16 => Ty::S32,
            Ty::U32 => Ty::U64,
            Ty::S32 => Ty::S64,
            _ => return None,
        })
    }
}

/// A state space that an address is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Space {
    Generic,
    Global,
    Shared,
    Local,
    Const,
    Param,
}

impl Space {
    pub(crate) fn parse(name: &str) -> Option<Space> {
        Some(match name {
            "global" => Space::Global,
            "shared" | "shared::cta" => Space::Shared,
            "local" => Space::Local,
            "const" => Space::Const,
            "param" | "param::entry" | "param::func" => Space::Param,
            _ => return None,
        })
    }
}

/// `value` rounded up to a multiple of `align`, a power of two.
pub(crate) fn align_up(value: u32, align: u32) -> u32 {
    value.saturating_add(align - 1) & !(align - 1)
}
