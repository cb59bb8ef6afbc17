//! One state of the database, as one caller sees it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    vec,
};

use super::{
    Error, Scope,
    ids::Ids,
    names::{Cache, Names},
    session::Session,
    statement::{Conditions, Statement, first},
    value::Row,
};
use crate::domain::{caller::Visibility, tenant::TenantId};

/// What is cached between operations.
#[derive(Debug, Default)]
pub(super) struct Caches {
    pub(super) names: Cache,
    pub(super) ids: Arc<Ids>,
}

/// The context of a read: the open transaction, the tenant and the visible accounts. Clones share it.
#[derive(Clone)]
pub(super) struct View {
    pub(super) session: Session,
    pub(super) tenant: TenantId,
    /// The accounts that the caller may see.
    pub(super) visible: Visibility,
    pub(super) caches: Arc<Caches>,
    /// Maximum size of the response, in bytes.
    most: usize,
    spent: Arc<AtomicUsize>,
}

/// The rows of statements, in their order, and the names in the same state.
pub(super) struct Answers {
    pub(super) view: View,
    pub(super) names: Arc<Names>,
    rows: vec::IntoIter<Vec<Row>>,
}

impl View {
    pub(super) fn new(session: Session, scope: &Scope, most: usize) -> Self {
        let (tenant, visible, caches) = (scope.tenant, scope.visible.clone(), Arc::clone(&scope.caches));
        Self { session, tenant, visible, caches, most, spent: Arc::default() }
    }

    /// The same without a maximum size, for a single record.
    pub(super) fn unbounded(&self) -> Self {
        Self { most: usize::MAX, ..self.clone() }
    }

    /// Counts bytes of the response. Fails beyond the maximum.
    pub(super) fn spend(&self, bytes: usize) -> Result<(), Error> {
        let spent = self.spent.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        if spent > self.most { Err(Error::TooLarge) } else { Ok(()) }
    }

    /// Conditions on records of the tenant.
    pub(super) fn conditions(&self) -> Conditions {
        Conditions::new(self.session.dialect(), self.tenant.0)
    }

    /// Runs a statement.
    pub(super) async fn rows(&self, statement: Statement) -> Result<Vec<Row>, Error> {
        self.session.rows(statement).await
    }

    /// Runs statements, and returns their rows with the names in the same state.
    pub(super) async fn named(&self, reads: impl IntoIterator<Item = Statement>) -> Result<Answers, Error> {
        Ok(self.named_after(Vec::new(), reads).await?.1)
    }

    /// Runs `before` first, whose rows are returned apart.
    pub(super) async fn named_after(
        &self,
        before: Vec<Statement>,
        reads: impl IntoIterator<Item = Statement>,
    ) -> Result<(Vec<Vec<Row>>, Answers), Error> {
        let (count, mut all) = (before.len(), before);
        all.push(Names::version(self.tenant));
        all.extend(reads);
        let mut rows = self.session.all(all).await?.into_iter();
        let earlier = rows.by_ref().take(count).collect();
        let version = first(&rows.next().unwrap_or_default())?.unwrap_or(0);
        let names = self.caches.names.get(&self.session, self.tenant, version).await?;
        Ok((earlier, Answers { view: self.clone(), names, rows }))
    }
}

impl Answers {
    /// Runs further statements in the same state, whose rows come next.
    pub(super) async fn follow(&mut self, statements: Vec<Statement>) -> Result<(), Error> {
        self.rows = self.view.session.all(statements).await?.into_iter();
        Ok(())
    }

    /// The rows of the next statement.
    pub(super) fn rows(&mut self) -> Vec<Row> {
        self.rows.next().unwrap_or_default()
    }
}
