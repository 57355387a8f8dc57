//! Two devices: objects of one are refused by the other before the driver is asked.

#![allow(clippy::unwrap_used)]

mod common;

use cuda_rt::{Cause, Error, LaunchConfig, driver};
use cuda_sim::Machine;

#[test]
fn objects_of_two_devices_do_not_meet() {
    let mut machine = Machine::builder().devices(2).install();
    machine.for_seeds(0..200, |machine| {
        let contexts = [0, 1].map(|n| driver::Context::primary(driver::Device::new(n).unwrap()).unwrap());
        let streams = [0, 1].map(|n| driver::Stream::new(&contexts[n]).unwrap());
        let fill = [0, 1].map(|n| driver::Module::load(&contexts[n], common::TESTING).unwrap().kernel("fill").unwrap());
        let mut buffers = [0, 1].map(|n| streams[n].buffer_zeroed::<u32>(8).unwrap());
        let other = |error: Error| assert!(matches!(error.cause(), Cause::OtherContext { .. }), "{error}");
        let ((), calls) = machine.calls_of(|| {
            other(buffers[0].to_vec(&streams[1]).unwrap_err().into());
            for (kernel, stream) in [(0, 1), (1, 1)] {
                let config = LaunchConfig::new(1, 8);
                let launch = streams[stream].launch(&fill[kernel], config).arg(8_u32).arg(1_u32).arg(&mut buffers[0]);
                // SAFETY: refused, so nothing runs.
                other(unsafe { launch.submit() }.unwrap_err().into());
            }
        });
        assert!(calls.is_empty(), "{calls:#?}");
        // An event of one device holds back a stream of the other.
        // SAFETY: the kernel writes below 8.
        unsafe {
            streams[0].launch(&fill[0], LaunchConfig::new(1, 8)).arg(8_u32).arg(1_u32).arg(&mut buffers[0]).submit()
        }
        .unwrap();
        streams[1].join(&streams[0]).unwrap();
        streams[1].synchronize().unwrap();
        drop((buffers, fill, streams));
        contexts.iter().for_each(|context| context.synchronize().unwrap());
        drop(contexts);
        machine.assert_clean();
    });
}
