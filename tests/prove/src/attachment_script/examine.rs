//! Checks, without faults, the results of a round.

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

use super::{File, OBJECT, Round, Tally, alias, download};
use crate::{
    caller::Answers,
    connection::{get, send_json},
};

impl Round<'_> {
    /// Checks the state without faults, repeats every upload with its key, and removes all files but one.
    pub fn examine(mut self, tally: &mut Tally) -> Result<()> {
        let mut answers = Answers::default();
        let listed = self.list(&mut answers)?;
        tally.undeleted += self.deleted.as_ref().map_or(0, |name| listed.ids(name).len() as u64);
        let mut is_there = Vec::new();
        for file in &self.files {
            let ids = listed.ids(&file.name);
            let mut is_whole = |id| {
                let answer = download(&mut self.caller, self.token, id, &mut answers);
                answer.is_some_and(|answer| answer.status == 200 && answer.body == file.bytes)
            };
            is_there.push(ids.len() == 1 && is_whole(ids[0]));
            if file.is_acknowledged() {
                tally.lost += u64::from(is_there.last() != Some(&true) || file.id() != ids.first().copied());
            } else {
                tally.ghosts += ids.len() as u64;
            }
        }

        for file in &mut self.files {
            if let Some((request, before)) = &mut file.temporary {
                let again = self.caller.send(request, &mut answers);
                let is_another = |alias_before| Some(alias_before) != alias(again.as_ref());
                tally.unrepeated += u64::from(alias(before.as_ref()).is_some_and(is_another));
                *before = again;
                file.know_alias(self.token);
            }
            file.answer = file.request.as_ref().and_then(|request| self.caller.send(request, &mut answers));
        }
        let listed = self.list(&mut answers)?;
        for (file, is_there) in self.files.iter().zip(is_there) {
            let ids = listed.ids(&file.name);
            let is_one = ids.len() == 1 && file.id() == ids.first().copied();
            let is_whole = |id| download(&mut self.caller, self.token, id, &mut answers);
            let is_whole = is_there || file.id().and_then(is_whole).is_some_and(|answer| answer.body == file.bytes);
            tally.unrepeated += u64::from(!(is_one && is_whole));
        }

        let (kept, others) = self.files.split_first_mut().context("a file is there")?;
        tally.kept.push((kept.id().context("it is attached")?, std::mem::take(&mut kept.bytes)));
        let ids = others.iter().filter_map(File::id);
        let ids: Vec<_> = ids.map(|id| id.to_string()).collect();
        let delete = format!("/v2/system/attachments?attachmentIds={}", ids.join(","));
        self.caller.send(&send_json("DELETE", &delete, self.token, "", ""), &mut answers);
        tally.unrecovered += answers.seen.other_than(&[200]);
        Ok(())
    }

    fn list(&mut self, answers: &mut Answers) -> Result<Listed> {
        let answer = self.caller.send(&get(&format!("{OBJECT}?PageSize=1000"), self.token), answers);
        let mut answer = answer.context("the list is answered")?.json()?;
        let Value::Array(records) = answer["Result"].take() else { bail!("it is not a list") };
        ensure!(records.len() < 1000, "the list has more than a page");
        Ok(Listed(records))
    }
}

/// The list of attachments.
struct Listed(Vec<Value>);

impl Listed {
    /// The ids with this name.
    fn ids(&self, name: &str) -> Vec<u64> {
        let named = self.0.iter().filter(|record| record["OriginalFileName"] == *name);
        named.filter_map(|record| record["Id"].as_u64()).collect()
    }
}
