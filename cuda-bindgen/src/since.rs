//! Since which version a function exists, and which page of the reference it is on.

use std::collections::BTreeMap;

use crate::model::Api;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Fact {
    /// 12040 for CUDA 12.4. 11070 of a runtime function means 11.7 or earlier.
    pub(crate) since: u32,
    pub(crate) group: &'static str,
    pub(crate) deprecated: bool,
    /// In the oldest library that linked programs start with.
    pub(crate) floor: bool,
}

/// Runtime functions that changed their ABI under the same name in 13: in that major they are new.
const CHANGED_IN_13: &str = include_str!("../data/changed_in_13.txt");

/// Facts by symbol, for a header of this version. The tables grow by hand when a header adds functions; one that is not there
/// counts as new in the header that declares it.
pub(crate) fn facts(api: Api, version: u32) -> BTreeMap<&'static str, Fact> {
    let text = match api {
        Api::Driver => include_str!("../data/driver.tsv"),
        Api::Runtime => include_str!("../data/runtime.tsv"),
    };
    let mut facts = BTreeMap::new();
    for line in text.lines().skip(1) {
        let mut columns = line.split('\t');
        let (Some(symbol), Some(Ok(since))) = (columns.next(), columns.next().map(str::parse)) else {
            continue;
        };
        let group = columns.next().unwrap_or_default();
        let deprecated = columns.next() == Some("1") || group.ends_with("_DEPRECATED");
        let floor = match columns.next() {
            Some(flag) => flag == "1",
            None => true,
        };
        facts.insert(symbol, Fact { since, group, deprecated, floor });
    }
    if api == Api::Runtime && version >= 13000 {
        for name in CHANGED_IN_13.lines() {
            if let Some(fact) = facts.get_mut(name) {
                fact.since = fact.since.max(13000);
            }
        }
    }
    facts
}

/// The page of NVIDIA's reference for a group.
pub(crate) fn page(api: Api, group: &str) -> Option<String> {
    if group.is_empty() {
        return None;
    }
    let manual = match api {
        Api::Driver => "cuda-driver-api",
        Api::Runtime => "cuda-runtime-api",
    };
    Some(format!("https://docs.nvidia.com/cuda/{manual}/group__{}.html", group.replace('_', "__")))
}
