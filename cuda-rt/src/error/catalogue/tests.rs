use super::*;

#[test]
fn table_is_sorted_and_found() {
    let codes: Vec<u32> = all().map(|entry| entry.code).collect();
    assert!(codes.is_sorted_by(|a, b| a < b), "out of order or twice");
    for entry in all() {
        assert_eq!(lookup(entry.code), Some(entry));
    }
}

#[test]
fn unknown_codes_have_no_entry() {
    for code in [11, 33, 99, 128, 199, 601, 699, 920, 998, 1000, 9999, 10_001, 12_345, u32::MAX] {
        assert_eq!(lookup(code), None, "{code}");
    }
}

#[test]
fn table_has_every_code_of_both_apis() {
    assert_eq!(all().count(), 142);
    assert_eq!(all().filter(|entry| entry.driver_name.is_some()).count(), 106);
    assert_eq!(all().filter(|entry| entry.runtime_name.is_some()).count(), 139);
    assert!(all().all(|entry| entry.driver_name.is_some() || entry.runtime_name.is_some()));
}

#[test]
fn names_look_like_the_headers_names() {
    for entry in all() {
        let driver = entry.driver_name.unwrap_or("CUDA_");
        let runtime = entry.runtime_name.unwrap_or("cuda");
        assert!(driver.starts_with("CUDA_") && runtime.starts_with("cuda"), "{entry:?}");
    }
}

#[test]
fn every_code_has_text_and_hint() {
    for entry in all() {
        assert!(!entry.text.is_empty() && !entry.hint.is_empty(), "{entry:?}");
        assert!(!entry.text.ends_with('.') && !entry.hint.ends_with('.'), "a part of a sentence: {entry:?}");
        assert!(entry.text.len() < 100, "a few words: {entry:?}");
        assert_ne!(entry.text, entry.hint);
    }
}

#[test]
fn texts_differ() {
    let mut texts: Vec<&str> = all().map(|entry| entry.text).collect();
    texts.sort_unstable();
    let count = texts.len();
    texts.dedup();
    assert_eq!(texts.len(), count, "two codes say the same");
}

#[test]
fn report_045_classes_tell_lost_from_recoverable() {
    let class = |code| lookup(code).map(|entry| entry.class);
    assert_eq!(class(2), Some(Class::Resource));
    // Those of which the headers say that the process has to be started anew, and hardware faults.
    for code in [214, 220, 226, 700, 702, 710, 714, 715, 716, 717, 718, 719, 721, 810] {
        assert_eq!(class(code), Some(Class::Sticky), "{code}");
    }
    for code in [34, 35, 46, 100, 802, 803, 804, 999] {
        assert_eq!(class(code), Some(Class::Environment), "{code}");
    }
    for code in [0, 600, 704, 705, 712, 713] {
        assert_eq!(class(code), Some(Class::NotAnError), "{code}");
    }
    assert_eq!(class(4), Some(Class::Shutdown));
    assert_eq!(class(1), Some(Class::Usage));
}

#[test]
fn report_035_numbers_are_those_of_current_headers() {
    assert_eq!(lookup(1).and_then(|entry| entry.runtime_name), Some("cudaErrorInvalidValue"));
    assert_eq!(lookup(52).and_then(|entry| entry.runtime_name), Some("cudaErrorMissingConfiguration"));
}

#[test]
fn report_020_code_35_does_not_blame_the_version_alone() {
    let entry = lookup(35).unwrap();
    assert!(entry.text.contains("no driver"), "{entry:?}");
    assert!(!entry.text.contains("insufficient"));
}
