//! Every call of a scenario fails once: the safe crate gives an error, races nothing, frees nothing
//! twice, leaks nothing but what the failed call was to free, and goes on working.

#![allow(clippy::unwrap_used, clippy::cast_possible_truncation)]

mod common;

use std::sync::atomic::{AtomicU32, Ordering};

use cuda_rt::{Error, LaunchConfig, driver, runtime};
use cuda_sim::{Finding, FindingKind, Machine};

const N: usize = 64;

/// Several streams, both layers, kernels, copies, drops with work pending.
fn scenario() -> Result<(), Error> {
    let context = driver::Context::primary(driver::Device::new(0)?)?;
    let (a, b) = (driver::Stream::new(&context)?, driver::Stream::new(&context)?);
    let module = driver::Module::load(&context, common::TESTING)?;
    let (fill, add) = (module.kernel("fill")?, module.kernel("add_one")?);
    let config = LaunchConfig::for_elements(N, 32)?;
    let mut x = a.buffer_zeroed::<u32>(N)?;
    // SAFETY: the kernels write below N.
    unsafe { a.launch(&fill, config).arg(N as u32).arg(5_u32).arg(&mut x).submit() }?;
    let y = b.buffer_copy(&x)?;
    // SAFETY: as above.
    unsafe { a.launch(&add, config).arg(N as u32).arg(&mut x).submit() }?;
    assert_eq!(y.to_vec(&a)?, [5; N]);
    runtime::set_device(0)?;
    let c = runtime::Stream::new()?;
    let theirs = runtime::Library::load(common::TESTING)?.kernel("add_one")?;
    // SAFETY: as above.
    unsafe { c.launch(&theirs, config).arg(N as u32).arg(&mut x).submit() }?;
    assert_eq!(x.to_vec(&b)?, [7; N]);
    drop((x, y));
    context.synchronize()?;
    Ok(())
}

/// Frees what drops had to put off.
fn settle() {
    let context = driver::Context::primary(driver::Device::new(0).unwrap()).unwrap();
    context.synchronize().unwrap();
}

/// How often the crate told of a failure in a drop.
static TOLD: AtomicU32 = AtomicU32::new(0);

#[test]
fn every_call_may_fail_once() {
    cuda_rt::set_teardown_hook(|_| {
        TOLD.fetch_add(1, Ordering::Relaxed);
    });
    let mut machine = Machine::builder().install();
    // The first time in a process has more calls than the later ones.
    for _ in 0..2 {
        scenario().unwrap();
        settle();
    }
    machine.clear_calls();
    scenario().unwrap();
    let calls = machine.calls();
    settle();
    machine.assert_clean();
    let mut bad: Vec<String> = Vec::new();
    for code in [2, 1, 400, 999] {
        for (nth, call) in calls.iter().enumerate() {
            machine.for_seeds(3..5, |machine| {
                TOLD.store(0, Ordering::Relaxed);
                machine.fail("*", nth as u64 + 1, code);
                let result = scenario();
                let failed =
                    machine.calls().into_iter().find(|call| call.result == code).map_or("none", |call| call.name);
                machine.clear_failures();
                settle();
                let told = TOLD.load(Ordering::Relaxed) > 0;
                // What could not be freed is leaked, and the hook is told.
                let allowed = |finding: &Finding| {
                    finding.kind == FindingKind::Abandoned || finding.kind == FindingKind::Leak && told
                };
                let findings: Vec<String> =
                    machine.finish().iter().filter(|finding| !allowed(finding)).map(ToString::to_string).collect();
                if !findings.is_empty() {
                    bad.push(format!(
                        "call {nth} ({failed}, {}) fails with {code}, then {result:?}: {findings:#?}",
                        call.name
                    ));
                }
                // Parameter sizes and queries are asked for as far as they can be had.
                let optional = failed.ends_with("GetParamInfo") || matches!(failed, "cuEventQuery" | "cuStreamQuery");
                if result.is_ok() && !told && failed != "none" && !optional {
                    bad.push(format!("call {nth} ({failed}) fails with {code} and nobody is told"));
                }
            });
        }
    }
    bad.dedup();
    let many = bad.len();
    bad.truncate(12);
    assert!(bad.is_empty(), "{many}:\n{}", bad.join("\n"));
}
