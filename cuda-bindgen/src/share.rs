//! What two majors of the runtime have in common.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Bindings, Field, Record, identifiers};

/// Marks what is the same in both: `old` then takes it from `new`. An enum counts as the same if
/// `new` has all its values (and maybe more).
pub fn share_with(old: &mut Bindings, new: &Bindings) {
    let mut shared: BTreeSet<String> = BTreeSet::new();
    let of = |pairs: Vec<(&String, bool)>| {
        pairs.into_iter().filter(|(_, same)| *same).map(|(name, _)| name.clone()).collect::<Vec<_>>()
    };
    shared.extend(of(old.constants.iter().map(|item| (&item.name, new.constants.contains(item))).collect()));
    shared.extend(of(old.handles.iter().map(|name| (name, new.handles.contains(name))).collect()));
    shared.extend(of(old.aliases.iter().map(|item| (&item.name, new.aliases.contains(item))).collect()));
    shared.extend(of(old.records.iter().map(|item| (&item.name, new.records.contains(item))).collect()));
    for item in &old.enums {
        let other = new.enums.iter().find(|other| other.name == item.name && other.signed == item.signed);
        if other.is_some_and(|other| item.values.iter().all(|value| other.values.contains(value))) {
            shared.insert(item.name.clone());
        }
    }
    // A type is the same only if all that it is made of is.
    let own: BTreeSet<&str> = names(old);
    loop {
        let broken = |text: &str| identifiers(text).any(|word| own.contains(word) && !shared.contains(word));
        let mut lost: Vec<String> = Vec::new();
        lost.extend(
            old.aliases
                .iter()
                .filter(|item| shared.contains(&item.name) && broken(&item.ty))
                .map(|item| item.name.clone()),
        );
        let record_broken =
            |record: &&Record| shared.contains(&record.name) && record.fields.iter().any(|field| broken(&field.ty));
        lost.extend(old.records.iter().filter(record_broken).map(|record| record.name.clone()));
        if lost.is_empty() {
            break;
        }
        for name in lost {
            shared.remove(&name);
        }
    }
    old.shared = shared;
}

fn names(bindings: &Bindings) -> BTreeSet<&str> {
    let mut names: BTreeSet<&str> = bindings.handles.iter().map(String::as_str).collect();
    names.extend(bindings.aliases.iter().map(|item| item.name.as_str()));
    names.extend(bindings.records.iter().map(|item| item.name.as_str()));
    names.extend(bindings.enums.iter().map(|item| item.name.as_str()));
    names
}

/// The functions of `new` that have the same signature in `old`, with every type that can be
/// reached through it laid out the same way; and the names of those that have not.
#[must_use]
pub fn common_functions(old: &Bindings, new: &Bindings) -> (Bindings, Vec<String>) {
    let mut common = new.clone();
    let mut traps = Vec::new();
    let mut known = BTreeMap::new();
    common.functions.retain(|function| {
        let Some(other) = old.functions.iter().find(|other| other.name == function.name) else {
            return false;
        };
        let same = other.signature() == function.signature() && same_types(&function.signature(), old, new, &mut known);
        if !same {
            traps.push(function.name.clone());
        }
        same
    });
    (common, traps)
}

/// Whether all types named in a text are laid out the same in both.
fn same_types(text: &str, old: &Bindings, new: &Bindings, known: &mut BTreeMap<String, bool>) -> bool {
    identifiers(text).all(|name| same_type(name, old, new, known))
}

fn same_type(name: &str, old: &Bindings, new: &Bindings, known: &mut BTreeMap<String, bool>) -> bool {
    if let Some(known) = known.get(name) {
        return *known;
    }
    // Types that refer to themselves: true until shown otherwise.
    known.insert(name.to_owned(), true);
    let alias =
        |bindings: &Bindings| bindings.aliases.iter().find(|item| item.name == name).map(|item| item.ty.clone());
    let record = |bindings: &Bindings| bindings.records.iter().find(|item| item.name == name).cloned();
    let same = match (record(old), record(new), alias(old), alias(new)) {
        (Some(old_record), Some(new_record), _, _) => same_layout(&old_record, &new_record, old, new, known),
        (None, None, Some(old_type), Some(new_type)) => old_type == new_type && same_types(&old_type, old, new, known),
        (None, None, None, None) => true,
        _ => false,
    };
    known.insert(name.to_owned(), same);
    same
}

/// Same size and alignment, and each field of the old one is where it was. Reserved bytes may have
/// become fields, and a field may have moved into an anonymous union at its place.
fn same_layout(
    old_record: &Record,
    new_record: &Record,
    old: &Bindings,
    new: &Bindings,
    known: &mut BTreeMap<String, bool>,
) -> bool {
    if (old_record.size, old_record.alignment, old_record.union)
        != (new_record.size, new_record.alignment, new_record.union)
    {
        return false;
    }
    old_record.fields.iter().all(|field| {
        let reserved = ["reserved", "pad", "unused"].iter().any(|word| field.name.contains(word));
        let offset = old_record.offsets.get(&field.name);
        match new_record.fields.iter().find(|other| other.name == field.name) {
            Some(_) if reserved => true,
            Some(other) => {
                offset == new_record.offsets.get(&field.name)
                    && (other.ty == field.ty && same_types(&field.ty, old, new, known)
                        || anonymous(&field.ty, &other.ty, old, new, known))
            }
            // bindgen asserts no offset for an unnamed union: its members have its name to go by.
            None => reserved || new_record.fields.iter().any(|other| holds(&other.ty, field, new)),
        }
    })
}

/// Whether an unnamed union has this member at its start.
fn holds(union: &str, member: &Field, new: &Bindings) -> bool {
    let union =
        new.records.iter().find(|record| record.name == union && record.union && union.contains("__bindgen_ty"));
    union.is_some_and(|record| record.fields.contains(member))
}

/// Anonymous types may be numbered differently.
fn anonymous(
    old_type: &str,
    new_type: &str,
    old: &Bindings,
    new: &Bindings,
    known: &mut BTreeMap<String, bool>,
) -> bool {
    let record = |bindings: &Bindings, name: &str| bindings.records.iter().find(|item| item.name == name).cloned();
    match (record(old, old_type), record(new, new_type)) {
        (Some(old_record), Some(new_record)) if old_type.contains("__bindgen_ty") => {
            same_layout(&old_record, &new_record, old, new, known)
        }
        _ => false,
    }
}
