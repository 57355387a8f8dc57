//! `cargo xtask bindgen [--check] [--toolkits FOLDER]`: makes the checked-in bindings.
//!
//! Reads the headers of CUDA 13.5 (driver and runtime) and 12.9 (runtime) from
//! `FOLDER/toolkit-13.5` and `FOLDER/toolkit-12.9`; `FOLDER` is `.real-libs` (or what
//! `CUDA_RT_REAL_LIBS` names), which `scripts/real-libs.sh` fills. With `--check` nothing is written and any difference is an error.

use std::error::Error;
use std::path::{Path, PathBuf};

use cuda_bindgen::{
    Api, Bindings, Module, common_functions, emit_fields, emit_functions, emit_symbols, emit_types, generate,
    share_with,
};

/// Runs the task.
///
/// # Errors
/// The headers are not there or not understood, a file can't be written, or `--check` found a
/// difference.
pub(crate) fn run(args: &[String]) -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut check = false;
    let mut toolkits = std::env::var_os("CUDA_RT_REAL_LIBS").map_or_else(|| root.join(".real-libs"), PathBuf::from);
    let mut rest = args.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--check" => check = true,
            "--toolkits" => {
                toolkits = PathBuf::from(rest.next().ok_or("--toolkits needs a folder")?);
            }
            other => {
                return Err(format!("unknown argument {other}; known are --check and --toolkits FOLDER").into());
            }
        }
    }
    let files = generate_all(&toolkits)?;
    let mut differing = Vec::new();
    for (path, text) in files {
        let path = root.join(path);
        if std::fs::read_to_string(&path).is_ok_and(|old| old == text) {
            continue;
        }
        if check {
            differing.push(path.display().to_string());
            continue;
        }
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        println!("wrote {}", path.display());
    }
    if differing.is_empty() {
        println!("the bindings are up to date");
        return Ok(());
    }
    Err(format!("these differ from what the headers give; run `cargo xtask bindgen`:\n  {}", differing.join("\n  "))
        .into())
}

fn read(toolkits: &Path, version: &str, api: Api) -> Result<(Bindings, String), Box<dyn Error>> {
    let include = toolkits.join(format!("toolkit-{version}/include")).display().to_string();
    let header = format!("{include}/{}", api.header());
    if !Path::new(&header).is_file() {
        return Err(format!("{header} is missing; scripts/real-libs.sh brings it").into());
    }
    Ok((generate(api, &header, std::slice::from_ref(&include))?, include))
}

/// All files and their text.
fn generate_all(toolkits: &Path) -> Result<Vec<(String, String)>, Box<dyn Error>> {
    let mut files = Vec::new();
    let mut put = |path: &str, text: String| files.push((path.to_owned(), text));

    let (driver, include) = read(toolkits, "13.5", Api::Driver)?;
    put("cuda-driver-sys/src/bindings/types.rs", emit_types(&driver, None));
    put("cuda-driver-sys/src/bindings/functions.rs", emit_functions(&driver, Module::Driver));
    put("cuda-driver-sys/src/bindings/symbols.txt", emit_symbols(&driver));
    put("cuda-driver-sys/src/bindings/fields.rs", emit_fields(&driver, &include));

    let (new, include) = read(toolkits, "13.5", Api::Runtime)?;
    put("cuda-runtime-sys/src/bindings/v13/types.rs", emit_types(&new, None));
    put("cuda-runtime-sys/src/bindings/v13/functions.rs", emit_functions(&new, Module::Major(13)));
    put("cuda-runtime-sys/src/bindings/v13/symbols.txt", emit_symbols(&new));
    put("cuda-runtime-sys/src/bindings/v13/fields.rs", emit_fields(&new, &include));

    let (mut old, include) = read(toolkits, "12.9", Api::Runtime)?;
    put("cuda-runtime-sys/src/bindings/v12/fields.rs", emit_fields(&old, &include));
    let (common, traps) = common_functions(&old, &new);
    share_with(&mut old, &new);
    put("cuda-runtime-sys/src/bindings/v12/types.rs", emit_types(&old, Some("crate::v13")));
    put("cuda-runtime-sys/src/bindings/v12/functions.rs", emit_functions(&old, Module::Major(12)));
    put("cuda-runtime-sys/src/bindings/v12/symbols.txt", emit_symbols(&old));
    put("cuda-runtime-sys/src/bindings/common/functions.rs", emit_functions(&common, Module::Common));
    put("cuda-runtime-sys/src/bindings/common/traps.txt", traps.join("\n") + "\n");

    println!(
        "driver {}, runtime 13 {}, runtime 12 {}, common {} functions; {} share a name but not an ABI",
        driver.function_count(),
        new.function_count(),
        old.function_count(),
        common.function_count(),
        traps.len()
    );
    Ok(files)
}
