//! Named types: delegates to the emitter of each kind, and lists the models.

mod alias;
mod attribute;
mod enum_;
pub(crate) mod rules;
mod struct_;
mod union;

pub(crate) use struct_::default_doc;
pub use struct_::default_literal;

use std::collections::BTreeMap;

use foldhash::HashMap;

use super::side::Side;
use super::{SourceFile, doc, feature, ty};
use crate::ir::{Api, Model, ModelKind};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// `models.rs` and a file for each model.
pub(crate) fn files(api: &Api, side: Side) -> Vec<SourceFile<'_>> {
    if api.models.is_empty() {
        return Vec::new();
    }

    let modules = modules(api);
    let indices: Vec<_> = modules.keys().copied().collect();
    let mut files = vec![SourceFile::new("src/models.rs", move || list(api, &indices))];
    for (index, aliases) in modules {
        let model = &api.models[index];
        let context = Context { api, side, model };
        files.push(SourceFile::new(format!("src/models/{}.rs", model.module), move || file(&context, &aliases)));
    }
    files
}

/// The model of each module, with its aliases.
fn modules(api: &Api) -> BTreeMap<usize, Vec<&Model>> {
    let mut indices: HashMap<&str, usize> = HashMap::default();
    for (index, model) in api.models.iter().enumerate() {
        let is_alias = matches!(model.kind, ModelKind::Alias(_));
        indices.entry(&model.module).and_modify(|of| *of = if is_alias { *of } else { index }).or_insert(index);
    }
    let mut modules: BTreeMap<_, _> = indices.values().map(|index| (*index, Vec::new())).collect();
    for (index, model) in api.models.iter().enumerate() {
        let of = indices[model.module.as_str()];
        if let Some(aliases) = modules.get_mut(&of).filter(|_| of != index) {
            aliases.push(model);
        }
    }
    modules
}

/// The list of models; those in `modules` have their own file.
fn list(api: &Api, modules: &[usize]) -> TokenStream {
    let doc = doc::own_inner("The named types of the description, one file each.");
    let modules = modules.iter().map(|index| module(&api.models[*index]));
    let mut groups: BTreeMap<&[String], Vec<TokenStream>> = BTreeMap::new();
    for model in &api.models {
        let module = module(model);
        let name = ty::ident(&model.name.rust);
        groups.entry(&model.features).or_default().push(quote!(#module::#name));
    }
    let always = groups.remove(&[][..]).unwrap_or_default();
    let groups = groups.into_iter().map(|(features, names)| {
        let features = feature::outer(features);
        match names.as_slice() {
            [name] => quote!(#features pub use #name;),
            names => quote!(#features pub use {#(#names),*};),
        }
    });

    quote! {
        #doc

        #(mod #modules;)*

        #(pub use #always;)*

        #(#groups)*
    }
}

/// The shared state of model emitters.
#[derive(Clone, Copy)]
pub(super) struct Context<'api> {
    pub(super) api: &'api Api,
    pub(super) side: Side,
    pub(super) model: &'api Model,
}

/// The file of one model and its aliases.
fn file(context: &Context<'_>, aliases: &[&Model]) -> TokenStream {
    let items = match &context.model.kind {
        ModelKind::Struct(struct_) => struct_::items(context, struct_),
        ModelKind::Enum(enum_) => enum_::items(context, enum_),
        ModelKind::Union(union) => union::items(context, union),
        ModelKind::Alias(alias) => alias::items(context, alias),
    };

    let features = feature::inner(&context.model.features);
    let aliases = aliases.iter().map(|alias| {
        let attributes = attributes(alias);
        let name = ty::ident(&alias.name.rust);
        let same = ty::ident(&context.model.name.rust);
        quote!(#attributes pub type #name = #same;)
    });

    quote! {
        #features
        #items
        #(#aliases)*
    }
}

fn module(model: &Model) -> Ident {
    ty::ident(&model.module)
}

/// The attributes of a model: documentation, including the schema's name if it differs, and `#[deprecated]`.
fn attributes(model: &Model) -> TokenStream {
    let name = (model.name.wire != model.name.rust).then(|| format!("`{}`", model.name.wire.replace('`', "'")));
    let doc = doc::paragraphs([model.doc.as_deref(), name.as_deref()]);
    let doc = (!doc.is_empty()).then(|| doc::doc(&doc));
    let deprecated = deprecated(model.deprecated);
    quote!(#doc #deprecated)
}

/// `#[derive]` with required and user traits, and the user's attributes.
fn derive(side: Side, model: &Model, own: &[&str]) -> TokenStream {
    let besides = side.of(&model.derives).iter().map(String::as_str).filter(|path| !own.contains(&trait_of(path)));
    // They were parsed in `lower`.
    let all = own.iter().copied().chain(besides).map(ty::tokens);
    let attributes = side.of(&model.attributes).iter().map(|attribute| ty::tokens(attribute));
    quote!(#[derive(#(#all),*)] #(#attributes)*)
}

/// `Serialize` of `::serde::Serialize`.
fn trait_of(path: &str) -> &str {
    path.rsplit(':').next().unwrap_or_default().trim()
}

/// `#[deprecated]` for what the description deprecates.
pub(crate) fn deprecated(deprecated: bool) -> Option<TokenStream> {
    deprecated.then(|| quote!(#[deprecated]))
}
