//! The kernels that are checked in, against the CPU.

use std::time::Instant;

use super::super::{FaultKind, FlatMemory, Launch, Module, Ticks};
use super::harness::{BASE, words32};

pub(super) const SAXPY: &str = include_str!("../../../../kernels/saxpy.ptx");
pub(super) const TESTING: &str = include_str!("../../../../kernels/testing.ptx");

/// Parameter bytes.
pub(super) struct Params(Vec<u8>);

impl Params {
    pub(super) fn new() -> Params {
        Params(Vec::new())
    }

    /// Adds a parameter at the next multiple of its size.
    pub(super) fn with<const N: usize>(mut self, bytes: [u8; N]) -> Params {
        self.0.resize(self.0.len().next_multiple_of(N), 0);
        self.0.extend(bytes);
        self
    }
}

/// Runs saxpy of a module on `n` elements; true if every element has the bits that the CPU computes.
pub(super) fn saxpy(module: &Module, n: u32, seed: u64) -> bool {
    let x = (0..n).map(|i| i as f32 * 0.37 - 5.0).collect::<Vec<_>>();
    let y = (0..n).map(|i| 1.0 / (i as f32 + 1.0)).collect::<Vec<_>>();
    let mut memory = FlatMemory::new(BASE, 8 * n as usize);
    let bytes = x.iter().chain(&y).flat_map(|value| value.to_le_bytes()).collect::<Vec<_>>();
    memory.bytes_mut().copy_from_slice(&bytes);
    let Params(params) = Params::new()
        .with(n.to_le_bytes())
        .with(1.7_f32.to_le_bytes())
        .with(BASE.to_le_bytes())
        .with((BASE + 4 * u64::from(n)).to_le_bytes());
    let launch = Launch { params: &params, seed, ..Launch::new([n.div_ceil(256), 1, 1], [256, 1, 1]) };
    module.kernel("saxpy").unwrap().run(&launch, &mut memory).unwrap();
    let found = words32(&memory.bytes()[4 * n as usize..]);
    found.iter().zip(x.iter().zip(&y)).all(|(found, (x, y))| *found == 1.7_f32.mul_add(*x, *y).to_bits())
}

#[test]
fn saxpy_any_size_and_seed_equals_the_cpu() {
    let module = Module::parse(SAXPY).unwrap();
    for n in [1, 31, 255, 256, 257, 5000] {
        for seed in 0..4 {
            assert!(saxpy(&module, n, seed), "{n} {seed}");
        }
    }
}

#[test]
fn saxpy_of_a_million_takes_less_than_ten_seconds() {
    let module = Module::parse(SAXPY).unwrap();
    let start = Instant::now();
    assert!(saxpy(&module, 1 << 20, 7));
    let took = start.elapsed();
    println!("saxpy of 2^20: {took:?}");
    assert!(took.as_secs() < 10, "{took:?}");
}

#[test]
fn modules_checked_in_tell_version_target_and_kernels() {
    let module = Module::parse(TESTING).unwrap();
    assert_eq!((module.version(), module.target()), ((7, 0), 50));
    let names = module.kernels().map(|kernel| kernel.name()).collect::<Vec<_>>();
    let expected = ["empty", "fill", "add_one", "spin", "slow_fill", "write_to", "trap", "echo", "block_sum"];
    assert_eq!(names, expected);
    assert!(module.kernels().all(|kernel| kernel.error().is_none()));
    let echo = module.kernel("echo").unwrap();
    let offsets = echo.params().iter().map(|param| param.offset).collect::<Vec<_>>();
    assert_eq!(offsets, [0, 8, 12, 16, 24, 48]);
    assert_eq!(echo.params_size(), 49);
}

/// Runs a kernel of testing.cu on `words` zero words.
pub(super) fn testing(module: &Module, name: &str, params: Params, launch: &Launch<'_>, words: usize) -> Vec<u32> {
    let mut memory = FlatMemory::new(BASE, words * 4);
    for (place, value) in memory.bytes_mut().chunks_exact_mut(4).zip(0_u32..) {
        place.copy_from_slice(&value.to_le_bytes());
    }
    let launch = Launch { params: &params.0, ..*launch };
    module.kernel(name).unwrap().run(&launch, &mut memory).unwrap_or_else(|fault| panic!("{fault}"));
    words32(memory.bytes())
}

