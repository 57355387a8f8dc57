//! What the simulated device says of itself.

use crate::config::Config;
use crate::sim::{Outcome, codes};

/// Its name: nobody should take it for a real one.
pub(crate) const NAME: &str = "Simulated GPU (cuda-sim)";

/// Its identity.
pub(crate) fn uuid(device: usize) -> [u8; 16] {
    let mut uuid = *b"cuda-sim uuid  \0";
    uuid[15] = u8::try_from(device).unwrap_or(u8::MAX);
    uuid
}

/// The same as tools write it.
pub(crate) fn uuid_text(device: usize) -> String {
    let hex: Vec<String> = uuid(device).iter().map(|byte| format!("{byte:02x}")).collect();
    let part = |from: usize, to: usize| hex[from..to].concat();
    format!("GPU-{}-{}-{}-{}-{}", part(0, 4), part(4, 6), part(6, 8), part(8, 10), part(10, 16))
}

/// Its place on the bus.
pub(crate) fn pci_bus_id(device: usize) -> String {
    format!("0000:{:02X}:00.0", 0x10 + device)
}

/// Values of attributes, by number; those of an H200 where a program may rely on them.
const ATTRIBUTES: &[(u32, i32)] = &[
    (1, 1024),       // threads of a block
    (2, 1024),       // block x
    (3, 1024),       // block y
    (4, 64),         // block z
    (5, i32::MAX),   // grid x
    (6, 65_535),     // grid y
    (7, 65_535),     // grid z
    (8, 49_152),     // shared memory of a block
    (9, 65_536),     // constant memory
    (10, 32),        // warp
    (11, i32::MAX),  // pitch
    (12, 65_536),    // registers of a block
    (13, 1_000_000), // clock, kHz
    (14, 512),       // texture alignment
    (15, 1),         // overlap
    (16, 4),         // multiprocessors
    (17, 0),         // kernel timeout
    (18, 0),         // integrated
    (19, 1),         // can map host memory
    (20, 0),         // compute mode
    (31, 1),         // concurrent kernels
    (32, 0),         // ECC
    (34, 0),         // PCI device
    (35, 0),         // TCC
    (36, 1_000_000), // memory clock
    (37, 1024),      // bus width
    (38, 1 << 20),   // L2
    (39, 2048),      // threads of a multiprocessor
    (40, 1),         // copy engines
    (41, 1),         // unified addressing
    (50, 0),         // PCI domain
    (78, 1),         // stream priorities
    (81, 233_472),   // shared memory of a multiprocessor
    (82, 65_536),    // registers of a multiprocessor
    (83, 0),         // managed memory
    (84, 0),         // multi-GPU board
    (88, 0),         // pageable access
    (89, 0),         // concurrent managed access
    (90, 1),         // compute preemption
    (91, 1),         // host pointer for registered memory
    (95, 0),         // cooperative launch
    (97, 232_448),   // shared memory of a block, opt-in
    (99, 1),         // host registration
    (100, 0),        // pageable access by host page tables
    (102, 0),        // virtual memory
    (115, 1),        // memory pools
];

/// A fact about a device.
pub(crate) fn attribute(config: &Config, device: usize, number: u32) -> Outcome<i32> {
    const BUS: u32 = 33;
    const MAJOR: u32 = 75;
    const MINOR: u32 = 76;
    const NEWEST: u32 = 200;
    let small = |value: u32| i32::try_from(value).unwrap_or(0);
    match number {
        BUS => Ok(0x10 + i32::try_from(config.identity(device)).unwrap_or(0)),
        MAJOR => Ok(small(config.capability.0)),
        MINOR => Ok(small(config.capability.1)),
        0 | NEWEST.. => Err(codes::INVALID_VALUE),
        // What is not in the list the device can't do.
        _ => Ok(ATTRIBUTES.iter().find(|(known, _)| *known == number).map_or(0, |(_, value)| *value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_those_that_launches_are_checked_against() {
        use crate::ops::limits::{MAX_BLOCK, MAX_GRID, MAX_THREADS};
        let get = |number| i64::from(attribute(&Config::default(), 0, number).unwrap());
        assert_eq!([get(2), get(3), get(4)], MAX_BLOCK.map(i64::from));
        assert_eq!([get(5), get(6), get(7)], MAX_GRID.map(i64::from));
        assert_eq!(get(1), i64::try_from(MAX_THREADS).unwrap());
    }

    #[test]
    fn attributes_are_in_order_and_unknown_numbers_are_refused() {
        assert!(ATTRIBUTES.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert_eq!(attribute(&Config::default(), 0, 0), Err(codes::INVALID_VALUE));
        assert_eq!(attribute(&Config::default(), 2, 33), Ok(0x12));
    }
}
