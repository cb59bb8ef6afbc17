//! `Note`

use crate::runtime::json::{Write, Writer};
use crate::runtime::parameter::{Fields, Raw, ToParameter};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Note {
    pub text: String,
    pub stars: Option<i64>,
}

impl Write for Note {
    fn write(&self, json: &mut Writer) {
        json.begin_object();
        json.required("text", &self.text);
        json.optional("stars", &self.stars);
        json.end_object();
    }
}

impl ToParameter for Note {
    fn to_parameter(&self) -> Raw<'_> {
        let mut fields = Fields::new();
        fields.required("text", &self.text);
        fields.optional("stars", &self.stars);
        fields.into_raw()
    }
}
