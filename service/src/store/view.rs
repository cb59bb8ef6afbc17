//! One state of the database, as one caller sees it.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use super::{
    Error, Scope,
    names::Names,
    session::Session,
    shared::Shared,
    statement::{Conditions, Statement},
    value::{Row, values},
};
use crate::domain::{caller::Visibility, tenant::TenantId};

/// What is read from: the open transaction, whose data it is, and what of it may be seen. Clones share it.
#[derive(Clone)]
pub(super) struct View {
    pub(super) session: Session,
    pub(super) tenant: TenantId,
    /// The accounts that there are for whom it is read.
    pub(super) visible: Visibility,
    pub(super) shared: Arc<Shared>,
    /// How many bytes an answer may have.
    most: usize,
    spent: Arc<AtomicUsize>,
}

impl View {
    pub(super) fn new(session: Session, scope: &Scope, shared: Arc<Shared>, most: usize) -> Self {
        let (tenant, visible) = (scope.tenant, scope.visible.clone());
        Self { session, tenant, visible, shared, most, spent: Arc::default() }
    }

    /// The same, for an answer that may have any number of bytes: a single record.
    pub(super) fn unbounded(&self) -> Self {
        Self { most: usize::MAX, ..self.clone() }
    }

    /// Counts bytes of the answer. Fails when it has too many.
    pub(super) fn spend(&self, bytes: usize) -> Result<(), Error> {
        let spent = self.spent.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        if spent > self.most { Err(Error::TooLarge) } else { Ok(()) }
    }

    /// The id to look an account up by: 0, which no account has, for one that may not be seen. So it takes the same way,
    /// and the same time, as one that is not there.
    pub(super) fn account(&self, id: i32) -> i32 {
        if self.visible.includes(id) { id } else { 0 }
    }

    /// Conditions on records of the tenant.
    pub(super) fn conditions(&self) -> Conditions {
        Conditions::new(self.session.dialect(), self.tenant.0)
    }

    /// Runs a statement.
    pub(super) async fn rows(&self, statement: Statement) -> Result<Vec<Row>, Error> {
        self.session.rows(statement).await
    }

    /// What asks whether there is such an account, and it may be seen: then there is a row.
    pub(super) fn has_account(&self, id: i32) -> Statement {
        let sql = "SELECT 1 FROM accounts WHERE tenant_id = $1 AND id = $2";
        Statement::new(sql, values![self.tenant.0, self.account(id)])
    }

    /// Runs statements, and gives the names of the state they see.
    pub(super) async fn named(&self, statements: Vec<Statement>) -> Result<(Arc<Names>, Vec<Vec<Row>>), Error> {
        let mut all = vec![Names::version(self.tenant)];
        all.extend(statements);
        let mut answers = self.session.all(all).await?;
        let version = Names::version_in(&answers.remove(0))?;
        Ok((self.names_of(version).await?, answers))
    }

    /// The names of the state that is read.
    pub(super) async fn names(&self) -> Result<Arc<Names>, Error> {
        Ok(self.named(Vec::new()).await?.0)
    }

    async fn names_of(&self, version: i64) -> Result<Arc<Names>, Error> {
        match self.shared.names.get(self.tenant, version) {
            Some(names) => Ok(names),
            None => self.shared.names.read(&self.session, self.tenant, version).await,
        }
    }
}
