//! The values that models and operations hold, and the types in them.

use super::{AnyModel, ContentKind, Contents, Form, ModelId, ModelKind, Operation, Rule, Type, Value, Xml};

/// One list of the places with values, for `&` and for `&mut`.
macro_rules! values {
    ($values:ident, $responses:ident, $($mutable:tt)?) => {
        impl ModelKind {
            /// The values of its members or variants.
            pub(crate) fn $values(&$($mutable)? self) -> Vec<&$($mutable)? Value> {
                match self {
                    Self::Struct(struct_) => {
                        let fields = (&$($mutable)? struct_.fields).into_iter().map(|field| &$($mutable)? field.value);
                        let additional = &$($mutable)? struct_.additional;
                        fields.chain(additional.into_iter().map(|additional| &$($mutable)? additional.value)).collect()
                    }
                    Self::Union(union) => {
                        (&$($mutable)? union.variants).into_iter().map(|variant| &$($mutable)? variant.value).collect()
                    }
                    Self::Alias(alias) => vec![&$($mutable)? alias.value],
                    Self::Enum(_) => Vec::new(),
                }
            }
        }

        impl ContentKind {
            /// The values that are read and written in their own form; plain text and bytes are not.
            pub(crate) fn $values(&$($mutable)? self) -> Vec<&$($mutable)? Value> {
                match self {
                    Self::Json(value)
                    | Self::Xml(Xml { value, .. })
                    | Self::Form(Form { value, .. })
                    | Self::JsonLines(value)
                    | Self::Events(Some(value)) => vec![value],
                    Self::Multipart(multipart) => {
                        (&$($mutable)? multipart.parts).into_iter().map(|part| &$($mutable)? part.field.value).collect()
                    }
                    Self::Text(_) | Self::Bytes | Self::Events(None) => Vec::new(),
                }
            }
        }

        impl Operation {
            /// The values of its parameters, bodies and headers.
            pub(crate) fn $values(&$($mutable)? self) -> Vec<&$($mutable)? Value> {
                let mut values = Vec::new();
                for parameter in &$($mutable)? self.parameters {
                    values.push(&$($mutable)? parameter.value);
                }
                if let Some(body) = &$($mutable)? self.request_body {
                    for content in &$($mutable)? body.contents {
                        values.extend(content.kind.$values());
                    }
                }
                for response in self.responses.$responses() {
                    values.extend((&$($mutable)? response.headers).into_iter().map(|header| &$($mutable)? header.value));
                    for content in &$($mutable)? response.contents {
                        values.extend(content.kind.$values());
                    }
                }
                values
            }
        }
    };
}

values!(values, all,);
values!(values_mut, all_mut, mut);

impl Value {
    /// Visits its type and those inside it, outer ones first.
    pub(crate) fn types<'a>(&'a self, visit: &mut dyn FnMut(&'a Type)) {
        visit(&self.ty);
        match &self.ty {
            Type::Array(item) | Type::Map(item) => item.types(visit),
            Type::Tuple(tuple) => tuple.values().for_each(|item| item.types(visit)),
            _ => {}
        }
    }

    /// Whether it or a value inside it has such a rule.
    pub(crate) fn has_rule(&self, is_meant: &impl Fn(&Rule) -> bool) -> bool {
        self.rules.iter().any(is_meant)
            || match &self.ty {
                Type::Array(item) | Type::Map(item) => item.has_rule(is_meant),
                Type::Tuple(tuple) => tuple.values().any(|item| item.has_rule(is_meant)),
                _ => false,
            }
    }

    /// Visits it and the values inside it, outer ones first.
    pub(crate) fn visit_mut(&mut self, visit: &mut dyn FnMut(&mut Self)) {
        visit(self);
        match &mut self.ty {
            Type::Array(item) | Type::Map(item) => item.visit_mut(visit),
            Type::Tuple(tuple) => tuple.values_mut().for_each(|item| item.visit_mut(visit)),
            _ => {}
        }
    }

    /// The models that it mentions, also inside arrays and maps.
    pub(crate) fn models(&self) -> Vec<usize> {
        let mut models = Vec::new();
        self.types(&mut |ty| {
            if let Type::Model(ModelId(index)) = ty {
                models.push(*index);
            }
        });
        models
    }
}

impl ModelKind {
    /// Whether it or a value of it has such a rule.
    pub(crate) fn has_rule(&self, is_meant: &impl Fn(&Rule) -> bool) -> bool {
        let of_whole = match self {
            Self::Struct(struct_) => struct_.rules.iter().any(is_meant),
            Self::Union(_) | Self::Alias(_) | Self::Enum(_) => false,
        };
        of_whole || self.values().into_iter().any(|value| value.has_rule(is_meant))
    }

    /// The models that it mentions.
    pub(crate) fn models(&self) -> Vec<usize> {
        self.values().into_iter().flat_map(Value::models).collect()
    }
}

impl<M: AnyModel> Contents<M> {
    /// Every type of every value, including types inside arrays and maps.
    pub(crate) fn types(&self) -> Vec<&Type> {
        let mut types = Vec::new();
        let of_models = self.models.iter().flat_map(|model| model.kind().values());
        for value in of_models.chain(self.operations_and_webhooks().flat_map(Operation::values)) {
            value.types(&mut |ty| types.push(ty));
        }
        types
    }

    /// Visits every value, inner ones after outer ones.
    pub(crate) fn visit_mut(&mut self, visit: &mut dyn FnMut(&mut Value)) {
        for model in &mut self.models {
            model.kind_mut().values_mut().into_iter().for_each(|value| value.visit_mut(visit));
        }
        for operation in self.tags.iter_mut().chain(&mut self.webhooks).flat_map(|tag| &mut tag.operations) {
            operation.values_mut().into_iter().for_each(|value| value.visit_mut(visit));
        }
    }
}
