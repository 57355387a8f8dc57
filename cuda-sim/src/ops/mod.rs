//! What the functions of both APIs do, by concern. The ABI only converts arguments and codes.

mod contexts;
mod copies;
mod events;
mod launches;
mod memory;
mod modules;
mod streams;

pub(crate) use copies::Way;
pub(crate) use launches::Geometry;
pub(crate) use memory::Releaser;

/// Limits that launches are checked against.
#[cfg(test)]
pub(crate) mod limits {
    pub(crate) use super::launches::{MAX_BLOCK, MAX_GRID, MAX_THREADS};
}
