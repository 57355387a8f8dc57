//! What nvcc makes of the checked-in kernels and of a broader file, against the same expectations.

use std::path::Path;
use std::process::Command;

use super::super::{Fault, FaultKind, FlatMemory, Launch, Module};
use super::harness::{BASE, words32, words64};
use super::kernels::{block_sum, echo, fill_and_add_one, saxpy, slow_fill};

/// Architectures from the oldest that this nvcc knows to the newest.
const ARCHITECTURES: [&str; 3] = ["compute_75", "compute_90", "compute_120"];

/// The module that nvcc makes of a file, relative to this crate.
fn compile(file: &str, architecture: &str) -> Module {
    let crate_root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let real_libs = option_env!("CUDA_RT_REAL_LIBS").map(Path::new).expect("scripts/real-libs.sh");
    let nvcc = real_libs.join("toolkit-13.5/bin/nvcc");
    let output = Command::new(nvcc)
        .args(["-ptx", "-o", "-", "-arch", architecture])
        .arg(crate_root.join(file))
        .output()
        .expect("nvcc does not start");
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "nvcc -arch {architecture} {file}: {words}");
    super::harness::module(&String::from_utf8(output.stdout).unwrap())
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs nvcc: scripts/real-libs.sh")]
fn checked_in_kernels_compiled_by_nvcc_do_the_same() {
    for architecture in ARCHITECTURES {
        let module = compile("../kernels/saxpy.cu", architecture);
        assert!(saxpy(&module, 1000, 1) && saxpy(&module, 256, 0));
        let module = compile("../kernels/testing.cu", architecture);
        fill_and_add_one(&module);
        slow_fill(&module);
        echo(&module);
        block_sum(&module);
        let written = Module::parse(super::kernels::TESTING).unwrap();
        for kernel in written.kernels() {
            let sizes = |params: &[super::super::Param]| {
                params.iter().map(|param| (param.offset, param.size, param.align)).collect::<Vec<_>>()
            };
            let compiled = module.kernel(kernel.name()).unwrap();
            assert_eq!(sizes(compiled.params()), sizes(kernel.params()), "{}", kernel.name());
        }
    }
}

/// Memory that is given out from its start on, with the parameters that lie in it.
struct Bench {
    memory: FlatMemory,
    used: usize,
    params: Vec<u8>,
    globals: Vec<u64>,
}

impl Bench {
    fn new(module: &Module) -> Bench {
        let mut bench =
            Bench { memory: FlatMemory::new(BASE, 1 << 20), used: 0, params: Vec::new(), globals: Vec::new() };
        for global in module.globals() {
            let at = bench.place(global.size as usize);
            bench.globals.push(BASE + at as u64);
        }
        for (global, address) in module.globals().iter().zip(bench.globals.clone()) {
            let at = (address - BASE) as usize;
            let bytes = global.initial_bytes(&bench.globals);
            bench.memory.bytes_mut()[at..at + bytes.len()].copy_from_slice(&bytes);
        }
        bench
    }

    fn place(&mut self, size: usize) -> usize {
        let at = self.used.next_multiple_of(256);
        self.used = at + size;
        at
    }

    fn value<const N: usize>(&mut self, bytes: [u8; N], align: usize) {
        self.params.resize(self.params.len().next_multiple_of(align), 0);
        self.params.extend(bytes);
    }

    /// A buffer, and its address as the next parameter; gives where it is.
    fn buffer<T: Copy, const N: usize>(&mut self, values: &[T], bytes: impl Fn(T) -> [u8; N]) -> usize {
        let at = self.place(values.len() * N);
        for (place, value) in self.memory.bytes_mut()[at..].chunks_exact_mut(N).zip(values) {
            place.copy_from_slice(&bytes(*value));
        }
        self.value((BASE + at as u64).to_le_bytes(), 8);
        at
    }

    fn run(&mut self, module: &Module, name: &str, grid: [u32; 3], block: [u32; 3]) -> Result<(), Fault> {
        let launch = Launch { params: &self.params, globals: &self.globals, seed: 11, ..Launch::new(grid, block) };
        module.kernel(name).unwrap().run(&launch, &mut self.memory)
    }

    fn words(&self, at: usize, count: usize) -> Vec<u32> {
        words32(&self.memory.bytes()[at..at + 4 * count])
    }
}

