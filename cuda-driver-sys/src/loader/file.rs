//! Why a file can't be a library, in words that are better than the system's.

use std::fs;
use std::io::Read;
use std::path::Path;

/// What is wrong with a file, if anything is: missing, dangling link, empty, text, built for
/// another processor.
pub(super) fn problem(path: &Path) -> Option<String> {
    let Ok(metadata) = fs::metadata(path) else {
        return Some(match fs::read_link(path) {
            Ok(target) => format!("dangling symlink to {}", target.display()),
            Err(_) => match fs::symlink_metadata(path) {
                Ok(_) => "it can't be read".to_owned(),
                Err(error) => format!("no such file ({error})"),
            },
        });
    };
    if metadata.is_dir() {
        return Some("it is a directory; the path of the file is wanted".to_owned());
    }
    if metadata.len() == 0 {
        return Some("empty file".to_owned());
    }
    let mut start = [0_u8; 20];
    let mut file = match fs::File::open(path) {
        Ok(file) => file,
        Err(error) => return Some(format!("it can't be opened: {error}")),
    };
    let length = file.read(&mut start).unwrap_or(0);
    describe(&start[..length])
}

/// What is wrong with a file that starts like this.
fn describe(start: &[u8]) -> Option<String> {
    if cfg!(windows) {
        return (!start.starts_with(b"MZ")).then(|| "it is no DLL".to_owned());
    }
    if !cfg!(target_os = "linux") {
        return None;
    }
    if !start.starts_with(b"\x7fELF") {
        let text = start.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace());
        return Some(if text { "text file, not a library".to_owned() } else { "not an ELF library".to_owned() });
    }
    let machine = match start {
        [.., low, high] if start.len() == 20 => u16::from_le_bytes([*low, *high]),
        _ => return Some("truncated file".to_owned()),
    };
    // EM_X86_64 and EM_AARCH64.
    let name = |machine| match machine {
        3 => "32-bit x86".to_owned(),
        62 => "x86-64".to_owned(),
        183 => "AArch64".to_owned(),
        other => format!("ELF machine {other}"),
    };
    let own = if cfg!(target_arch = "x86_64") {
        62
    } else if cfg!(target_arch = "aarch64") {
        183
    } else {
        return None;
    };
    (machine != own).then(|| format!("built for another processor: {}, not {}", name(machine), name(own)))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::describe;

    #[test]
    fn start_of_file_is_described() {
        assert_eq!(describe(b"hello\n").as_deref(), Some("text file, not a library"));
        assert_eq!(describe(&[0xff; 20]).as_deref(), Some("not an ELF library"));
        assert_eq!(describe(b"\x7fELF").as_deref(), Some("truncated file"));
        let mut elf = [0; 20];
        elf[..4].copy_from_slice(b"\x7fELF");
        elf[18] = 3;
        assert!(describe(&elf).is_some_and(|text| text.contains("another processor: 32-bit x86")));
    }
}
