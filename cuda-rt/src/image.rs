//! Device code as bytes: what kind it is, and whether the driver may be handed it.
//!
//! The driver takes a pointer without a length, so it would read past the end of a truncated image
//! or of PTX without a terminating zero. Here lengths are checked and PTX is terminated.

use std::borrow::Cow;
use std::fmt;

/// What the bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ImageKind {
    /// Assembly text, compiled by the driver when it is loaded.
    Ptx,
    /// Machine code of one architecture (an ELF file).
    Cubin,
    /// Several of these in one container.
    Fatbin,
}

/// Why bytes are refused as an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ImageError {
    /// There are none.
    Empty,
    /// Neither PTX, nor cubin, nor fatbin.
    Unknown,
    /// It starts as a cubin or fatbin, and its headers are none that a compiler writes.
    Malformed {
        /// Which one.
        kind: ImageKind,
    },
    /// A cubin or fatbin whose own headers name more bytes than there are.
    Truncated {
        /// Which one.
        kind: ImageKind,
        /// Bytes that its headers name.
        needed: u64,
        /// Bytes given.
        given: usize,
    },
    /// A zero byte inside PTX text.
    Nul {
        /// Where.
        position: usize,
    },
}

impl fmt::Display for ImageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the image is empty"),
            Self::Unknown => f.write_str("the image is neither PTX, nor cubin, nor fatbin"),
            Self::Malformed { kind } => write!(f, "malformed {kind:?}: its headers are none that a compiler writes"),
            Self::Truncated { kind, needed, given } => {
                write!(f, "truncated {kind:?}: its headers name {needed} bytes, {given} given")
            }
            Self::Nul { position } => write!(f, "PTX with a zero byte at {position}"),
        }
    }
}

impl std::error::Error for ImageError {}

/// Bytes that the driver may be handed: of a known kind, complete, aligned.
#[derive(Debug)]
pub(crate) struct Checked<'a> {
    pub(crate) kind: ImageKind,
    bytes: Cow<'a, [u64]>,
}

impl Checked<'_> {
    pub(crate) fn as_ptr(&self) -> *const std::ffi::c_void {
        self.bytes.as_ptr().cast()
    }
}

/// The driver reads headers as words; images in `include_bytes!` may have any alignment.
fn aligned(bytes: &[u8], terminate: bool) -> Cow<'_, [u64]> {
    if !terminate {
        if let Ok(words) = bytemuck::try_cast_slice(bytes) {
            return Cow::Borrowed(words);
        }
    }
    let mut words = vec![0_u64; bytes.len() / 8 + 1];
    bytemuck::cast_slice_mut(&mut words)[..bytes.len()].copy_from_slice(bytes);
    Cow::Owned(words)
}

/// The kind of an image, by its content.
///
/// # Errors
/// [`ImageError`], if it is none or incomplete.
pub fn image_kind(bytes: &[u8]) -> Result<ImageKind, ImageError> {
    const FATBIN: [u8; 4] = 0xba55_ed50_u32.to_le_bytes();
    let (kind, needed) = match bytes {
        [] => return Err(ImageError::Empty),
        [0x7f, b'E', b'L', b'F', ..] => (ImageKind::Cubin, elf_extent(bytes)),
        _ if bytes.starts_with(&FATBIN) => (ImageKind::Fatbin, fatbin_extent(bytes)),
        _ => return text(bytes),
    };
    match needed {
        Some(needed) if needed <= bytes.len() as u64 => Ok(kind),
        Some(needed) => Err(ImageError::Truncated { kind, needed, given: bytes.len() }),
        None => Err(ImageError::Malformed { kind }),
    }
}

/// Checks and prepares an image for the driver.
pub(crate) fn check(bytes: &[u8]) -> Result<Checked<'_>, ImageError> {
    let kind = image_kind(bytes)?;
    // Text without its terminating zeros, which it gets anew.
    let end = bytes.iter().rposition(|&b| b != 0).map_or(0, |last| last + 1);
    let bytes = if kind == ImageKind::Ptx { &bytes[..end] } else { bytes };
    Ok(Checked { kind, bytes: aligned(bytes, kind == ImageKind::Ptx) })
}