pub(super) fn fill_and_add_one(module: &Module) {
    let launch = Launch { seed: 3, ..Launch::new([4, 1, 1], [64, 1, 1]) };
    let params = Params::new().with(200_u32.to_le_bytes()).with(7_u32.to_le_bytes()).with(BASE.to_le_bytes());
    let words = testing(module, "fill", params, &launch, 256);
    assert!(words[..200].iter().all(|&word| word == 7) && (200..256).all(|i| words[i] == i as u32));
    let params = Params::new().with(200_u32.to_le_bytes()).with(BASE.to_le_bytes());
    let words = testing(module, "add_one", params, &launch, 256);
    assert!((0..256).all(|i| words[i] == i as u32 + u32::from(i < 200)));
}

pub(super) fn slow_fill(module: &Module) {
    let ticks = Ticks::new(5000, 1000);
    let launch = Launch { timer: &ticks, step_limit: Some(10_000_000), ..Launch::new([2, 1, 1], [32, 1, 1]) };
    let params = Params::new()
        .with(1_000_000_u64.to_le_bytes())
        .with(50_u32.to_le_bytes())
        .with(9_u32.to_le_bytes())
        .with(BASE.to_le_bytes());
    let words = testing(module, "slow_fill", params, &launch, 64);
    assert!(words[..50].iter().all(|&word| word == 9) && words[50] == 50);
    assert!(ticks.time() > 1_005_000);
}

pub(super) fn echo(module: &Module) {
    let mut mixed = [0; 24];
    mixed[..4].copy_from_slice(&2.5_f32.to_le_bytes());
    mixed[8..16].copy_from_slice(&(-1e100_f64).to_le_bytes());
    mixed[16] = 0x81;
    let mut params = Params::new()
        .with(BASE.to_le_bytes())
        .with(1.25_f32.to_le_bytes())
        .with((-3_i32).to_le_bytes())
        .with(0x0123_4567_89ab_cdef_u64.to_le_bytes());
    params.0.extend(mixed);
    params.0.push(0xfe);
    let words = testing(module, "echo", params, &Launch::new([2, 1, 1], [4, 1, 1]), 9);
    let bytes = words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
    assert_eq!(bytes[..4], 1.25_f32.to_le_bytes());
    assert_eq!(bytes[4..8], (-3_i32).to_le_bytes());
    assert_eq!(bytes[8..16], 0x0123_4567_89ab_cdef_u64.to_le_bytes());
    assert_eq!(bytes[16..20], 2.5_f32.to_le_bytes());
    assert_eq!(bytes[24..32], (-1e100_f64).to_le_bytes());
    assert_eq!(bytes[32..34], [0x81, 0xfe]);
}

pub(super) fn block_sum(module: &Module) {
    for seed in 0..5 {
        let launch = Launch { seed, dynamic_shared: 4 * 128, ..Launch::new([5, 1, 1], [128, 1, 1]) };
        let params =
            Params::new().with(600_u32.to_le_bytes()).with(BASE.to_le_bytes()).with((BASE + 4 * 640).to_le_bytes());
        let words = testing(module, "block_sum", params, &launch, 645);
        for block in 0..5_u32 {
            let expected: u32 = (block * 128..(block * 128 + 128).min(600)).sum();
            assert_eq!(words[640 + block as usize], expected, "seed {seed}, block {block}");
        }
    }
}

#[test]
fn fill_and_add_one_touch_the_first_n() {
    fill_and_add_one(&Module::parse(TESTING).unwrap());
}

#[test]
fn slow_fill_waits_for_the_timer() {
    slow_fill(&Module::parse(TESTING).unwrap());
}

#[test]
fn echo_finds_each_argument_at_its_offset() {
    echo(&Module::parse(TESTING).unwrap());
}

#[test]
fn block_sum_any_seed_equals_the_cpu() {
    block_sum(&Module::parse(TESTING).unwrap());
}

#[test]
fn spin_with_a_stopped_clock_meets_the_step_limit() {
    let module = Module::parse(TESTING).unwrap();
    let params = 1_u64.to_le_bytes();
    let launch = Launch { params: &params, step_limit: Some(100_000), ..Launch::new([1, 1, 1], [1, 1, 1]) };
    let fault = module.kernel("spin").unwrap().run(&launch, &mut FlatMemory::new(BASE, 4)).unwrap_err();
    assert_eq!(fault.kind, FaultKind::StepLimit { limit: 100_000 });
    assert_eq!(fault.kind.code(), Some(702));
}
