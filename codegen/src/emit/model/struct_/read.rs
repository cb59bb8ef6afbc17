//! How an object is read from the named texts of a parameter or a form.

use super::arm::{self, Arm, length};
use super::members::{Member, Members, variable};
use crate::emit::lines::LINES;
use crate::emit::profile::Side;
use crate::emit::{blank_line, ty};
use crate::ir::{Api, Model, TextForm};
use printing::{Tokens, format_ident, quote};

/// `impl FromParameter`.
pub(super) fn items(api: &Api, model: &Model, members: &Members<'_>, rules: Option<&Tokens>) -> Tokens {
    let arms: Vec<_> = members.read.iter().map(|member| text_arm(members, member)).collect();
    if members.fit_in_locals() && length(&arms) + members.lines() <= LINES {
        from_parameter_with_locals(model, members, &arms, rules)
    } else {
        let from_parameter = from_parameter_with_draft(model, members, rules);
        let draft = draft(api, model, members, &arms);
        quote!(#from_parameter #draft)
    }
}

/// Each member in a variable of its own: the shape that a person would write for a small object.
fn from_parameter_with_locals(model: &Model, members: &Members<'_>, arms: &[Arm], rules: Option<&Tokens>) -> Tokens {
    let name = ty::ident(&model.name.rust);
    let variables = variables(members);
    let arms = arms.iter().map(|arm| arm.tokens(local));
    let other = text_other(members, local);
    let on_member = if members.read.is_empty() {
        quote!(|at, _, raw| #other)
    } else {
        quote!(|at, member, raw| match member { #(#arms)* _ => #other, })
    };
    let fields = fields(members, rules, &on_member);
    let values = members.values(local);
    let listed = listed(members);
    let blank_line = blank_line();

    quote! {
        impl FromParameter for #name {
            const SHAPE: Shape = Shape::Object;
            #listed

            fn from_parameter(raw: Raw<'_>, at: &mut Notes) -> Option<Self> {
                #variables
                #fields?;

                #blank_line
                Some(Self { #values })
            }
        }
    }
}

/// The members in a struct of their own: a long list of variables would be hard to tell apart.
fn from_parameter_with_draft(model: &Model, members: &Members<'_>, rules: Option<&Tokens>) -> Tokens {
    let name = ty::ident(&model.name.rust);
    let fields = fields(
        members,
        rules,
        &quote!(|at, member, raw| {
            draft.read_text(at, member, raw);
        }),
    );
    let listed = listed(members);

    quote! {
        impl FromParameter for #name {
            const SHAPE: Shape = Shape::Object;
            #listed

            fn from_parameter(raw: Raw<'_>, at: &mut Notes) -> Option<Self> {
                let mut draft = Draft::default();
                #fields?;
                draft.finish()
            }
        }
    }
}

/// The members that it takes of a query; one that has others besides takes all.
fn listed(members: &Members<'_>) -> Option<Tokens> {
    members.additional().is_none().then(|| {
        quote!(
            const MEMBERS: Option<&'static Members> = Some(&MEMBERS);
        )
    })
}

fn draft(api: &Api, model: &Model, members: &Members<'_>, arms: &[Arm]) -> Tokens {
    let fields = members.kept().map(|field| {
        let rust = ty::ident(&field.name.rust);
        let ty = ty::present(api, &field.value);
        quote!(#rust: Member<#ty>,)
    });
    let additional = members.additional().map(|additional| {
        let rust = ty::ident(&additional.rust);
        let value = ty::value(api, &additional.value);
        quote!(#rust: Entries<#value>,)
    });
    let read_text = chunks(
        "read_text",
        &quote!(at: &mut Notes, member: &str, raw: Raw<'_>),
        &quote!(at, member, raw),
        arms,
        &text_other(members, own),
    );
    let finish = finish(model, members);

    quote! {
        /// The members that have been read so far.
        #[derive(Default)]
        struct Draft {
            #(#fields)*
            #additional
        }

        impl Draft {
            #read_text
            #finish
        }
    }
}

/// One `match` over all members, or several functions that each know some of them and pass on the others.
fn chunks(name: &str, parameters: &Tokens, arguments: &Tokens, arms: &[Arm], other: &Tokens) -> Tokens {
    let mut chunks: Vec<Vec<&Arm>> = vec![Vec::new()];
    let mut lines = 0;
    for arm in arms {
        if lines + arm.lines > LINES {
            chunks.push(Vec::new());
            lines = 0;
        }
        lines += arm.lines;
        if let Some(chunk) = chunks.last_mut() {
            chunk.push(arm);
        }
    }

    let function = |index: usize| match index {
        0 => format_ident!("{name}"),
        _ => format_ident!("{name}_rest_{index}"),
    };
    let functions = chunks.iter().enumerate().map(|(index, arms)| {
        let function_name = function(index);
        let arms = arms.iter().map(|arm| arm.tokens(own));
        let other = if index + 1 < chunks.len() {
            let next = function(index + 1);
            quote!(self.#next(#arguments))
        } else {
            other.clone()
        };
        quote! {
            fn #function_name(&mut self, #parameters) {
                match member {
                    #(#arms)*
                    _ => #other,
                }
            }
        }
    });
    functions.collect()
}

fn finish(model: &Model, members: &Members<'_>) -> Tokens {
    let name = ty::ident(&model.name.rust);
    if members.lines() <= LINES {
        let values = members.values(own);
        return quote! {
            fn finish(self) -> Option<#name> {
                Some(#name { #values })
            }
        };
    }

    let drafted = |rust: &str| {
        let rust = ty::ident(rust);
        quote!(draft.#rust)
    };
    let values = members.values(drafted);
    quote! {
        /// A constant, because a list of this length is no function.
        const COMPLETE: fn(Self) -> Option<#name> = |draft| Some(#name { #values });

        fn finish(self) -> Option<#name> {
            Self::COMPLETE(self)
        }
    }
}

/// A variable for each member.
fn variables(members: &Members<'_>) -> Tokens {
    let variables = members.kept().map(|field| variable(&field.name.rust));
    let entries = members.additional().map(|additional| {
        let variable = variable(&additional.rust);
        quote!(let mut #variable = Entries::new();)
    });
    quote!(#(let mut #variables = Member::Absent;)* #entries)
}

fn fields(members: &Members<'_>, rules: Option<&Tokens>, on_member: &Tokens) -> Tokens {
    match rules.filter(|_| members.refuses_texts) {
        None => quote!(at.object(raw, &MEMBERS, &mut #on_member)),
        Some(rules) => quote!(at.object_checked(raw, &MEMBERS, #rules, &mut #on_member)),
    }
}

fn local(rust: &str) -> Tokens {
    let variable = variable(rust);
    quote!(#variable)
}

fn own(rust: &str) -> Tokens {
    let rust = ty::ident(rust);
    quote!(self.#rust)
}

/// One line of the `match`: where the member of that name goes, and what it must keep to.
fn text_arm(members: &Members<'_>, member: &Member<'_>) -> Arm {
    let field = member.field;
    if let Some(constant) = &field.constant {
        let constant = constant.text();
        let call = if members.refuses_texts { quote!(at.constant(raw, #constant)) } else { quote!(at.ignore(raw)) };
        return Arm::whole(field, call);
    }
    let form = field.form;
    let is_text = form != TextForm::Json;
    let call = match member.rules.as_ref().filter(|_| members.refuses_texts) {
        None if !is_text => quote!(read_json_parameter(&raw, at)),
        Some(rules) if !is_text => quote!(read_json_parameter_checked(&raw, at, #rules)),
        None if form.is_boxed(&field.value) => quote!(read_boxed_parameter(raw, at)),
        None => quote!(read_parameter(raw, at)),
        Some(rules) => quote!(read_parameter_checked(raw, at, #rules)),
    };
    Arm::new(field, call)
}

/// What happens to a member that is not named.
fn text_other(members: &Members<'_>, place: impl Fn(&str) -> Tokens) -> Tokens {
    if let Some(additional) = members.additional() {
        let entries = place(&additional.rust);
        let is_text = additional.form != TextForm::Json;
        return arm::other(match members.additional_rules.as_ref().filter(|_| members.refuses_texts) {
            None if !is_text => quote!(#entries.read_json_parameter_entry(&raw, at)),
            Some(rules) if !is_text => quote!(#entries.read_json_parameter_entry_checked(&raw, at, #rules)),
            None => quote!(#entries.read_parameter_entry(raw, at)),
            Some(rules) => quote!(#entries.read_parameter_entry_checked(raw, at, #rules)),
        });
    }
    match members.side {
        Side::Server if members.struct_.closed => quote!(at.refuse_field(raw)),
        Side::Server | Side::Client => quote!(at.ignore(raw)),
    }
}
