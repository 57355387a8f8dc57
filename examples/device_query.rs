//! The same questions to both layers, side by side, and the same mistakes: how each of them fails.
//!
//! `cargo run --example device_query [-- --sim]`

use std::env;
use std::fmt::Display;
use std::process::ExitCode;

use cuda_rt::driver::DeviceAttribute;
use cuda_rt::{LayerError, Report, driver, runtime};

#[path = "common/place.rs"]
mod place;

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    if arguments.iter().any(|argument| argument != "--sim") {
        eprintln!("usage: [--sim]\n  --sim  use the simulator, even if there is a driver");
        return ExitCode::FAILURE;
    }
    let place = place::Place::choose(!arguments.is_empty());
    if let Some(notice) = place.notice() {
        println!("{notice}\n");
    }
    println!("{:<26} {:<44} runtime layer", "", "driver layer");
    let mut table = Table::default();
    table.row("library", driver_library(), runtime_library());
    table.row(
        "serves CUDA up to",
        driver::version(),
        runtime::driver_version().map(|v| v.map_or("none".to_owned(), |v| v.to_string())),
    );
    let devices = (driver::Device::count(), runtime::device_count());
    table.row("devices", devices.0.clone(), devices.1.clone());
    let count = devices.0.clone().unwrap_or(0).max(devices.1.clone().unwrap_or(0));
    for ordinal in 0..count {
        println!();
        device(&mut table, ordinal);
    }
    if count == 0 {
        eprintln!("\n{}", Report::collect());
        return ExitCode::from(2);
    }

    println!("\nthe same mistakes");
    table.row("device 99", driver::Device::new(99).map(|d| d.ordinal()), runtime::set_device(99).map(|()| "selected"));
    table.row("an image that is none", driver_load(b"not an image"), runtime_load(b"not an image"));
    table.row(
        "PTX that is none",
        driver_load(b".version 7.0\n.target sm_50\n???"),
        runtime_load(b".version 7.0\n.target sm_50\n???"),
    );
    table.row("a kernel that is not there", driver_load(EMPTY), runtime_load(EMPTY));
    ExitCode::SUCCESS
}

/// A module with one kernel, which is not the one asked for.
const EMPTY: &[u8] = b".version 7.0\n.target sm_50\n.address_size 64\n.visible .entry nothing() { ret; }\n";

/// Facts about one device.
fn device(table: &mut Table, ordinal: u32) {
    let (d, r) = match (driver::Device::new(ordinal), runtime::Device::new(ordinal)) {
        (Ok(d), Ok(r)) => (d, r),
        (d, r) => {
            return table.row(&format!("device {ordinal}"), d.map(|_| "there"), r.map(|_| "there"));
        }
    };
    table.row(&format!("device {ordinal}"), d.name(), r.name());
    table.row("  UUID", d.uuid(), r.uuid());
    table.row("  PCI bus", d.pci_bus_id(), r.pci_bus_id());
    let capability = |(major, minor): (u32, u32)| format!("{major}.{minor}");
    table.row("  compute capability", d.compute_capability().map(capability), r.compute_capability().map(capability));
    table.row("  memory", d.total_memory().map(mebibytes), r.total_memory().map(mebibytes));
    for (name, attribute) in [
        ("  multiprocessors", DeviceAttribute::MULTIPROCESSOR_COUNT),
        ("  threads per block", DeviceAttribute::MAX_THREADS_PER_BLOCK),
        ("  shared memory per block", DeviceAttribute::MAX_SHARED_MEMORY_PER_BLOCK),
        ("  memory pools", DeviceAttribute::MEMORY_POOLS_SUPPORTED),
    ] {
        table.row(name, d.attribute(attribute), r.attribute(attribute));
    }
}

fn driver_library() -> driver::Result<String> {
    driver::init().map(|()| "initialised".to_owned())
}

fn runtime_library() -> runtime::Result<String> {
    runtime::version().map(|version| format!("libcudart {version}"))
}

fn driver_load(image: &[u8]) -> driver::Result<String> {
    let context = driver::Context::primary(driver::Device::new(0)?)?;
    driver::Module::load(&context, image)?.kernel("saxpy").map(|kernel| kernel.name().to_owned())
}

fn runtime_load(image: &[u8]) -> runtime::Result<String> {
    runtime::set_device(0)?;
    runtime::Library::load(image)?.kernel("saxpy").map(|kernel| kernel.name().to_owned())
}

fn mebibytes(bytes: usize) -> String {
    format!("{} MiB", bytes >> 20)
}

/// Prints questions with both answers.
#[derive(Default)]
struct Table {
    /// Which layers have told already that their library can't be loaded.
    told: [bool; 2],
}

impl Table {
    /// One question; failures below each other, since they are long.
    fn row<A: Display, B: Display>(&mut self, what: &str, driver: driver::Result<A>, runtime: runtime::Result<B>) {
        match (driver, runtime) {
            (Ok(driver), Ok(runtime)) => {
                println!("{what:<26} {:<44} {runtime}", driver.to_string());
            }
            (driver, runtime) => {
                println!("{what}");
                println!("    driver layer: {}", Self::answer(driver, &mut self.told[0]));
                println!("    runtime layer: {}", Self::answer(runtime, &mut self.told[1]));
            }
        }
    }

    fn answer<A: Display, L>(answer: Result<A, LayerError<L>>, told: &mut bool) -> String {
        match answer {
            Ok(answer) => answer.to_string(),
            Err(error) if error.load_error().is_some() && *told => {
                format!("error: {}: not loaded either", error.api())
            }
            Err(error) => {
                *told |= error.load_error().is_some();
                format!("error: {}", error.to_string().trim_end().replace('\n', "\n        "))
            }
        }
    }
}
