//! How each kind of database says what both can do.

/// The SQL of a kind of database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum Dialect {
    /// SQLite's, where a statement names the index to use.
    Sqlite,
    /// PostgreSQL's, which chooses itself.
    Postgres,
}

impl Dialect {
    /// The parameter with that number, from 1.
    pub(in crate::store) fn parameter(self, number: usize) -> String {
        match self {
            Self::Sqlite => format!("?{number}"),
            Self::Postgres => format!("${number}"),
        }
    }

    /// The whole numbers of a parameter that is a JSON array, as rows.
    pub(in crate::store) fn numbers(self, parameter: &str) -> String {
        match self {
            Self::Sqlite => format!("SELECT value FROM json_each({parameter})"),
            Self::Postgres => format!("SELECT value::bigint FROM json_array_elements_text({parameter}::text::json)"),
        }
    }

    /// Whether a column is one of those numbers.
    pub(in crate::store) fn among(self, column: &str, parameter: &str) -> String {
        let numbers = self.numbers(parameter);
        match self {
            Self::Sqlite => format!("{column} IN ({numbers})"),
            // An array is made once, and looked up in an index.
            Self::Postgres => format!("{column} = ANY (ARRAY({numbers}))"),
        }
    }

    /// Whether a parameter is a part of a folded text.
    pub(in crate::store) fn contains(self, column: &str, parameter: &str) -> String {
        match self {
            Self::Sqlite => format!("instr({column}, {parameter}) > 0"),
            Self::Postgres => format!("strpos({column}, {parameter}) > 0"),
        }
    }

    /// What follows a column in an order: what is nothing comes first.
    pub(in crate::store) fn direction(self, descending: bool) -> &'static str {
        match (self, descending) {
            (Self::Sqlite, false) => "",
            (Self::Sqlite, true) => " DESC",
            (Self::Postgres, false) => " NULLS FIRST",
            (Self::Postgres, true) => " DESC NULLS LAST",
        }
    }
}
