//! Sizes, alignments and offsets, out of the assertions that bindgen writes.

use std::collections::BTreeMap;

use syn::{BinOp, Expr, ItemConst, Lit, Stmt};

use crate::model::Record;
use crate::parse::integer;

/// Numbers by bindgen's own labels: `Size of X`, `Alignment of X`, `Offset of field: X::f`.
#[derive(Debug, Default)]
pub(crate) struct Layouts(BTreeMap<String, u64>);

impl Layouts {
    /// Reads `const _: () = { ["label"][size_of::<X>() - 16usize]; … };`.
    pub(crate) fn read(&mut self, item: &ItemConst) {
        let Expr::Block(block) = &*item.expr else {
            return;
        };
        for statement in &block.block.stmts {
            let Stmt::Expr(Expr::Index(index), _) = statement else {
                continue;
            };
            let (Expr::Array(label), Expr::Binary(difference)) = (&*index.expr, &*index.index) else {
                continue;
            };
            let (Some(Expr::Lit(label)), BinOp::Sub(_)) = (label.elems.first(), &difference.op) else {
                continue;
            };
            if let (Lit::Str(label), Some(number)) = (&label.lit, integer(&difference.right)) {
                self.0.insert(label.value(), number.unsigned_abs());
            }
        }
    }

    pub(crate) fn fill(&self, record: &mut Record) -> Result<(), String> {
        let get = |label: String| self.0.get(&label).copied().ok_or(label);
        record.size = get(format!("Size of {}", record.name))?;
        record.alignment = get(format!("Alignment of {}", record.name))?;
        for field in &record.fields {
            let offset =
                if record.union { Ok(0) } else { get(format!("Offset of field: {}::{}", record.name, field.name)) };
            // The offset of a field that holds an anonymous union is that of its members.
            if let Ok(offset) = offset {
                record.offsets.insert(field.name.clone(), offset);
            }
        }
        Ok(())
    }
}
