//! Which item of the safe layer calls which C function.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{ImplItem, Item, TraitItem};

/// C functions and the items that call them.
type Users = BTreeMap<String, BTreeSet<String>>;

/// Adds the calls in one file. Macros are looked into: `cu!(cuInit(0))` is a call.
pub(super) fn collect(sources: &Path, file: &Path, users: &mut Users) -> Result<(), Box<dyn Error>> {
    let text = fs::read_to_string(file)?;
    let parsed = syn::parse_file(&text).map_err(|error| format!("{}: {error}", file.display()))?;
    let module = file.strip_prefix(sources)?.with_extension("");
    let module = module.iter().map(|part| part.to_string_lossy()).filter(|part| part != "mod" && part != "lib");
    items(&parsed.items, &module.collect::<Vec<_>>().join("::"), users);
    Ok(())
}

fn items(all: &[Item], module: &str, users: &mut Users) {
    for item in all {
        match item {
            Item::Fn(function) => calls(function.to_token_stream(), &join(module, &function.sig.ident), users),
            Item::Impl(block) => {
                let of = block.self_ty.to_token_stream().into_iter().next().map(|first| first.to_string());
                let of = join(module, &of.unwrap_or_default());
                for part in &block.items {
                    let name = match part {
                        ImplItem::Fn(function) => join(&of, &function.sig.ident),
                        ImplItem::Const(constant) => join(&of, &constant.ident),
                        _ => of.clone(),
                    };
                    calls(part.to_token_stream(), &name, users);
                }
            }
            Item::Trait(block) => {
                for part in &block.items {
                    if let TraitItem::Fn(function) = part {
                        calls(function.to_token_stream(), &join(module, &function.sig.ident), users);
                    }
                }
            }
            Item::Mod(inner) if inner.ident != "tests" => {
                let inside = inner.content.iter().flat_map(|(_, items)| items).cloned().collect::<Vec<_>>();
                items(&inside, &join(module, &inner.ident), users);
            }
            Item::Const(constant) => calls(constant.to_token_stream(), &join(module, &constant.ident), users),
            Item::Static(place) => {
                calls(place.to_token_stream(), &join(module, &place.ident), users);
            }
            _ => {}
        }
    }
}

fn join(module: &str, name: &dyn ToString) -> String {
    if module.is_empty() { name.to_string() } else { format!("{module}::{}", name.to_string()) }
}

/// Notes every `cuX(…)`, and every symbol that is taken by its name, `symbols::cuX`.
fn calls(tokens: TokenStream, item: &str, users: &mut Users) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (i, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => calls(group.stream(), item, users),
            TokenTree::Ident(name) => {
                let name = name.to_string();
                let called = matches!(tokens.get(i + 1), Some(TokenTree::Group(_)));
                let taken = i >= 3 && matches!(&tokens[i - 3], TokenTree::Ident(module) if module == "symbols");
                if is_function(&name) && (called || taken) {
                    users.entry(name).or_default().insert(item.to_owned());
                }
            }
            _ => {}
        }
    }
}

/// Whether a name has the shape of a C function of CUDA: `cuX…` or `cudaX…`.
fn is_function(name: &str) -> bool {
    let rest = name.strip_prefix("cuda").or_else(|| name.strip_prefix("cu"));
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
}
