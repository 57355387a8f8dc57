//! Layouts of the driver's types, compared with C.
#![cfg(target_os = "linux")]

#[path = "support/layout.rs"]
mod layout;

use cuda_driver_sys::*;
use layout::fields;

include!("../src/bindings/fields.rs");

#[test]
#[cfg_attr(not(real_libs), ignore = "needs scripts/real-libs.sh")]
fn report_177_every_struct_has_the_layout_of_cuda_h_13_5() {
    let Some(libraries) = option_env!("CUDA_RT_REAL_LIBS") else {
        return;
    };
    let include = format!("{libraries}/toolkit-13.5/include");
    let (structs, fields) = layout::compare(&types(), "cuda.h", &include, "driver-13.5");
    assert!(structs >= 90 && fields >= 500, "{structs} structs, {fields} fields");
}
