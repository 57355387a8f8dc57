//! `check` on the machine that the tests run on, whatever it has.

use std::time::{Duration, Instant};

use cuda_driver_sys as sys;
use cuda_rt::check::Facts;
use cuda_rt::{Report, Requirement, Verdict, check, require};

#[test]
fn report_017_check_always_answers_and_says_the_same_again() {
    let start = Instant::now();
    let first = check().to_string();
    assert!(start.elapsed() < Duration::from_secs(60), "it waits for something");
    assert_eq!(check().to_string(), first);
    let report = Report::collect();
    assert_eq!(report.verdict().to_string(), first);
    assert!(report.to_string().contains("verdict: "));
    let facts = Facts::collect();
    assert!(facts.driver.library.is_some() && facts.runtime.library.is_some());
}

#[test]
fn report_019_require_gives_the_reason_as_a_value() {
    match (check(), require(Requirement::any())) {
        (Verdict::Fits(_), Ok(fits)) => assert!(!fits.devices.is_empty()),
        // A runtime of a newer major than the driver matters to `check` alone.
        (_, Ok(_)) => {}
        (_, Err(why)) => assert!(why.problems().count() > 0 && !why.to_string().is_empty()),
    }
    let impossible = require(Requirement::any().compute_capability(1000, 0));
    assert!(impossible.is_err());
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "needs an NVIDIA GPU: --features gpu")]
fn check_creates_no_context_and_leaves_no_error_behind() {
    let Verdict::Fits(fits) = check() else { panic!("{}", Report::collect()) };
    assert!(fits.driver_release.value.is_some(), "{fits}");
    for device in &fits.devices {
        assert!(device.compute_capability.is_some() && device.name.is_some(), "{device:?}");
        assert!(device.uuid.is_some() && device.pci_bus_id.is_some(), "{device:?}");
        let (mut flags, mut active) = (0, 1);
        let raw = i32::try_from(device.ordinal).unwrap_or_default();
        // SAFETY: both are places for the answers; the driver is initialised.
        let code = unsafe { sys::cuDevicePrimaryCtxGetState(raw, &raw mut flags, &raw mut active) };
        assert_eq!((code, active), (sys::CUresult::CUDA_SUCCESS, 0), "a context is active");
    }
    if fits.runtime.value.is_some() {
        // SAFETY: takes nothing.
        let slot = unsafe { cuda_runtime_sys::common::cudaPeekAtLastError() };
        assert_eq!(slot.code(), 0);
    }
}
