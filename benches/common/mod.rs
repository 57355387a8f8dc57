//! What the benches share: how time is taken, and how a run ends where there is no GPU.

use std::error::Error;
use std::time::{Duration, Instant};

use criterion::Criterion;
use cuda_driver_sys as sys;

include!(concat!(env!("OUT_DIR"), "/kernels.rs"));

/// Calls in a row before the stream is waited for: few enough that its queue never pushes back.
pub(crate) const BURST: u64 = 256;

/// Something that can be timed: does its work so many times, and returns what that took.
pub(crate) type Timed<'a> = dyn FnMut(u64) -> Duration + 'a;

/// Time of `count` calls, in bursts; waiting for the GPU is not in it.
pub(crate) fn bursts(count: u64, mut call: impl FnMut(), mut wait: impl FnMut()) -> Duration {
    let mut total = Duration::ZERO;
    let mut left = count;
    while left > 0 {
        let burst = left.min(BURST);
        let start = Instant::now();
        for _ in 0..burst {
            call();
        }
        total += start.elapsed();
        wait();
        left -= burst;
    }
    total
}

/// Measures alternatives of one operation: each with criterion, then all of them in turns, which is what a ratio can be
/// taken from, since a machine's speed drifts. The first one is what the others are compared with.
pub(crate) fn compare(criterion: &mut Criterion, group: &str, rows: &mut [(&str, &mut Timed<'_>)]) {
    let mut measured = criterion.benchmark_group(group);
    for (name, timed) in rows.iter_mut() {
        measured.bench_function(*name, |bencher| bencher.iter_custom(&mut **timed));
    }
    measured.finish();

    const ROUNDS: usize = 201;
    if is_test_run() {
        return;
    }
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); rows.len()];
    for _ in 0..ROUNDS {
        for ((_, timed), times) in rows.iter_mut().zip(&mut times) {
            times.push(timed(BURST).as_secs_f64() * 1e9 / BURST as f64);
        }
    }
    println!("{group}: medians of {ROUNDS} rounds in turns, bursts of {BURST}");
    let medians: Vec<f64> = times.into_iter().map(median).collect();
    for ((name, _), time) in rows.iter().zip(&medians) {
        println!("    {name:<40} {time:>9.1} ns   {:.3}", time / medians[0]);
    }
    println!();
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// `cargo test` runs each bench once, to see that it works.
fn is_test_run() -> bool {
    !std::env::args().any(|argument| argument == "--bench")
}

/// Runs the benches; without a usable GPU says why and is done.
pub(crate) fn main(benches: impl FnOnce(&mut Criterion) -> Result<(), Box<dyn Error>>) {
    if let Err(why) = cuda_rt::driver::Device::count() {
        println!("nothing is measured: {why}");
        return;
    }
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(3))
        .configure_from_args();
    if let Err(why) = benches(&mut criterion) {
        eprintln!("{why}");
        std::process::exit(1);
    }
    criterion.final_summary();
}

/// Stops at a code that is not success: a bench of failing calls would measure the failure.
#[inline]
pub(crate) fn ok(code: sys::CUresult) {
    assert!(code == sys::CUresult::CUDA_SUCCESS, "{code:?}");
}
