//! Layouts of the runtime's types, compared with C.
#![cfg(target_os = "linux")]

#[path = "../../cuda-driver-sys/tests/support/layout.rs"]
mod layout;

mod old {
    use super::layout::{self, fields};
    use cuda_runtime_sys::v12::*;

    include!("../src/bindings/v12/fields.rs");

    pub(super) fn all() -> Vec<layout::Type> {
        types()
    }
}

mod new {
    use super::layout::{self, fields};
    use cuda_runtime_sys::v13::*;

    include!("../src/bindings/v13/fields.rs");

    pub(super) fn all() -> Vec<layout::Type> {
        types()
    }
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs scripts/real-libs.sh")]
fn report_177_every_struct_of_v12_has_the_layout_of_the_12_9_header() {
    let Some(libraries) = option_env!("CUDA_RT_REAL_LIBS") else { return };
    let include = format!("{libraries}/toolkit-12.9/include");
    let (structs, fields) = layout::compare(&old::all(), "cuda_runtime_api.h", &include, "runtime-12.9");
    assert!(structs >= 105 && fields >= 500, "{structs} structs, {fields} fields");
}

#[test]
#[cfg_attr(not(real_libs), ignore = "needs scripts/real-libs.sh")]
fn report_177_every_struct_of_v13_has_the_layout_of_the_13_5_header() {
    let Some(libraries) = option_env!("CUDA_RT_REAL_LIBS") else { return };
    let include = format!("{libraries}/toolkit-13.5/include");
    let (structs, fields) = layout::compare(&new::all(), "cuda_runtime_api.h", &include, "runtime-13.5");
    assert!(structs >= 115 && fields >= 500, "{structs} structs, {fields} fields");
}

#[test]
fn structs_that_grew_between_majors_are_two_types() {
    use cuda_runtime_sys::{v12, v13};
    assert_eq!((size_of::<v12::cudaDeviceProp>(), size_of::<v13::cudaDeviceProp>()), (1032, 1008));
    #[cfg(not(windows))]
    assert_eq!((size_of::<v12::cudaPointerAttributes>(), size_of::<v13::cudaPointerAttributes>()), (24, 88));
}
