//! Bodies in XML: where the members of the JSON stand in the document.

use super::Value;

/// An XML body.
#[derive(Clone, Debug)]
pub struct Xml {
    /// The value, which has the rules of JSON.
    pub value: Value,
    /// The static of its [`XmlRoot`].
    pub root: String,
}

/// The elements of all XML bodies.
#[derive(Clone, Debug, Default)]
pub struct XmlTable {
    /// The elements of whole bodies.
    pub roots: Vec<XmlRoot>,
    /// What [`XmlShape::Object`] refers to.
    pub objects: Vec<XmlObject>,
}

/// The element of a whole body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct XmlRoot {
    /// Its static in Rust.
    pub rust: String,
    /// Its name; `None` if the description leaves it open.
    pub name: Option<XmlName>,
    /// What it holds.
    pub shape: XmlShape,
}

/// The name of an element or an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct XmlName {
    /// The name without a prefix.
    pub local: String,
    /// The prefix.
    pub prefix: Option<String>,
    /// The namespace.
    pub namespace: Option<String>,
}

/// What an element or an attribute holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum XmlShape {
    /// A string.
    Text,
    /// A number.
    Number,
    /// A boolean.
    Boolean,
    /// A list: the name and the shape of its items.
    List(XmlName, Box<XmlShape>),
    /// The index of an object in [`XmlTable::objects`].
    Object(usize),
}

/// An object with members.
#[derive(Clone, Debug)]
pub struct XmlObject {
    /// Its static in Rust.
    pub rust: String,
    /// In the order of the description.
    pub members: Vec<XmlMember>,
    /// The members that the description does not name.
    pub others: XmlOthers,
}

/// A member of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct XmlMember {
    /// Its name in JSON.
    pub json: String,
    /// Its name in XML.
    pub name: XmlName,
    /// How it is written in the element of its object.
    pub node: XmlNode,
    /// Whether it is required.
    pub required: bool,
    /// What it holds; of [`XmlNode::Items`], each item.
    pub shape: XmlShape,
}

/// How a member is written in the element of its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum XmlNode {
    /// As an attribute.
    Attribute,
    /// As an element.
    Element,
    /// Each item of a list is an element.
    Items,
    /// As the text of the element.
    Text,
}

/// The members that a description does not name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum XmlOthers {
    /// They are skipped.
    Skipped,
    /// A server refuses them.
    Refused,
    /// Each is an element with its name.
    Elements(XmlShape),
}

impl XmlTable {
    /// The objects that a shape reaches, by index.
    pub(crate) fn reached(&self, shape: &XmlShape) -> Vec<bool> {
        let mut reached = vec![false; self.objects.len()];
        let mut next = vec![shape];
        while let Some(shape) = next.pop() {
            match shape {
                XmlShape::List(_, item) => next.push(item),
                XmlShape::Object(index) if !std::mem::replace(&mut reached[*index], true) => {
                    let object = &self.objects[*index];
                    next.extend(object.members.iter().map(|member| &member.shape));
                    if let XmlOthers::Elements(shape) = &object.others {
                        next.push(shape);
                    }
                }
                XmlShape::Text | XmlShape::Number | XmlShape::Boolean | XmlShape::Object(_) => {}
            }
        }
        reached
    }
}
