use super::super::facts::{Missing, Runtime};
use super::super::judge::machines::{bare, failing, healthy};
use super::*;

fn refusal(facts: &Facts, requirement: Requirement) -> String {
    facts.fulfil(&requirement).unwrap_err().to_string()
}

#[test]
fn healthy_machine_meets_what_it_has() {
    for requirement in [
        Requirement::any(),
        Requirement::runtime(12, 4),
        Requirement::runtime(12, 9).driver(13, 0).compute_capability(9, 0),
        Requirement::any().driver(12, 0).compute_capability(8, 0),
    ] {
        assert!(healthy().fulfil(&requirement).is_ok(), "{requirement:?}");
    }
}

#[test]
fn unmet_requirement_names_both_sides() {
    let text = refusal(&healthy(), Requirement::runtime(13, 0));
    assert!(text.contains("runtime 12.9 is older than 13.0") && text.contains("nvidia-cuda-runtime"), "{text}");
    let text = refusal(&healthy(), Requirement::any().driver(13, 1));
    assert!(text.contains("driver 13.0 (580.159.04) is older than 13.1") && text.contains("branch 590"), "{text}");
    let text = refusal(&healthy(), Requirement::any().compute_capability(10, 0));
    assert!(text.contains("10.0") && text.contains("the best has 9.0"), "{text}");
    // Capabilities compare by major, then minor.
    assert!(healthy().fulfil(&Requirement::any().compute_capability(8, 9)).is_ok());
}

#[test]
fn several_unmet_requirements_are_all_told() {
    let text = refusal(&healthy(), Requirement::runtime(13, 0).driver(13, 1).compute_capability(12, 0));
    assert!(text.contains("runtime 12.9") && text.contains("driver 13.0") && text.contains("12.0"), "{text}");
}

#[test]
fn missing_runtime_is_unfit_only_if_one_is_required() {
    let mut facts = healthy();
    facts.runtime = Runtime { library: Some(Err(Missing::default())), ..Runtime::default() };
    assert!(facts.fulfil(&Requirement::any()).is_ok());
    let text = refusal(&facts, Requirement::runtime(12, 0));
    assert!(text.contains("no runtime library found") && text.contains("static-runtime"), "{text}");
}

#[test]
fn report_019_requirement_keeps_the_reason() {
    assert!(refusal(&bare(), Requirement::runtime(12, 0)).contains("no driver found"));
    assert!(refusal(&failing(100), Requirement::any()).contains("no device"));
    assert!(refusal(&failing(12_345), Requirement::any()).contains("12345"), "an unknown failure meets nothing");
}
