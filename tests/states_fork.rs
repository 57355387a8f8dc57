//! A process that starts CUDA and forks then.

#![cfg(target_os = "linux")]

mod machine;

use std::process::Command;

use cuda_rt::check::Problem;
use cuda_rt::{Cause, Verdict, check, driver};
use machine::Machine;

unsafe extern "C" {
    fn fork() -> i32;
    fn waitpid(pid: i32, status: *mut i32, options: i32) -> i32;
    fn _exit(status: i32) -> !;
}

const CHILD: &str = "STATES_FORK_CHILD";

/// The driver is the process's own, so that it takes a new process; the variable `CHILD` says that this is it.
#[test]
fn report_033_child_of_a_fork_is_told_so() {
    if std::env::var_os(CHILD).is_some() {
        return in_new_process();
    }
    let machine = Machine::new("report_033");
    machine.library("lib/libcuda.so.1", "fake_cuda.c");
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["report_033_child_of_a_fork_is_told_so", "--exact", "--nocapture", "--test-threads=1"])
        .env(CHILD, "1")
        .env("CUDA_RT_DRIVER_LIBRARY", machine.path("lib/libcuda.so.1"))
        .env("CUDA_RT_RUNTIME_LIBRARY", "/does/not/exist")
        .env_remove("FK_INIT")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}{}", String::from_utf8_lossy(&output.stderr));
}

fn in_new_process() {
    // `check` alone starts the driver, too: what it starts must be watched.
    assert!(check().is_fit(), "{}", check());
    // SAFETY: takes nothing. The child does not return from this function.
    let pid = unsafe { fork() };
    assert!(pid >= 0, "fork failed");
    if pid == 0 {
        let told =
            matches!(check(), Verdict::Unfit(why) if why.problems().any(|problem| *problem == Problem::UsedAfterFork));
        let refused = driver::init().is_err_and(|error| matches!(error.cause(), Cause::Forked));
        // SAFETY: ends the child, without the handlers of the test program.
        unsafe { _exit(if told && refused { 0 } else { 1 + i32::from(told) * 2 + i32::from(refused) * 4 }) };
    }
    let mut status = 0;
    // SAFETY: `status` is a place for the status of a child of this process.
    assert_eq!(unsafe { waitpid(pid, &raw mut status, 0) }, pid);
    assert_eq!(status, 0, "the child was not told");
    assert!(check().is_fit(), "the parent goes on: {}", check());
}