/// PTX: text whose first directive is `.version`, after comments.
fn text(bytes: &[u8]) -> Result<ImageKind, ImageError> {
    let end = bytes.iter().rposition(|&b| b != 0).map_or(0, |last| last + 1);
    let bytes = &bytes[..end];
    let mut rest = bytes;
    loop {
        rest = rest.trim_ascii_start();
        if let Some(line) = rest.strip_prefix(b"//") {
            rest = line.iter().position(|&b| b == b'\n').map_or(&[][..], |at| &line[at..]);
        } else if let Some(block) = rest.strip_prefix(b"/*") {
            rest = block.windows(2).position(|w| w == b"*/").map_or(&[][..], |at| &block[at + 2..]);
        } else {
            break;
        }
    }
    if !rest.starts_with(b".version") {
        return Err(ImageError::Unknown);
    }
    match bytes.iter().position(|&b| b == 0) {
        Some(position) => Err(ImageError::Nul { position }),
        None => Ok(ImageKind::Ptx),
    }
}

fn field<const N: usize>(bytes: &[u8], at: u64) -> Option<[u8; N]> {
    let at = usize::try_from(at).ok()?;
    bytes.get(at..at.checked_add(N)?)?.try_into().ok()
}

fn u64_at(bytes: &[u8], at: u64) -> Option<u64> {
    field(bytes, at).map(u64::from_le_bytes)
}

fn u16_at(bytes: &[u8], at: u64) -> Option<u64> {
    field(bytes, at).map(|b| u16::from_le_bytes(b).into())
}

fn u32_at(bytes: &[u8], at: u64) -> Option<u64> {
    field(bytes, at).map(|b| u32::from_le_bytes(b).into())
}

/// Bytes that a 64-bit little-endian ELF file names: headers, segments and sections. `None` if it is
/// no such file, or its tables are not of the standard form.
fn elf_extent(bytes: &[u8]) -> Option<u64> {
    const NOBITS: u64 = 8;
    const CLASS_64_LITTLE_ENDIAN: [u8; 2] = [2, 1];
    const SEGMENT_BYTES: u64 = 56;
    const SECTION_BYTES: u64 = 64;
    if field(bytes, 4)? != CLASS_64_LITTLE_ENDIAN {
        return None;
    }
    let (segments, sections) = (u64_at(bytes, 32)?, u64_at(bytes, 40)?);
    let (segment_bytes, segment_count) = (u16_at(bytes, 54)?, u16_at(bytes, 56)?);
    let (section_bytes, section_count) = (u16_at(bytes, 58)?, u16_at(bytes, 60)?);
    let regular = |start: u64, size: u64, count: u64, standard: u64| {
        // A start without a count is how more than 65279 entries are written: refused too.
        if count == 0 { start == 0 } else { size == standard }
    };
    if !regular(segments, segment_bytes, segment_count, SEGMENT_BYTES)
        || !regular(sections, section_bytes, section_count, SECTION_BYTES)
    {
        return None;
    }
    let segments_end = segments.checked_add(SEGMENT_BYTES * segment_count)?;
    let sections_end = sections.checked_add(SECTION_BYTES * section_count)?;
    let mut extent = segments_end.max(sections_end).max(64);
    if extent > bytes.len() as u64 {
        return Some(extent);
    }
    for i in 0..segment_count {
        let at = segments + i * SEGMENT_BYTES;
        extent = extent.max(u64_at(bytes, at + 8)?.checked_add(u64_at(bytes, at + 32)?)?);
    }
    for i in 0..section_count {
        let at = sections + i * SECTION_BYTES;
        if u32_at(bytes, at + 4)? != NOBITS {
            extent = extent.max(u64_at(bytes, at + 24)?.checked_add(u64_at(bytes, at + 32)?)?);
        }
    }
    Some(extent)
}

