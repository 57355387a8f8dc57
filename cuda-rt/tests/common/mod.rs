//! What the tests on a GPU share.
#![allow(dead_code, clippy::unwrap_used, reason = "each test uses its part of this, and may panic")]

use std::process::Command;

use cuda_rt::driver::{Context, Device, Stream};

/// The kernels of `kernels/testing.cu`, as PTX that every driver takes.
pub(crate) const TESTING: &[u8] = include_bytes!("../../../kernels/testing.ptx");
/// The kernel of `kernels/saxpy.cu`, likewise.
pub(crate) const SAXPY: &[u8] = include_bytes!("../../../kernels/saxpy.ptx");

/// The primary context of device 0, and a stream.
pub(crate) fn start() -> (Context, Stream) {
    let context = Context::primary(Device::new(0).unwrap()).unwrap();
    let stream = Stream::new(&context).unwrap();
    (context, stream)
}

const CHILD: &str = "CUDA_RT_TEST_CHILD";

/// Runs `body` in a process of its own: this test binary again, with only the test `name`.
/// `CUDA_VISIBLE_DEVICES` and the like are read once by the driver, and faults are for good.
pub(crate) fn in_child(name: &str, environment: &[(&str, &str)], body: impl FnOnce()) {
    if std::env::var(CHILD).is_ok_and(|child| child == name) {
        body();
        return;
    }
    let output = Command::new(std::env::current_exe().unwrap())
        .args([name, "--exact", "--include-ignored", "--nocapture", "--test-threads=1"])
        .env(CHILD, name)
        .envs(environment.iter().copied())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("1 passed"),
        "child {name}: {}\n{text}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
}
