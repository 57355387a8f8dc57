use super::*;

fn driver(number: u32) -> crate::driver::Error {
    LayerError::from_code("cuFunction", number, Origin::Driver)
}

fn runtime(number: u32) -> crate::runtime::Error {
    LayerError::from_code("cudaFunction", number, Origin::Runtime)
}

#[test]
fn report_036_unknown_code_keeps_its_number() {
    for number in [12_345, u32::MAX, 2000] {
        let error = driver(number);
        assert_eq!(error.code(), Some(DriverCode(number)));
        assert!(!error.is_sticky());
    }
    assert!(driver(12_345).to_string().contains("12345"));
    assert!(DriverCode(12_345).to_string().contains("12345"));
    assert!(RuntimeCode(12_345).to_string().contains("12345"));
}

#[test]
fn report_037_negative_code_is_shown_as_one() {
    assert!(driver(u32::MAX).to_string().contains("-1"));
}

#[test]
fn report_035_names_come_from_the_newest_headers() {
    assert_eq!(RuntimeCode(1).name(), Some("cudaErrorInvalidValue"));
    assert_eq!(RuntimeCode(52).name(), Some("cudaErrorMissingConfiguration"));
    assert_eq!(DriverCode(1).name(), Some("CUDA_ERROR_INVALID_VALUE"));
}

#[test]
fn report_038_every_code_formats_without_a_library() {
    for number in 0..2000 {
        assert!(!DriverCode(number).to_string().is_empty());
        assert!(!RuntimeCode(number).to_string().is_empty());
        assert!(!DriverCode(number).description().is_empty());
    }
    assert!(cuda_driver_sys::library::loaded().is_none(), "formatting must not load the driver");
}

#[test]
fn error_names_call_code_and_place() {
    let line = line!() + 1;
    let error = driver(2);
    assert_eq!(error.api(), "cuFunction");
    assert!(error.location().line() <= line, "the place is that of the call");
    assert!(error.is_out_of_memory() && !error.is_not_ready());
    assert!(error.to_string().contains("CUDA_ERROR_OUT_OF_MEMORY, 2"), "{error}");
    assert!(runtime(2).to_string().contains("cudaErrorMemoryAllocation, 2"));
    assert!(!error.hint().is_empty());
}

#[test]
fn layer_and_code_survive_the_common_type() {
    let error: Error = runtime(101).into();
    let Error::Runtime(inner) = &error else { panic!("not the runtime's") };
    assert_eq!(inner.code(), Some(RuntimeCode(101)));
    assert_eq!(error.api(), "cudaFunction");
}

#[test]
fn driver_code_below_the_runtime_keeps_origin_and_meaning() {
    let shared: crate::runtime::Error = driver(209).retag();
    assert_eq!(shared.code(), Some(RuntimeCode(209)), "the number means the same in both");
    assert_eq!(shared.raw_code(), Some((Origin::Driver, 209)));
    assert!(shared.to_string().contains("CUDA_ERROR_NO_BINARY_FOR_GPU"));
    let own: crate::runtime::Error = driver(916).retag();
    assert_eq!(own.code(), None, "the runtime has no such code");
    assert_eq!(own.raw_code(), Some((Origin::Driver, 916)));
}

#[test]
fn report_042_only_codes_of_asynchronous_work_may_be_earlier() {
    for number in [1, 2, 9, 101, 200, 222, 400, 500, 701, 900] {
        assert!(!driver(number).may_be_earlier(), "{number}");
    }
    assert!(driver(214).may_be_earlier() || catalogue::lookup(214).is_some_and(|e| e.class == Class::Sticky));
}
