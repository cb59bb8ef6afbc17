//! Links in comments to what was left out.

use super::mention::Mention;
use super::path::{Module, Target};
use super::write::Writer;

/// Makes plain code of links whose targets are left out: `` [`a`](B::a) `` becomes `` `a` ``.
pub(super) fn without_broken<'a>(text: &str, writer: &Writer<'_, 'a>, module: &Module<'a>) -> String {
    let mut result = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with("//") {
            push_mended(&mut result, line, writer, module);
        } else {
            result.push_str(line);
        }
    }
    result
}

fn push_mended<'a>(result: &mut String, mut line: &str, writer: &Writer<'_, 'a>, module: &Module<'a>) {
    while let Some((before, link)) = line.split_once("[`") {
        result.push_str(before);
        let Some((name, behind)) = link.split_once("`]") else {
            line = &line[before.len()..];
            break;
        };
        let target = behind.strip_prefix('(').and_then(|target| target.split_once(')')).map(|(target, _)| target);
        if is_left_out(target.unwrap_or(name), writer, module) {
            result.extend(["`", name, "`"]);
            line = &behind[target.map_or(0, |target| target.len() + "()".len())..];
        } else {
            result.extend(["[`", name, "`]"]);
            line = behind;
        }
    }
    result.push_str(line);
}

fn is_left_out<'a>(target: &str, writer: &Writer<'_, 'a>, module: &Module<'a>) -> bool {
    let path: Vec<&str> = target.trim_end_matches("()").split("::").collect();
    let Some((Target::Item(of, item), taken)) = writer.tree.resolve(module, &path) else { return false };
    let is_reached = writer.reached.sets(writer.names, Mention::Item(of, item)) != 0;
    !is_reached || path.get(taken).is_some_and(|member| writer.is_left_out((of, item), member))
}