fn for_each_architecture(test: impl Fn(&Module)) {
    for architecture in ARCHITECTURES {
        test(&compile("src/ptx/tests/wide.cu", architecture));
    }
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs nvcc: scripts/real-libs.sh")]
fn a_kernel_of_mixed_types_equals_the_cpu() {
    let a = (0..300).map(|i: i32| (i - 150).wrapping_mul(0x0123_4567)).collect::<Vec<_>>();
    let b = (0..300).map(|i| (i as f32 - 120.0) * 1.37).collect::<Vec<_>>();
    let expected = |i: usize| {
        let mut sum = 0.0_f64;
        for k in 0..(a[i] & 15) {
            let root = b[(i + k as usize) % 300].abs().sqrt() / (k + 1) as f32;
            // float + double + int + int, in that order.
            sum += f64::from(root) + f64::from(a[i] >> k) * 0.5 + f64::from(a[i].count_ones()) + f64::from(k.min(3));
        }
        match a[i] & 7 {
            0 => sum + 1.0,
            1 => sum * 2.0,
            2 => sum - f64::from(b[i].floor()),
            3 => sum + f64::from(a[i] / 7 + a[i] % 5),
            4 => sum + f64::from(a[i].leading_zeros()),
            5 => sum + (b[i] * 1000.0) as i64 as f64,
            _ => -sum,
        }
    };
    for_each_architecture(|module| {
        let mut bench = Bench::new(module);
        bench.buffer(&a, i32::to_le_bytes);
        bench.buffer(&b, f32::to_le_bytes);
        let out = bench.buffer(&[0.0; 300], f64::to_le_bytes);
        bench.value(300_i32.to_le_bytes(), 4);
        bench.run(module, "mixed", [3, 1, 1], [128, 1, 1]).unwrap_or_else(|fault| panic!("{fault}"));
        let found = words64(&bench.memory.bytes()[out..out + 2400]);
        for (i, found) in found.into_iter().enumerate() {
            let (found, expected) = (f64::from_bits(found), expected(i));
            // nvcc fuses multiplications and additions of doubles.
            assert!((found - expected).abs() <= expected.abs() * 1e-12, "{i}: {found} {expected}");
        }
    });
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs nvcc: scripts/real-libs.sh")]
fn calls_atomics_shuffles_and_tiles_equal_the_cpu() {
    for_each_architecture(|module| {
        let mut bench = Bench::new(module);
        let out = bench.buffer(&[0_u32; 64], u32::to_le_bytes);
        bench.run(module, "steps", [2, 1, 1], [32, 1, 1]).unwrap_or_else(|fault| panic!("{fault}"));
        let collatz = |mut n: u32| {
            std::iter::from_fn(|| (n != 1).then(|| n = if n % 2 == 1 { 3 * n + 1 } else { n / 2 })).count()
        };
        assert!(bench.words(out, 64).iter().zip(1..).all(|(found, n)| *found as usize == collatz(n)));

        let mut bench = Bench::new(module);
        let input = (0..1000_u32).map(|i| i.wrapping_mul(0x9e37_79b9) >> 7).collect::<Vec<_>>();
        bench.buffer(&input, u32::to_le_bytes);
        let bins = bench.buffer(&[0_u32; 16], u32::to_le_bytes);
        bench.value(1000_u32.to_le_bytes(), 4);
        bench.run(module, "histogram", [3, 1, 1], [64, 1, 1]).unwrap_or_else(|fault| panic!("{fault}"));
        let mut expected = [0; 16];
        input.iter().for_each(|value| expected[(value & 15) as usize] += (value & 3) + 1);
        assert_eq!(bench.words(bins, 16), expected);

        let mut bench = Bench::new(module);
        let input = (0..512).map(|i| i as f32).collect::<Vec<_>>();
        bench.buffer(&input, f32::to_le_bytes);
        let out = bench.buffer(&[0.0_f32; 2], f32::to_le_bytes);
        bench.run(module, "warp_sum", [2, 1, 1], [256, 1, 1]).unwrap_or_else(|fault| panic!("{fault}"));
        let expected = [32_640.0_f32, 98_176.0].map(f32::to_bits);
        assert_eq!(bench.words(out, 2), expected);

        let mut bench = Bench::new(module);
        let n = 16_usize;
        let a = (0..n * n).map(|i| i as f32 * 0.5 - 30.0).collect::<Vec<_>>();
        bench.buffer(&a, f32::to_le_bytes);
        bench.buffer(&a, f32::to_le_bytes);
        let out = bench.buffer(&vec![0.0_f32; n * n], f32::to_le_bytes);
        bench.value((n as u32).to_le_bytes(), 4);
        bench.run(module, "matmul", [2, 2, 1], [8, 8, 1]).unwrap_or_else(|fault| panic!("{fault}"));
        for (at, found) in bench.words(out, n * n).into_iter().enumerate() {
            let (y, x) = (at / n, at % n);
            let expected = (0..n).fold(0.0_f32, |sum, k| a[y * n + k].mul_add(a[k * n + x], sum));
            assert_eq!(f32::from_bits(found), expected);
        }
    });
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs nvcc: scripts/real-libs.sh")]
fn structs_local_arrays_and_assertions_work() {
    for_each_architecture(|module| {
        let mut bench = Bench::new(module);
        bench.params = [1.5_f64, 2.5, 3.5].iter().flat_map(|d| d.to_le_bytes()).collect();
        bench.params.extend(7_i32.to_le_bytes());
        bench.params.extend([1, 2, 3, 4, 5, 0, 0, 0]);
        bench.params.truncate(40);
        bench.params.resize(40, 0);
        let input = (0..64).map(|i| i as f32 * 0.25).collect::<Vec<_>>();
        bench.buffer(&input, f32::to_le_bytes);
        let out = bench.buffer(&[0.0_f32; 64], f32::to_le_bytes);
        let bytes = bench.buffer(&[0_u8; 16], u8::to_le_bytes);
        bench.run(module, "structs", [1, 1, 1], [16, 1, 1]).unwrap_or_else(|fault| panic!("{fault}"));
        let found = bench.words(out, 64).into_iter().map(f32::from_bits).collect::<Vec<_>>();
        for i in 0..16 {
            let v = &input[4 * i..];
            let local = (0..8).find(|k| (k * 3 + i) & 7 == i & 7).unwrap() as f32 * 7.0;
            assert_eq!(found[4 * i..4 * i + 3], [v[3], [1.5, 2.5, 3.5][i % 3], v[0] + local]);
            assert!((found[4 * i + 3] / v[1].exp() - 1.0).abs() < 1e-6);
            assert_eq!(bench.memory.bytes()[bytes + i], [1, 2, 3, 4, 5][i % 5] ^ v[2] as u8);
        }

        let mut bench = Bench::new(module);
        bench.value(3_i32.to_le_bytes(), 4);
        let fault = bench.run(module, "asserts", [1, 1, 1], [1, 1, 1]).unwrap_err();
        let FaultKind::Assert { message } = fault.kind else { panic!("{fault}") };
        assert!(message.starts_with("n < 3 (") && message.contains("wide.cu:"), "{message}");
    });
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs nvcc: scripts/real-libs.sh")]
fn the_mathematics_library_and_wide_integers_work() {
    for_each_architecture(|module| {
        let mut bench = Bench::new(module);
        let input = [0.0_f32, 0.5, -1.25, 3.0, 100.0, -7.5, 1e-3, 2e5];
        bench.buffer(&input, f32::to_le_bytes);
        let out = bench.buffer(&[0.0_f32; 8], f32::to_le_bytes);
        bench.run(module, "transcend", [1, 1, 1], [8, 1, 1]).unwrap_or_else(|fault| panic!("{fault}"));
        let erf = [0.0, 0.520_499_877_8, -0.922_900_128_3, 0.999_977_909_5, 1.0, -1.0, 1.128_378_8e-3, 1.0];
        for ((v, erf), found) in input.iter().zip(erf).zip(bench.words(out, 8)) {
            let v = f64::from(*v);
            let expected = v.sin()
                + v.abs().powf(1.5)
                + (v.abs() + 1.0).ln()
                + v.atan2(2.0)
                + v.tanh()
                + (v / 100.0).exp()
                + v.abs().ln_1p()
                + erf;
            let found = f64::from(f32::from_bits(found));
            let close = found == expected || (found - expected).abs() <= expected.abs().max(1.0) * 1e-6;
            assert!(close || expected > 1e30 && found.is_infinite(), "{v}: {found} {expected}");
        }

        let mut bench = Bench::new(module);
        let input = [u64::MAX - 5, 0x1234_5678_9abc_def1, 77];
        bench.buffer(&input, u64::to_le_bytes);
        let out = bench.buffer(&[0_u64; 2], u64::to_le_bytes);
        bench.run(module, "u128", [1, 1, 1], [1, 1, 1]).unwrap_or_else(|fault| panic!("{fault}"));
        let expected = (u128::from(input[0]) * u128::from(input[1]) + 77) / 10;
        let found = words64(&bench.memory.bytes()[out..out + 16]);
        assert_eq!(found, [expected as u64, (expected >> 64) as u64]);
    });
}
