//! The Discriminator Object.

use crate::diagnostic::Code;
use crate::location;
use crate::lower::inheritance::pointer;
use crate::lower::{Context, Node};

/// In the words of others, the tag that a schema says it has itself.
pub(crate) const OWN_TAG: &str = "x-ms-discriminator-value";

/// What a `discriminator` says.
#[derive(Clone, Debug)]
pub(crate) struct Discriminator<'a> {
    /// Where it says so.
    pub(crate) node: Node<'a>,
    /// The member that holds the tag.
    pub(crate) member: String,
    /// `mapping`, and what variants say themselves: the tags of each variant by index.
    pub(crate) mapping: Vec<(String, usize)>,
    /// The tag that a variant has without a mapping: the name of its schema.
    pub(crate) implied: Vec<Option<String>>,
    /// `defaultMapping`: the variant of values without one of these tags.
    pub(crate) default: Option<usize>,
    /// The variant that all others contain, whose discriminator this is.
    pub(crate) base: Option<usize>,
}

impl<'a> Context<'a> {
    /// What a `discriminator` says of these variants; one that is inherited may be about others, too.
    pub(crate) fn discriminator(
        &mut self,
        node: &Node<'a>,
        targets: &[Option<String>],
        is_own: bool,
    ) -> Option<Discriminator<'a>> {
        let member = node.text("propertyName").or(node.value.as_str())?.to_owned();
        let mut mapping = Vec::new();
        for (tag, place) in node.members("mapping") {
            let Some(said) = place.value.as_str() else { continue };
            let target = pointer(said);
            match targets.iter().position(|known| target.is_some() && *known == target) {
                Some(index) => mapping.push((tag.to_owned(), index)),
                None if !is_own => {}
                None => {
                    self.report(
                        Code::DiscriminatorUnusable,
                        &place.location,
                        format!("`{said}` is none of the variants"),
                    )
                    .label(format!("the tag `{tag}` is not known"));
                }
            }
        }
        let default = node.get("defaultMapping").and_then(|place| {
            let target = pointer(place.value.as_str()?);
            let index = targets.iter().position(|known| target.is_some() && *known == target);
            if index.is_none() && is_own {
                let message = format!("`{}` is none of the variants", place.value.as_str().unwrap_or_default());
                self.report(Code::DiscriminatorUnusable, &place.location, message)
                    .label("values without a known tag are refused");
            }
            index
        });
        for (index, target) in targets.iter().enumerate() {
            if mapping.iter().all(|(_, mapped)| *mapped != index)
                && let Some(tag) = target.as_ref().and_then(|target| self.own_tag(node, target))
            {
                mapping.push((tag, index));
            }
        }
        let implied =
            targets.iter().map(|target| target.as_ref().and_then(|target| location::tokens(target).last())).collect();
        Some(Discriminator { node: node.clone(), member, mapping, implied, default, base: None })
    }

    /// The tag that a schema says it has itself.
    fn own_tag(&self, node: &Node<'a>, target: &str) -> Option<String> {
        let schema = self.node(&node.location.node(target.to_owned()))?;
        schema.text(OWN_TAG).map(str::to_owned)
    }
}
