//! Reads what bindgen wrote.

use std::collections::{BTreeMap, BTreeSet};

use quote::ToTokens;
use syn::{Expr, Fields, FnArg, ForeignItem, ImplItem, Item, Lit, ReturnType, UnOp};

use crate::layout::Layouts;
use crate::model::{Alias, Api, Bindings, Constant, Enum, Field, Function, Record, identifiers};

/// Functions that are left out, and why.
const EXCLUDED: [(&str, u32, &str); 1] = [(
    "cudaGetDeviceProperties",
    12,
    "libcudart.so.12 exports it with CUDA 11's struct, the header declares it with CUDA 12's; what C programs call is _v2",
)];

pub(crate) fn parse(api: Api, version: u32, text: &str) -> Result<Bindings, String> {
    let file = syn::parse_file(text).map_err(|error| error.to_string())?;
    let tool = text.split_once("rust-bindgen ").and_then(|(_, rest)| rest.split_whitespace().next());
    let mut layouts = Layouts::default();
    let mut out = Bindings {
        api,
        version,
        tool: tool.unwrap_or("unknown").to_owned(),
        constants: Vec::new(),
        enums: Vec::new(),
        records: Vec::new(),
        handles: Vec::new(),
        aliases: Vec::new(),
        functions: Vec::new(),
        from_driver: Vec::new(),
        shared: BTreeSet::new(),
        tags: BTreeMap::new(),
    };
    let mut values: Values = BTreeMap::new();
    for item in &file.items {
        take(item, &mut out, &mut values, &mut layouts)?;
    }
    for item in &mut out.enums {
        item.values = values.remove(&item.name).unwrap_or_default();
    }
    for record in &mut out.records {
        layouts.fill(record)?;
    }
    out.functions
        .retain(|function| !EXCLUDED.iter().any(|(name, major, _)| *name == function.name && version / 1000 == *major));
    out.functions.sort_by(|a, b| a.name.cmp(&b.name));
    prefer_typedef_names(&mut out);
    if api == Api::Runtime {
        take_from_driver(&mut out);
    }
    Ok(out)
}

/// Constants that are `~0u`.
const ALL_ONES: [&str; 2] =
    ["CU_DEV_SM_RESOURCE_GROUP_LOCALITY_DOMAIN_ID_ANY", "cudaDevSmResourceGroupLocalityDomainIdAny"];

/// The constants of each enum, by its name.
type Values = BTreeMap<String, Vec<(String, i64)>>;

/// Sorts one item into its place.
fn take(item: &Item, out: &mut Bindings, values: &mut Values, layouts: &mut Layouts) -> Result<(), String> {
    match item {
        Item::Const(item) if item.ident == "_" => layouts.read(item),
        // The C source is ~0u, which bindgen takes for a signed number.
        Item::Const(item) if ALL_ONES.contains(&item.ident.to_string().as_str()) => out.constants.push(Constant {
            name: item.ident.to_string(),
            ty: "u32".to_owned(),
            value: "u32::MAX".to_owned(),
        }),
        Item::Const(item) => out.constants.push(Constant {
            name: item.ident.to_string(),
            ty: type_text(&item.ty),
            value: type_text(&item.expr),
        }),
        Item::Type(item) => {
            out.aliases.push(Alias { name: item.ident.to_string(), ty: type_text(&item.ty), reexport: false });
        }
        Item::Use(item) => out.aliases.push(use_alias(item)?),
        Item::Impl(item) => {
            let name = type_text(&item.self_ty);
            for constant in &item.items {
                let ImplItem::Const(constant) = constant else {
                    continue;
                };
                values.entry(name.clone()).or_default().push((constant.ident.to_string(), enum_value(&constant.expr)?));
            }
        }
        Item::Struct(item) => match &item.fields {
            Fields::Unnamed(fields) => out.enums.push(Enum {
                name: item.ident.to_string(),
                signed: fields.unnamed.iter().any(|field| type_text(&field.ty) == "c_int"),
                values: Vec::new(),
            }),
            Fields::Named(fields)
                if fields.named.iter().any(|field| field.ident.as_ref().is_some_and(|name| name == "_unused")) =>
            {
                out.handles.push(item.ident.to_string());
            }
            fields => out.records.push(record(&item.ident, false, &item.attrs, fields.iter())?),
        },
        Item::Union(item) => out.records.push(record(&item.ident, true, &item.attrs, item.fields.named.iter())?),
        Item::ForeignMod(block) => {
            for item in &block.items {
                let ForeignItem::Fn(item) = item else {
                    continue;
                };
                out.functions.push(function(&item.sig));
            }
        }
        other => return Err(format!("unexpected item: {}", other.to_token_stream())),
    }
    Ok(())
}

/// Text of a type or expression with paths shortened: the files that hold it import the names.
fn type_text(tokens: &impl ToTokens) -> String {
    let text = tokens.to_token_stream().to_string();
    let text =
        text.replace(":: core :: ffi :: ", "").replace(":: core :: option :: ", "").replace("& 'static ", "&'static ");
    let text = text.replace("- ", "-");
    text.replace("* mut ", "*mut ")
        .replace("* const ", "*const ")
        .replace(" :: ", "::")
        .replace("Option < ", "Option<")
        .replace(" ; ", "; ")
}

