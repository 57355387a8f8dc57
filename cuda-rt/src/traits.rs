//! The table of the crate's front page, as assertions.

use static_assertions::{assert_impl_all, assert_not_impl_any, const_assert};

use crate::*;

assert_impl_all!(driver::Device: Send, Sync, Copy);
assert_impl_all!(runtime::Device: Send, Sync, Copy);
assert_impl_all!(driver::Context: Send, Sync, Clone);
assert_not_impl_any!(driver::CurrentContext<'static>: Send, Sync);
assert_impl_all!(driver::Stream: Send, Sync, Clone);
assert_impl_all!(runtime::Stream: Send, Sync, Clone);
assert_impl_all!(driver::Kernel: Send, Sync, Clone);
assert_impl_all!(runtime::Kernel: Send, Sync, Clone);
assert_impl_all!(driver::Module: Send, Sync, Clone);
assert_impl_all!(runtime::Library: Send, Sync, Clone);
assert_impl_all!(DeviceBuffer<f32>: Send, Sync);
assert_not_impl_any!(DeviceBuffer<f32>: Clone);
assert_not_impl_any!(DeviceBuffer<*const u8>: Send, Sync);
assert_impl_all!(Launch<'static, driver::Driver, ((), u32)>: Send, Sync);
assert_not_impl_any!(Launch<'static, driver::Driver, ((), u32)>: Clone);
assert_impl_all!(LaunchConfig: Send, Sync, Copy);
assert_impl_all!(driver::Error: Send, Sync, Clone, std::error::Error);
assert_impl_all!(runtime::Error: Send, Sync, Clone, std::error::Error);
assert_impl_all!(Error: Send, Sync, Clone, std::error::Error);

const_assert!(size_of::<std::result::Result<(), driver::Error>>() <= 16);
const_assert!(size_of::<std::result::Result<(), runtime::Error>>() <= 16);
const_assert!(size_of::<std::result::Result<(), Error>>() <= 16);
const_assert!(size_of::<DeviceBuffer<f32>>() <= 64);
