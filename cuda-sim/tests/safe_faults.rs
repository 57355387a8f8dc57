//! A sticky fault through the safe crate. It is for good in a process, so each seed is a process.

#![allow(clippy::unwrap_used)]

mod common;

use std::process::Command;

use cuda_rt::{Cause, Error, LaunchConfig, driver, runtime};
use cuda_sim::{FindingKind, Machine};

const CHILD: &str = "CUDA_SIM_TEST_SEED";

/// Runs the test `name` again for each seed in a process of its own, where `body` gets the seed.
fn in_children(name: &str, body: impl FnOnce(u64)) {
    if let Ok(seed) = std::env::var(CHILD) {
        return body(seed.parse().unwrap());
    }
    for seed in 0..8_u64 {
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args([name, "--exact", "--nocapture"]).env(CHILD, seed.to_string());
        let output = child.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && text.contains("1 passed"), "seed {seed}: {text}");
    }
}

#[test]
fn after_a_fault_every_call_names_the_first_cause_and_drops_are_silent() {
    in_children("after_a_fault_every_call_names_the_first_cause_and_drops_are_silent", |seed| {
        cuda_rt::set_teardown_hook(|failure| panic!("told of {failure}"));
        let machine = Machine::builder().seed(seed).install();
        let context = driver::Context::primary(driver::Device::new(0).unwrap()).unwrap();
        let stream = driver::Stream::new(&context).unwrap();
        let write = driver::Module::load(&context, common::TESTING).unwrap().kernel("write_to").unwrap();
        let buffer = stream.buffer_from(&[1_u32]).unwrap();
        // SAFETY: none: the kernel writes to an address that nobody owns, to lose the context.
        unsafe { stream.launch(&write, LaunchConfig::new(1, 1)).arg(0x10_0000_0000_u64).submit() }.unwrap();
        let first = stream.synchronize().unwrap_err();
        assert_eq!(first.code().map(|code| code.0), Some(700), "{first}");
        assert!(first.is_sticky() && cuda_rt::is_lost());
        let lost = |error: Error| {
            assert!(matches!(error.cause(), Cause::ContextLost { first } if first.contains("700")), "{error}");
        };
        machine.clear_calls();
        lost(buffer.to_vec(&stream).unwrap_err().into());
        lost(stream.buffer_zeroed::<u8>(16).unwrap_err().into());
        lost(driver::Stream::new(&context).unwrap_err().into());
        lost(stream.synchronize().unwrap_err().into());
        lost(runtime::device_count().unwrap_err().into());
        drop((buffer, write, stream, context));
        assert_eq!(machine.call_names(), [""; 0], "nothing is called any more");
        let findings = machine.findings();
        assert_eq!(findings.len(), 1, "{findings:#?}");
        assert!(machine.found(FindingKind::OutOfBounds, "kernel write_to"));
    });
}

#[test]
fn fault_that_nobody_waited_for_leaves_drops_silent() {
    in_children("fault_that_nobody_waited_for_leaves_drops_silent", |seed| {
        cuda_rt::set_teardown_hook(|failure| panic!("told of {failure}"));
        let machine = Machine::builder().seed(seed).fault(1, 719).install();
        let context = driver::Context::primary(driver::Device::new(0).unwrap()).unwrap();
        let (stream, other) = (driver::Stream::new(&context).unwrap(), driver::Stream::new(&context).unwrap());
        let fill = driver::Module::load(&context, common::TESTING).unwrap().kernel("fill").unwrap();
        let mut buffer = stream.buffer_zeroed::<u32>(8).unwrap();
        // SAFETY: the kernel writes below 8.
        unsafe { other.launch(&fill, LaunchConfig::new(1, 8)).arg(8_u32).arg(1_u32).arg(&mut buffer).submit() }
            .unwrap();
        machine.run_all();
        drop((buffer, fill, other, stream, context));
        assert_eq!(machine.findings(), []);
    });
}
