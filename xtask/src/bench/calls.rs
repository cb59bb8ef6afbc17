//! A program that calls every operation of a generated client, written from the client's signatures.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};
use quote::ToTokens as _;
use syn::{
    FnArg, GenericArgument, ImplItem, Item, ItemImpl, PathArguments, ReturnType, Signature, Type, TypeImplTrait,
    TypeParamBound, Visibility,
};

/// The ends of names of methods that call the operation of another method, for a response in another form.
const OTHERS: [&str; 2] = ["_text", "_binary_stream"];

/// The start of every program. The compiler cannot see that `any` never returns, so it compiles what follows it.
const BEGIN: &str =
    "#![allow(deprecated, unused_imports, reason = \"every operation is called, most without names of the root\")]

#[inline(never)]
fn any<T>() -> T {
    std::hint::black_box(None).expect(\"the calls are only compiled\")
}

fn poll(call: impl std::future::IntoFuture) {
    let mut call = std::pin::pin!(call.into_future());
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    std::hint::black_box(call.as_mut().poll(&mut context).is_ready());
}
";

/// Writes the package of the program, next to the package of the client; returns the number of calls.
pub(super) fn write(client: &Path, package: &Path) -> Result<usize> {
    let name = client.file_name().context("a package has a name")?.to_string_lossy();
    let library = name.replace('-', "_");
    let (mut program, mut main, mut calls) = (BEGIN.to_owned(), String::new(), 0);
    for (index, (module, items)) in modules(&client.join("src"))?.iter().enumerate() {
        let called: Vec<_> = items.iter().flat_map(methods).collect();
        if called.is_empty() {
            continue;
        }
        calls += called.len();
        writeln!(
            program,
            "\nmod of_{index} {{\n    use {library}{module}::*;\n    use {library}::*;\n    use crate::{{any, poll}};"
        )?;
        writeln!(program, "    pub fn call() {{\n{}    }}\n}}", called.concat())?;
        writeln!(main, "    of_{index}::call();")?;
    }
    write!(program, "\nfn main() {{\n{main}}}\n")?;
    let manifest = format!(
        "[package]\nname = \"{}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n{name} = {{ path = \"../{name}\" }}\n",
        package.file_name().unwrap_or_default().to_string_lossy()
    );
    fs::create_dir_all(package.join("src"))?;
    fs::write(package.join("Cargo.toml"), manifest)?;
    fs::write(package.join("src").join("main.rs"), program)?;
    Ok(calls)
}

/// The items of each file, with the path of its module in the crate.
fn modules(source: &Path) -> Result<Vec<(String, Vec<Item>)>> {
    let mut modules = Vec::new();
    let mut folders: Vec<(PathBuf, String)> = vec![(source.to_owned(), String::new())];
    while let Some((folder, above)) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let module = if ["lib", "mod"].contains(&&*name) { above.clone() } else { format!("{above}::{name}") };
            if path.is_dir() {
                folders.push((path, module));
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let file = syn::parse_file(&fs::read_to_string(&path)?).with_context(|| path.display().to_string())?;
                modules.push((module, file.items));
            }
        }
    }
    modules.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok(modules)
}

/// A statement for each public method without type parameters that returns a future.
fn methods(item: &Item) -> Vec<String> {
    let Item::Impl(ItemImpl { trait_: None, self_ty, items, .. }) = item else { return Vec::new() };
    let owner = self_ty.to_token_stream();
    let statement = |signature: &Signature| {
        let mut inputs = signature.inputs.iter();
        let Some(FnArg::Receiver(_)) = inputs.next() else { return None };
        let values: Option<Vec<_>> = inputs.map(value).collect();
        let values = values?.join(", ");
        Some(format!("        poll(any::<&{owner}>().{}({values}));\n", signature.ident))
    };
    let methods = items.iter().filter_map(|item| match item {
        ImplItem::Fn(method) if matches!(method.vis, Visibility::Public(_)) && is_call(&method.sig) => {
            Some(&method.sig)
        }
        _ => None,
    });
    let methods: Vec<_> = methods.collect();
    // The other generator adds `get_pet_text` to `get_pet`, which calls the same operation.
    let is_first = |signature: &&&Signature| {
        let name = signature.ident.to_string();
        let named = OTHERS.iter().find_map(|other| name.strip_suffix(other));
        named.is_none_or(|name| methods.iter().all(|method| method.ident != name))
    };
    methods.iter().filter(is_first).filter_map(|signature| statement(signature)).collect()
}

fn is_call(signature: &Signature) -> bool {
    let ReturnType::Type(_, returned) = &signature.output else { return false };
    let is_call =
        matches!(&**returned, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Call"));
    signature.generics.type_params().next().is_none() && (signature.asyncness.is_some() || is_call)
}

/// The expression for an argument.
fn value(input: &FnArg) -> Option<String> {
    let FnArg::Typed(input) = input else { return None };
    let is_option = |path: &syn::Path| path.segments.last().is_some_and(|last| last.ident == "Option");
    match &*input.ty {
        Type::ImplTrait(bounds) => Some(format!("any::<{}>()", concrete(bounds)?)),
        Type::Path(path) if is_option(&path.path) => match only_argument(&path.path)? {
            Type::ImplTrait(bounds) => Some(format!("any::<Option<{}>>()", concrete(bounds)?)),
            _ => Some("any()".into()),
        },
        _ => Some("any()".into()),
    }
}

/// `T` for `impl Into<T>`, and `&T` for `impl AsRef<T>`.
fn concrete(bounds: &TypeImplTrait) -> Option<String> {
    let Some(TypeParamBound::Trait(bound)) = bounds.bounds.first() else { return None };
    let target = only_argument(&bound.path)?.to_token_stream();
    match &*bound.path.segments.last()?.ident.to_string() {
        "Into" => Some(target.to_string()),
        "AsRef" => Some(format!("&{target}")),
        _ => None,
    }
}

fn only_argument(path: &syn::Path) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = &path.segments.last()?.arguments else { return None };
    match arguments.args.first()? {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_is_called_once_with_values_of_the_types_that_are_wanted() {
        let client = syn::parse_quote! {
            impl Client {
                pub async fn get_pet(&self, id: i64, key: Option<impl AsRef<str>>, name: impl Into<String>) -> Pet {}
                pub async fn get_pet_text(&self, id: i64, key: Option<impl AsRef<str>>, name: impl Into<String>) -> String {}
                pub async fn send_text(&self, text: impl AsRef<str>, page: Option<u32>) -> Pet {}
                pub fn base_url(&self) -> &str {}
            }
        };
        let called = methods(&client);
        let called: Vec<_> = called.iter().map(|statement| statement.trim()).collect();
        let get = "poll(any::<&Client>().get_pet(any(), any::<Option<&str>>(), any::<String>()));";
        assert_eq!(called, [get, "poll(any::<&Client>().send_text(any::<&str>(), any()));"]);
    }

    #[test]
    fn a_program_calls_every_operation_of_a_client() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace");
        let client = root.join("generated-client");
        let description = fs::read_to_string(root.join("spec/openapi.yaml")).expect("a description");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let calls = write(&client, &folder.path().join("calls")).expect("written");
        let program = fs::read_to_string(folder.path().join("calls/src/main.rs")).expect("a program");
        assert_eq!(calls, description.matches("\n      operationId:").count(), "links are nested deeper");
        assert!(
            program.contains("poll(any::<&Contacts>().get_contacts_list_summary(any::<GetContactsListSummary>()));")
        );
    }
}