/// Bytes that a fatbin names: its header, and entries that fill its payload, each a header with its
/// own size and the size of what follows.
fn fatbin_extent(bytes: &[u8]) -> Option<u64> {
    const HEADER_BYTES: u64 = 16;
    const ENTRY_HEADER_BYTES: u64 = 16;
    let header = u16_at(bytes, 6)?;
    if header < HEADER_BYTES {
        return None;
    }
    let end = header.checked_add(u64_at(bytes, 8)?)?;
    let mut at = header;
    while at < end && end <= bytes.len() as u64 {
        let entry_header = u32_at(bytes, at + 4)?;
        if entry_header < ENTRY_HEADER_BYTES {
            return None;
        }
        at = at.checked_add(entry_header)?.checked_add(u64_at(bytes, at + 8)?)?;
    }
    Some(end.max(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One entry of `content` bytes.
    fn fatbin(content: usize) -> Vec<u8> {
        let mut bytes = 0xba55_ed50_u32.to_le_bytes().to_vec();
        bytes.extend(1_u16.to_le_bytes());
        bytes.extend(16_u16.to_le_bytes());
        bytes.extend((16 + content as u64).to_le_bytes());
        bytes.extend(2_u32.to_le_bytes());
        bytes.extend(16_u32.to_le_bytes());
        bytes.extend((content as u64).to_le_bytes());
        bytes.resize(32 + content, 7);
        bytes
    }

    /// A header, and one section of `size` bytes behind it and the section table.
    fn elf(size: u64) -> Vec<u8> {
        let mut bytes = vec![0; 64];
        bytes[..6].copy_from_slice(b"\x7fELF\x02\x01");
        bytes[40..48].copy_from_slice(&64_u64.to_le_bytes());
        bytes[58..60].copy_from_slice(&64_u16.to_le_bytes());
        bytes[60..62].copy_from_slice(&1_u16.to_le_bytes());
        let mut section = vec![0; 64];
        section[4..8].copy_from_slice(&1_u32.to_le_bytes());
        section[24..32].copy_from_slice(&128_u64.to_le_bytes());
        section[32..40].copy_from_slice(&size.to_le_bytes());
        bytes.extend(section);
        bytes
    }

    fn whole_elf() -> Vec<u8> {
        let mut cubin = elf(16);
        cubin.resize(144, 0);
        cubin
    }

    #[test]
    fn hostile_headers_are_refused() {
        let with = |mut bytes: Vec<u8>, at: usize, value: &[u8]| {
            bytes[at..at + value.len()].copy_from_slice(value);
            image_kind(&bytes)
        };
        let far = &(1_u64 << 40).to_le_bytes()[..];
        assert!(image_kind(&whole_elf()).is_ok() && image_kind(&fatbin(24)).is_ok());
        assert!(with(whole_elf(), 4, &[1]).is_err(), "32-bit class");
        assert!(with(whole_elf(), 58, &[0, 0, 0xff, 0xff]).is_err(), "sections of no size");
        assert!(with(with_sections_at(1 << 40), 60, &[0, 0]).is_err(), "a far table without a count");
        assert!(with(whole_elf(), 32, far).is_err(), "segments without a count");
        assert!(with(fatbin(24), 6, &[0, 0]).is_err(), "no header");
        assert!(with(fatbin(24), 24, far).is_err(), "an entry beyond the end");
        assert!(with(fatbin(24), 20, &[0; 4]).is_err(), "an entry without a header");
    }

    fn with_sections_at(start: u64) -> Vec<u8> {
        let mut bytes = whole_elf();
        bytes[40..48].copy_from_slice(&start.to_le_bytes());
        bytes
    }

    #[test]
    fn kinds_are_told_by_content() {
        assert_eq!(image_kind(b"//\n/* x */ .version 7.0\n.target sm_70\0"), Ok(ImageKind::Ptx));
        assert_eq!(image_kind(&fatbin(24)), Ok(ImageKind::Fatbin));
        assert_eq!(image_kind(&whole_elf()), Ok(ImageKind::Cubin));
        assert_eq!(image_kind(b""), Err(ImageError::Empty));
        assert_eq!(image_kind(b"garbage"), Err(ImageError::Unknown));
        assert_eq!(image_kind(b"/* never closed .version"), Err(ImageError::Unknown));
        assert_eq!(image_kind(b".version 7.0\0.target"), Err(ImageError::Nul { position: 12 }));
        assert_eq!(image_kind(b"\0\0"), Err(ImageError::Unknown));
    }

    #[test]
    fn every_truncation_is_refused() {
        for whole in [fatbin(24), whole_elf()] {
            for len in 1..whole.len() {
                assert!(image_kind(&whole[..len]).is_err(), "{len} of {}", whole.len());
            }
        }
    }

    #[test]
    fn sizes_that_overflow_are_refused() {
        assert!(image_kind(&elf(u64::MAX)).is_err());
        let mut container = fatbin(8);
        container[8..16].copy_from_slice(&u64::MAX.to_le_bytes());
        assert!(image_kind(&container).is_err());
    }

    #[test]
    fn ptx_is_terminated_and_every_alignment_accepted() {
        let text = b"x.version 7.0";
        let checked = check(&text[1..]).unwrap();
        let bytes: &[u8] = bytemuck::cast_slice(&checked.bytes);
        assert!(bytes.starts_with(b".version 7.0\0"));
        let mut shifted = vec![0; 1];
        shifted.extend(fatbin(24));
        assert_eq!(check(&shifted[1..]).unwrap().kind, ImageKind::Fatbin);
    }
}