fn use_alias(item: &syn::ItemUse) -> Result<Alias, String> {
    // pub use self::X as Y;
    let text = item.tree.to_token_stream().to_string();
    let mut words = text.split_whitespace();
    let (Some("self"), Some("::"), Some(ty), Some("as"), Some(name)) =
        (words.next(), words.next(), words.next(), words.next(), words.next())
    else {
        return Err(format!("unexpected use: {text}"));
    };
    Ok(Alias { name: name.to_owned(), ty: ty.to_owned(), reexport: true })
}

/// The number in `Name(number)`.
fn enum_value(expr: &Expr) -> Result<i64, String> {
    let Expr::Call(call) = expr else {
        return Err("constant of an enum is no number".to_owned());
    };
    let Some(argument) = call.args.first() else {
        return Err("constant of an enum is empty".to_owned());
    };
    integer(argument).ok_or_else(|| format!("not a number: {}", argument.to_token_stream()))
}

pub(crate) fn integer(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Int(number) => number.base10_parse().ok(),
            _ => None,
        },
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => integer(&unary.expr).map(|number| -number),
        Expr::Group(group) => integer(&group.expr),
        _ => None,
    }
}

fn record<'a>(
    name: &syn::Ident,
    union: bool,
    attributes: &[syn::Attribute],
    fields: impl Iterator<Item = &'a syn::Field>,
) -> Result<Record, String> {
    let mut align = None;
    for attribute in attributes {
        let text = attribute.to_token_stream().to_string();
        if let Some((_, rest)) = text.split_once("align (") {
            align = rest
                .split(')')
                .next()
                .and_then(|number| number.trim().trim_end_matches("usize").trim_end_matches("u32").parse().ok());
        }
        if text.contains("packed") {
            return Err(format!("{name} is packed"));
        }
    }
    let field = |field: &syn::Field| Some(Field { name: field.ident.as_ref()?.to_string(), ty: type_text(&field.ty) });
    Ok(Record {
        name: name.to_string(),
        union,
        align,
        fields: fields.filter_map(field).collect(),
        size: 0,
        alignment: 0,
        offsets: BTreeMap::new(),
    })
}

fn function(signature: &syn::Signature) -> Function {
    let mut arguments = Vec::new();
    for argument in &signature.inputs {
        if let FnArg::Typed(argument) = argument {
            arguments.push((argument.pat.to_token_stream().to_string(), type_text(&argument.ty)));
        }
    }
    let output = match &signature.output {
        ReturnType::Type(_, ty) => Some(type_text(ty)),
        ReturnType::Default => None,
    };
    Function { name: signature.ident.to_string(), arguments, output }
}

/// Enums get the name that C programs use (`CUresult`); the tag becomes a second name.
fn prefer_typedef_names(out: &mut Bindings) {
    let mut renames: BTreeMap<String, String> = BTreeMap::new();
    for alias in out.aliases.iter().filter(|alias| alias.reexport) {
        let better = alias.ty == "cudaError_enum" || alias.ty.strip_suffix("_enum") == Some(&alias.name);
        if better && !renames.contains_key(&alias.ty) {
            renames.insert(alias.ty.clone(), alias.name.clone());
        }
    }
    let rename = |text: &mut String| {
        for (tag, name) in &renames {
            if identifiers(text).any(|word| word == tag) {
                *text = replace_word(text, tag, name);
            }
        }
    };
    out.constants.iter_mut().for_each(|constant| rename(&mut constant.ty));
    out.enums.iter_mut().for_each(|item| rename(&mut item.name));
    out.records.iter_mut().flat_map(|record| &mut record.fields).for_each(|field| rename(&mut field.ty));
    for function in &mut out.functions {
        function.arguments.iter_mut().for_each(|(_, ty)| rename(ty));
        function.output.iter_mut().for_each(rename);
    }
    out.aliases.retain_mut(|alias| {
        if renames.get(&alias.ty) == Some(&alias.name) {
            return false;
        }
        rename(&mut alias.ty);
        alias.ty != alias.name
    });
    for (tag, name) in &renames {
        out.aliases.push(Alias { name: tag.clone(), ty: name.clone(), reexport: true });
    }
    out.tags = renames;
}

fn replace_word(text: &str, from: &str, to: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        out.push_str(if word == from { to } else { &word });
        word.clear();
        out.push(c);
    }
    out.truncate(out.len() - 1);
    out
}

/// Handles with a tag of the driver API are the driver's types: the same objects.
fn take_from_driver(out: &mut Bindings) {
    let (driver, own): (Vec<String>, Vec<String>) =
        out.handles.drain(..).partition(|name| name.starts_with("CU") && !RUNTIME_ONLY.contains(&name.as_str()));
    out.handles = own;
    out.from_driver = driver;
    if out.records.iter().any(|record| record.name == "CUuuid_st") {
        out.records.retain(|record| record.name != "CUuuid_st");
        out.aliases.retain(|alias| alias.name != "CUuuid");
        out.from_driver.extend(["CUuuid_st".to_owned(), "CUuuid".to_owned()]);
    }
    out.from_driver.sort();
}

/// Tags that look like the driver's but have no type there.
const RUNTIME_ONLY: [&str; 2] = ["CUexternalMemory_st", "CUexternalSemaphore_st"];
