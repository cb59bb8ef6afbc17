//! Models that are pages of a list.

use crate::models;
use crate::runtime::client::Page;

impl Page for models::AccountPage {
    type Item = models::Account;

    fn count(&self) -> usize {
        self.items.len()
    }

    fn total(&self) -> Option<u64> {
        self.total.into_option().and_then(|number| u64::try_from(number).ok())
    }

    fn into_items(self) -> Vec<Self::Item> {
        self.items
    }
}

impl Page for models::Follow {
    type Item = models::Account;

    fn count(&self) -> usize {
        self.data.as_ref().map_or(0, Vec::len)
    }

    fn next(&self) -> Option<String> {
        self.meta.as_ref().and_then(|value| value.next.value()).cloned()
    }

    fn into_items(self) -> Vec<Self::Item> {
        self.data.unwrap_or_default()
    }
}
