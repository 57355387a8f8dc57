//! Failures on demand: the n-th call of a function, or the n-th kernel, fails.

/// What is to fail, and how often each function was called.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    failures: Vec<Failure>,
    faults: Vec<(u64, u32)>,
    kernels: u64,
}

#[derive(Clone, Debug)]
struct Failure {
    name: String,
    /// Calls that still succeed.
    before: u64,
    code: u32,
    /// Every later call fails too.
    lasting: bool,
}

/// Stands for all functions.
const ANY: &str = "*";

/// Whether `name` means the function: its exact symbol, or the name without the ABI's number.
pub(crate) fn is_named(symbol: &str, name: &str) -> bool {
    symbol == name || base_name(symbol) == name
}

/// `cuMemFree` of `cuMemFree_v2`.
pub(crate) fn base_name(symbol: &str) -> &str {
    match symbol.rsplit_once("_v") {
        Some((base, number)) if number.bytes().all(|b| b.is_ascii_digit()) => base,
        _ => symbol,
    }
}

impl Script {
    /// The `nth` call from now, counted from 1, returns `code` and does nothing; with `lasting`,
    /// so do all after it.
    pub(crate) fn fail(&mut self, name: &str, nth: u64, code: u32, lasting: bool) {
        self.failures.push(Failure { name: name.to_owned(), before: nth.max(1) - 1, code, lasting });
    }

    /// The `nth` kernel from now, counted from 1 in the order of their execution, ends with `code`.
    pub(crate) fn fault(&mut self, nth: u64, code: u32) {
        self.faults.push((self.kernels + nth.max(1), code));
    }

    /// Takes back what has not failed yet.
    pub(crate) fn clear(&mut self) {
        self.failures.clear();
        self.faults.clear();
    }

    /// Counts a call; gives the code that it must return, if it must fail.
    pub(crate) fn call(&mut self, symbol: &str) -> Option<u32> {
        let mut code = None;
        self.failures.retain_mut(|failure| {
            if failure.name != ANY && !is_named(symbol, &failure.name) {
                return true;
            }
            if failure.before > 0 {
                failure.before -= 1;
                return true;
            }
            if code.is_some() {
                return true;
            }
            code = Some(failure.code);
            failure.lasting
        });
        code
    }

    /// Counts a kernel; gives the code that it must end with, if it must fail.
    pub(crate) fn kernel(&mut self) -> Option<u32> {
        self.kernels += 1;
        self.faults.iter().find(|(nth, _)| *nth == self.kernels).map(|(_, code)| *code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nth_call_fails_once() {
        let mut script = Script::default();
        script.fail("cuMemAllocAsync", 3, 2, false);
        let codes: Vec<_> = (0..5).map(|_| script.call("cuMemAllocAsync")).collect();
        assert_eq!(codes, [None, None, Some(2), None, None]);
        assert_eq!(script.call("cuMemFreeAsync"), None);
    }

    #[test]
    fn a_lasting_failure_stays() {
        let mut script = Script::default();
        script.fail("cuInit", 2, 999, true);
        let codes: Vec<_> = (0..4).map(|_| script.call("cuInit")).collect();
        assert_eq!(codes, [None, Some(999), Some(999), Some(999)]);
    }

    #[test]
    fn a_star_counts_all_calls() {
        let mut script = Script::default();
        script.fail("*", 2, 2, false);
        assert_eq!(
            [script.call("cuInit"), script.call("cuCtxGetCurrent"), script.call("cuInit")],
            [None, Some(2), None]
        );
    }

    #[test]
    fn a_name_means_every_version_of_the_function() {
        assert!(is_named("cuMemFree_v2", "cuMemFree") && is_named("cuMemFree_v2", "cuMemFree_v2"));
        assert!(!is_named("cuMemFreeAsync", "cuMemFree") && !is_named("cu_verbose", "cu"));
    }

    #[test]
    fn the_nth_kernel_faults() {
        let mut script = Script::default();
        script.fault(2, 719);
        assert_eq!([script.kernel(), script.kernel(), script.kernel()], [None, Some(719), None]);
    }
}
