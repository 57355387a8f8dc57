//! Where an example runs: on the GPU or, on a machine without any driver, on the simulator.

use cuda_rt::check::{KernelDriver, Problem};
use cuda_rt::{Requirement, driver};
use cuda_sim::{FindingKind, Machine};

/// The place, to be kept while CUDA is used.
pub(crate) struct Place {
    simulator: Option<(Machine, String)>,
}

impl Place {
    /// Chooses the simulator if it is asked for, or if there is no driver library. A driver that is there and can't be
    /// used is no reason: that is for the example to say.
    pub(crate) fn choose(wants_simulator: bool) -> Self {
        let why = if wants_simulator { Some("as --sim asks".to_owned()) } else { no_driver() };
        // Before anything is loaded: what stands in for the libraries does so for the whole process.
        Self { simulator: why.map(|why| (Machine::builder().install(), why)) }
    }

    /// `simulated device (why)`, on the simulator.
    pub(crate) fn notice(&self) -> Option<String> {
        self.simulator.as_ref().map(|(_, why)| format!("simulated device ({why})"))
    }

    /// What the simulator saw go wrong, a line each: races, accesses out of bounds, use after free.
    #[allow(dead_code, reason = "device_query makes mistakes on purpose")]
    pub(crate) fn findings(&self) -> Vec<String> {
        let findings = self.simulator.iter().flat_map(|(machine, _)| machine.findings());
        findings.filter(|finding| finding.kind != FindingKind::Abandoned).map(|finding| finding.to_string()).collect()
    }
}

/// That there is no driver library at all, in words.
fn no_driver() -> Option<String> {
    // A library that could be loaded is there, whatever it answers.
    driver::version().err()?.load_error()?;
    let unfit = cuda_rt::require(Requirement::any()).err()?;
    // Nor is a file there that has the library's name and is none.
    unfit.problems().find_map(|problem| match problem {
        Problem::NoDriver { kernel: KernelDriver::Loaded(release) } => {
            Some(format!("no driver library found, although the NVIDIA kernel driver {release} is loaded"))
        }
        Problem::NoDriver { .. } => Some("no NVIDIA driver found: `cargo run` tells more".to_owned()),
        _ => None,
    })
}
