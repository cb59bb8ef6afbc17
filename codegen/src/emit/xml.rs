//! `xml_elements.rs`: where the members of XML bodies stand.

use foldhash::HashSet;
use proc_macro2::TokenStream;
use quote::quote;

use super::feature::{self, WEBHOOKS};
use super::{SourceFile, doc, ty};
use crate::ir::{Api, Operation, Tag, Xml, XmlMember, XmlName, XmlNode, XmlObject, XmlOthers, XmlRoot, XmlShape};

/// The module with the elements.
pub(super) const MODULE: &str = "xml_elements";

/// The root of a body.
pub(super) fn root(xml: &Xml) -> TokenStream {
    let name = ty::ident(&xml.root);
    quote!(xml_elements::#name)
}

/// Whether some operation has an XML body.
pub(super) fn has_bodies(tags: &[Tag]) -> bool {
    tags.iter().flat_map(|tag| &tag.operations).any(|operation| !roots(operation).is_empty())
}

/// Whether the crate has the module.
pub(super) fn is_needed(api: &Api) -> bool {
    has_bodies(&api.tags) || has_bodies(&api.webhooks)
}

/// The file, if it is needed.
pub(super) fn file(api: &Api) -> Option<SourceFile<'_>> {
    is_needed(api).then(|| {
        SourceFile::new(format!("src/{MODULE}.rs"), move || {
            let doc = doc::own_inner("Where the members of XML bodies stand.");
            let reached = reached(api);
            let objects = api.xml.objects.iter().zip(&reached.objects);
            let objects = objects.filter_map(|(object, features)| Some((object, features.as_ref()?)));
            let objects = objects.map(|(object, features)| {
                let (features, object) = (feature::outer(features), self::object(api, object));
                quote!(#features #object)
            });
            let roots = api.xml.roots.iter().zip(&reached.roots);
            let roots = roots.filter_map(|(root, features)| Some((root, features.as_ref()?)));
            let roots = roots.map(|(root, features)| {
                let (features, root) = (feature::outer(features), self::root_static(api, root));
                quote!(#features #root)
            });
            quote!(#doc #(#roots)* #(#objects)*)
        })
    })
}

/// The features with which each root and object is compiled; `None` for one that no operation reaches.
struct Reached {
    roots: Vec<Option<Vec<String>>>,
    objects: Vec<Option<Vec<String>>>,
}

fn reached(api: &Api) -> Reached {
    let mut reached = Reached { roots: vec![None; api.xml.roots.len()], objects: vec![None; api.xml.objects.len()] };
    let add = |to: &mut Option<Vec<String>>, feature: Option<&str>| match (to, feature) {
        (to @ None, feature) => *to = Some(feature.map(str::to_owned).into_iter().collect()),
        // Without a feature, it is always compiled.
        (Some(features), Some(_)) if features.is_empty() => {}
        (Some(features), Some(feature)) if features.iter().any(|known| known == feature) => {}
        (Some(features), Some(feature)) => features.push(feature.to_owned()),
        (Some(features), None) => features.clear(),
    };
    let tags = api.tags.iter().map(|tag| (tag, tag.feature.as_deref()));
    for (tag, feature) in tags.chain(api.webhooks.iter().map(|tag| (tag, Some(WEBHOOKS)))) {
        let used: HashSet<&str> = tag.operations.iter().flat_map(roots).collect();
        for (root, to) in api.xml.roots.iter().zip(&mut reached.roots) {
            if used.contains(root.rust.as_str()) {
                add(to, feature);
                let objects = reached.objects.iter_mut().zip(api.xml.reached(&root.shape));
                objects.filter(|(_, reached)| *reached).for_each(|(to, _)| add(to, feature));
            }
        }
    }
    reached
}

/// The roots of its bodies.
fn roots(operation: &Operation) -> Vec<&str> {
    let sent = operation.request_body.iter().flat_map(|body| &body.contents);
    let received = operation.responses.all().flat_map(|response| &response.contents);
    sent.chain(received).filter_map(|content| content.kind.xml()).map(|xml| xml.root.as_str()).collect()
}

fn root_static(api: &Api, root: &XmlRoot) -> TokenStream {
    let (rust, shape) = (ty::ident(&root.rust), shape(api, &root.shape));
    let element = if let Some(name) = &root.name {
        let name = self::name(name);
        quote!(xml::Root::new(#name, #shape))
    } else {
        quote!(xml::Root::any(#shape))
    };
    quote!(pub(crate) static #rust: xml::Root = #element;)
}

fn object(api: &Api, object: &XmlObject) -> TokenStream {
    let rust = ty::ident(&object.rust);
    let members = object.members.iter().map(|member| self::member(api, member));
    let others = match &object.others {
        XmlOthers::Skipped => quote!(xml::Others::Skipped),
        XmlOthers::Refused => quote!(xml::Others::Refused),
        XmlOthers::Elements(shape) => {
            let shape = self::shape(api, shape);
            quote!(xml::Others::Elements(#shape))
        }
    };
    quote!(static #rust: xml::Shape = xml::Shape::Object(&[#(#members),*], #others);)
}

/// `xml::Member::element("id", &xml::Shape::Number)`
fn member(api: &Api, member: &XmlMember) -> TokenStream {
    let (json, shape) = (&member.json, shape(api, &member.shape));
    let constructor = ty::ident(match member.node {
        XmlNode::Attribute => "attribute",
        XmlNode::Element => "element",
        XmlNode::Items => "items",
        XmlNode::Text => "text",
    });
    let is_plain = member.name.local == *json && member.name.prefix.is_none() && member.name.namespace.is_none();
    let name = (!is_plain && member.node != XmlNode::Text).then(|| {
        let name = self::name(&member.name);
        quote!(.named(#name))
    });
    let required =
        (member.required && matches!(member.node, XmlNode::Items | XmlNode::Text)).then(|| quote!(.required()));
    quote!(xml::Member::#constructor(#json, #shape) #name #required)
}

fn shape(api: &Api, shape: &XmlShape) -> TokenStream {
    match shape {
        XmlShape::Text => quote!(&xml::Shape::Text),
        XmlShape::Number => quote!(&xml::Shape::Number),
        XmlShape::Boolean => quote!(&xml::Shape::Boolean),
        XmlShape::List(name, item) => {
            let (name, item) = (self::name(name), self::shape(api, item));
            quote!(&xml::Shape::List(#name, #item))
        }
        XmlShape::Object(index) => {
            let name = ty::ident(&api.xml.objects[*index].rust);
            quote!(&#name)
        }
    }
}

fn name(name: &XmlName) -> TokenStream {
    let XmlName { local, prefix, namespace } = name;
    let prefix = prefix.as_ref().map(|prefix| quote!(.prefix(#prefix)));
    let namespace = namespace.as_ref().map(|namespace| quote!(.within(#namespace)));
    quote!(xml::Name::new(#local) #prefix #namespace)
}
