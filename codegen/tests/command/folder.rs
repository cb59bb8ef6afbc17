//! A folder to run the command in

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// A description without mistakes.
pub(crate) const ACCOUNTS: &str = "\
openapi: 3.0.3
info: { title: Accounts, version: '1' }
paths:
  /accounts/{id}:
    get:
      operationId: getAccount
      tags: [Accounts]
      parameters:
        - { name: id, in: path, required: true, schema: { type: integer } }
        - { name: fields, in: query, schema: { type: string } }
      responses:
        '200':
          description: The account.
          content: { application/json: { schema: { $ref: '#/components/schemas/Account' } } }
  /accounts:
    post:
      operationId: createAccount
      tags: [Accounts]
      security: [{ token: [] }]
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Account' } } }
      responses: { '204': { description: Done. } }
components:
  schemas:
    Account: { type: object, required: [name], properties: { name: { type: string }, key: { type: string, format: uuid } } }
  securitySchemes:
    token: { type: http, scheme: bearer }
";

/// A description with a mistake in the second of two operations.
pub(crate) const MISTAKEN: &str = "\
openapi: 3.0.3
info: { title: Accounts, version: '1' }
paths:
  /accounts:
    get:
      operationId: listAccounts
      responses: { '204': { description: Done. } }
  /accounts/{id}:
    get:
      operationId: getAccount
      parameters:
        - { name: id, in: path, required: true, schema: { type: integer } }
        - { name: page, in: query, schema: { type: strange } }
      responses: { '204': { description: Done. } }
";

/// A temporary folder.
pub(crate) struct Folder(TempDir);

/// The result of a run.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Folder {
    /// A folder with these files.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        for (path, text) in files {
            folder.write(path, text);
        }
        folder
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap_or(Path::new(""))).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    /// Runs `specwright` with the arguments in `line`.
    pub(crate) fn run(&self, line: &str) -> Run {
        self.run_with(line, &[])
    }

    /// Runs it with these environment variables; other variables about colours are removed.
    pub(crate) fn run_with(&self, line: &str, variables: &[(&str, &str)]) -> Run {
        let output = Command::new(env!("CARGO_BIN_EXE_specwright"))
            .args(line.split_whitespace())
            .env_remove("NO_COLOR")
            .env_remove("CLICOLOR_FORCE")
            .envs(variables.iter().copied())
            .current_dir(self.0.path())
            .output()
            .unwrap();
        Run {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Run {
    /// The whole output, for snapshots.
    pub(crate) fn shown(&self) -> String {
        format!("exit code {:?}\n--- stdout\n{}--- stderr\n{}", self.code, self.stdout, self.stderr)
    }
}
