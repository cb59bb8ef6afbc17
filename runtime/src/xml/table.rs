//! The table by which documents are read and written: statics of generated crates.

/// The element of a whole document.
#[derive(Clone, Copy, Debug)]
pub struct Root {
    pub(super) name: Name,
    /// Whether the description leaves the name open: a reader accepts any.
    pub(super) is_open: bool,
    pub(super) shape: &'static Shape,
}

/// The name of an element or an attribute. It is read without its namespace.
#[derive(Clone, Copy, Debug)]
pub struct Name {
    pub(super) local: &'static str,
    pub(super) prefix: &'static str,
    pub(super) namespace: &'static str,
}

/// What an element or an attribute holds.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// A string.
    Text,
    /// A number.
    Number,
    /// `true` or `false`, also written as `1` and `0`.
    Boolean,
    /// A list: its items are the elements with this name.
    List(Name, &'static Shape),
    /// An object.
    Object(&'static [Member], Others),
}

/// A member of an object.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    pub(super) json: &'static str,
    pub(super) name: Name,
    pub(super) node: Node,
    pub(super) required: bool,
    pub(super) shape: &'static Shape,
}

/// How a member is written in the element of its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node {
    Attribute,
    Element,
    /// Each item of a list is an element.
    Items,
    /// The text of the element.
    Text,
}

/// The members that a description does not name.
#[derive(Clone, Copy, Debug)]
pub enum Others {
    /// They are skipped.
    Skipped,
    /// A strict reader refuses them.
    Refused,
    /// Each is an element with the name of the member.
    Elements(&'static Shape),
}

impl Root {
    /// An element with this name.
    pub const fn new(name: Name, shape: &'static Shape) -> Self {
        Self { name, is_open: false, shape }
    }

    /// An element with any name. It is written as `root`.
    pub const fn any(shape: &'static Shape) -> Self {
        Self { name: Name::new("root"), is_open: true, shape }
    }
}

impl Name {
    /// A name without a namespace.
    pub const fn new(local: &'static str) -> Self {
        Self { local, prefix: "", namespace: "" }
    }

    /// Sets the namespace.
    #[must_use]
    pub const fn within(self, namespace: &'static str) -> Self {
        Self { namespace, ..self }
    }

    /// Sets the prefix.
    #[must_use]
    pub const fn prefix(self, prefix: &'static str) -> Self {
        Self { prefix, ..self }
    }
}

impl Member {
    /// An element.
    pub const fn element(name: &'static str, shape: &'static Shape) -> Self {
        Self { json: name, name: Name::new(name), node: Node::Element, required: false, shape }
    }

    /// An attribute.
    pub const fn attribute(name: &'static str, shape: &'static Shape) -> Self {
        Self { node: Node::Attribute, ..Self::element(name, shape) }
    }

    /// A list without an element around its items, whose shape is given.
    pub const fn items(name: &'static str, shape: &'static Shape) -> Self {
        Self { node: Node::Items, ..Self::element(name, shape) }
    }

    /// The text of the element.
    pub const fn text(name: &'static str, shape: &'static Shape) -> Self {
        Self { node: Node::Text, ..Self::element(name, shape) }
    }

    /// Sets the name in XML; by default, the one in JSON.
    #[must_use]
    pub const fn named(self, name: Name) -> Self {
        Self { name, ..self }
    }

    /// Requires it: a list without items is empty, not absent, and so is a text.
    #[must_use]
    pub const fn required(self) -> Self {
        Self { required: true, ..self }
    }
}
