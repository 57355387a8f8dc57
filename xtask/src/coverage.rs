//! `cargo xtask coverage`: which functions of both headers the safe layer reaches, into docs/COVERAGE.md.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::gpu_bundle::root;

mod uses;

type Result<T, E = Box<dyn Error>> = std::result::Result<T, E>;

/// What the headers declare, in groups.
const FUNCTIONS: &str = include_str!("coverage/functions.txt");

/// The functions of one subject.
struct Group {
    api: &'static str,
    title: &'static str,
    /// Why they stay raw; empty if they are to be reached.
    reason: &'static str,
    functions: Vec<&'static str>,
}

const DEPRECATED: &str = "deprecated";

/// Writes the file, or with `--check` compares it with what would be written.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let check = match arguments {
        [] => false,
        [flag] if flag == "--check" => true,
        _ => return Err("usage: cargo xtask coverage [--check]".into()),
    };
    let groups = groups()?;
    let mut users = BTreeMap::new();
    for file in rust_files(&root().join("cuda-rt/src"))? {
        uses::collect(&root().join("cuda-rt/src"), &file, &mut users)?;
    }
    let symbols = [
        bound("driver", &groups, "cuda-driver-sys/src/bindings/symbols.txt")?,
        bound("runtime", &groups, "cuda-runtime-sys/src/bindings/v13/symbols.txt")?,
    ];
    let text = page(&groups, &users, symbols)?;
    let path = root().join("docs/COVERAGE.md");
    if check {
        if fs::read_to_string(&path).unwrap_or_default() != text {
            return Err("docs/COVERAGE.md is not what the sources say; run `cargo xtask coverage`".into());
        }
    } else {
        fs::write(&path, &text)?;
    }
    for line in text.lines().filter(|line| line.starts_with("| c")).take(2) {
        println!("{line}");
    }
    Ok(())
}

fn groups() -> Result<Vec<Group>> {
    let mut groups: Vec<Group> = Vec::new();
    for line in FUNCTIONS.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        if line.starts_with(' ') {
            let group = groups.last_mut().ok_or("functions.txt: names before the first group")?;
            group.functions.extend(line.split_whitespace());
            continue;
        }
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let [api, title, reason] = parts[..] else {
            return Err(format!("functions.txt: {line}").into());
        };
        groups.push(Group { api, title, reason, functions: Vec::new() });
    }
    Ok(groups)
}

/// Every `.rs` file below a folder, tests left out.
fn rust_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            found.extend(rust_files(&path)?);
        } else if name.ends_with(".rs") && name != "tests.rs" {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Old ABIs that no function of today's header stands for.
const WITHOUT_FUNCTION: [&str; 1] = ["cuGraphInstantiate"];

/// Compares the list with the table of symbols that a -sys crate binds; the number of symbols.
fn bound(api: &str, groups: &[Group], table: &str) -> Result<usize> {
    let path = root().join(table);
    let text = fs::read_to_string(&path).map_err(|error| format!("{table}: {error}"))?;
    let symbols: BTreeSet<&str> = text.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let listed: Vec<&str> = groups.iter().filter(|g| g.api == api).flat_map(|g| g.functions.iter().copied()).collect();
    let unbound: Vec<_> = listed.iter().filter(|function| !symbols.contains(**function)).collect();
    if !unbound.is_empty() {
        return Err(format!("in functions.txt but not in {table}: {unbound:?}").into());
    }
    let bases: BTreeSet<&str> = listed.iter().copied().map(base).chain(WITHOUT_FUNCTION).collect();
    let unlisted: Vec<_> = symbols.iter().filter(|symbol| !bases.contains(base(symbol))).collect();
    if !unlisted.is_empty() {
        return Err(format!("in {table} but not in functions.txt: {unlisted:?}").into());
    }
    Ok(symbols.len())
}

/// The name without `_v2` and the like, and without the mark of per-thread default streams.
fn base(symbol: &str) -> &str {
    let name = symbol.strip_suffix("_ptsz").or_else(|| symbol.strip_suffix("_ptds")).unwrap_or(symbol);
    match name.rsplit_once("_v") {
        Some((base, version)) if !version.is_empty() && version.bytes().all(|b| b.is_ascii_digit()) => base,
        _ => name,
    }
}

/// Whom a function is used by: itself, or another version of it where the header has but one.
fn users_of<'a>(
    function: &str,
    all: &[Group],
    users: &'a BTreeMap<String, BTreeSet<String>>,
) -> Option<&'a BTreeSet<String>> {
    if let Some(found) = users.get(function) {
        return Some(found);
    }
    let same_base = |name: &str| base(name) == base(function);
    let versions = all.iter().flat_map(|group| &group.functions).filter(|name| same_base(name)).count();
    users.iter().find(|(name, _)| versions == 1 && same_base(name)).map(|(_, found)| found)
}

fn page(groups: &[Group], users: &BTreeMap<String, BTreeSet<String>>, symbols: [usize; 2]) -> Result<String> {
    let mut head = format!(
        "# Coverage\n\nWritten by `cargo xtask coverage`; not edited by hand. What the headers of CUDA 13.5 declare, and what of it the\n\
         safe layer, `cuda-rt`, calls. All of it is bound in the -sys crates: {} symbols of the driver and {} of the runtime, with\n\
         old ABIs and per-thread variants.\n\n",
        symbols[0], symbols[1]
    );
    head.push_str("| header | functions | deprecated | safe | raw for a reason | not reached yet | safe of those not deprecated |\n");
    head.push_str("|---|---|---|---|---|---|---|\n");
    let mut body = String::new();
    for (api, header) in [("driver", "cuda.h"), ("runtime", "cuda_runtime_api.h")] {
        writeln!(body, "\n## {header}\n")?;
        let (mut safe, mut raw, mut open, mut deprecated) = (0, 0, 0, 0);
        for group in groups.iter().filter(|group| group.api == api) {
            writeln!(body, "### {}\n", group.title)?;
            if group.reason == DEPRECATED {
                deprecated += group.functions.len();
                writeln!(body, "*deprecated*: {}\n", names(&group.functions))?;
                continue;
            }
            let (used, unused): (Vec<&str>, Vec<&str>) =
                group.functions.iter().partition(|function| users_of(function, groups, users).is_some());
            safe += used.len();
            if !used.is_empty() {
                body.push_str("| safe | used by |\n|---|---|\n");
                for function in used {
                    let by = users_of(function, groups, users).into_iter().flatten();
                    let by: Vec<_> = by.map(|item| format!("`{item}`")).collect();
                    writeln!(body, "| `{function}` | {} |", by.join(", "))?;
                }
                body.push('\n');
            }
            if unused.is_empty() {
                continue;
            }
            if group.reason.is_empty() {
                open += unused.len();
                writeln!(body, "*raw only, because* the safe layer does not reach them yet: {}\n", names(&unused))?;
            } else {
                raw += unused.len();
                writeln!(body, "*raw only, because* {}: {}\n", group.reason, names(&unused))?;
            }
        }
        let all = safe + raw + open + deprecated;
        let percent = 100 * safe / (all - deprecated).max(1);
        writeln!(head, "| {header} | {all} | {deprecated} | {safe} | {raw} | {open} | {percent} % |")?;
    }
    Ok(format!("{head}{}\n", body.trim_end()))
}

fn names(functions: &[&str]) -> String {
    functions.iter().map(|function| format!("`{function}`")).collect::<Vec<_>>().join(", ")
}
