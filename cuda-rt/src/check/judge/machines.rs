//! Invented machines, for tests.

use super::*;
use crate::check::facts::{Driver, Machine, Runtime, Tried, Variable};

pub(crate) fn release_of(text: &str) -> Release {
    Release::parse(text).unwrap()
}

pub(crate) fn library_at(path: &str) -> Option<Result<Library, Missing>> {
    Some(Ok(Library {
        path: Some(path.into()),
        target: Some(path.into()),
        via: "system loader".to_owned(),
        note: None,
    }))
}

/// A machine where all is well: driver 580, runtime 12.9, one H200.
pub(crate) fn healthy() -> Facts {
    let device = Device {
        name: Some("NVIDIA H200".to_owned()),
        compute_capability: Some((9, 0)),
        memory_bytes: Some(150_000 << 20),
        ..Device::default()
    };
    Facts {
        machine: Machine { kernel_driver: KernelDriver::Loaded(release_of("580.159.04")), ..Machine::default() },
        driver: Driver {
            library: library_at("/usr/lib/x86_64-linux-gnu/libcuda.so.1"),
            release: Some(release_of("580.159.04")),
            version: Some(Ok(CudaVersion::of(13, 0))),
            init: Some(0),
            count: Some(Ok(1)),
            devices: vec![device],
        },
        runtime: Runtime {
            library: library_at("/cuda/lib64/libcudart.so.12"),
            version: Some(CudaVersion::of(12, 9)),
            driver_version: Some(Ok(Some(CudaVersion::of(13, 0)))),
            count: Some(Ok(1)),
        },
        ..Facts::default()
    }
}

/// The same, but `cuInit` gives a code, and so does the runtime.
pub(crate) fn failing(code: u32) -> Facts {
    let mut facts = healthy();
    facts.driver = Driver { init: Some(code), count: None, devices: Vec::new(), ..facts.driver };
    facts.runtime.count = Some(Err(code));
    facts
}

/// A machine without a driver: neither library nor kernel module.
pub(crate) fn bare() -> Facts {
    let tried = Tried {
        place: "libcuda.so.1".to_owned(),
        via: "system loader".to_owned(),
        problem: "No such file".to_owned(),
        ..Tried::default()
    };
    let missing = Missing { tried: vec![tried], searched: vec!["/usr/lib64".to_owned(), "/opt/x/lib".to_owned()] };
    Facts { driver: Driver { library: Some(Err(missing)), ..Driver::default() }, ..Facts::default() }
}

pub(crate) fn with_variable(mut facts: Facts, name: &str, value: &str) -> Facts {
    facts.environment.push(Variable { name: name.to_owned(), value: value.to_owned() });
    facts
}
