//! Disk faults, injected by a preloaded library (`shim/faults.c`). Linux only.

use std::{
    fs::File,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result, ensure};

use crate::service::Start;

/// The source of the library.
const SOURCE: &str = include_str!("../shim/faults.c");

/// Errors that a call can fail with.
pub mod errno {
    /// The disk fails.
    pub const EIO: i64 = 5;
    /// The disk is full.
    pub const ENOSPC: i64 = 28;
}

/// The library, and its control file.
pub struct Faults {
    folder: tempfile::TempDir,
    control: File,
}

impl Faults {
    /// Builds the library; the inner `Err` says what the machine lacks.
    pub fn build() -> Result<Result<Self, String>> {
        if !cfg!(target_os = "linux") {
            return Ok(Err("only Linux loads a library before others".into()));
        }
        let folder = tempfile::tempdir()?;
        let source = folder.path().join("faults.c");
        std::fs::write(&source, SOURCE)?;
        let mut compiler = Command::new("cc");
        compiler.args(["-std=gnu11", "-O1", "-shared", "-fPIC", "-o"]).arg(folder.path().join("faults.so")).arg(source);
        match compiler.args(["-ldl", "-lpthread"]).output() {
            Err(_) => return Ok(Err("there is no C compiler `cc`: `apt-get install gcc libc6-dev`".into())),
            Ok(output) => {
                ensure!(output.status.success(), "the library: {}", String::from_utf8_lossy(&output.stderr));
            }
        }
        std::fs::write(folder.path().join("control"), [0; Number::ALL * 8])?;
        std::fs::write(folder.path().join("log"), [])?;
        let control = File::options().read(true).write(true).open(folder.path().join("control"))?;
        let faults = Self { folder, control };
        faults.set(Number::Room, -1)?;
        Ok(Ok(faults))
    }

    /// The environment variables that preload the library, for the files below `data`.
    pub fn variables(&self, data: &Path) -> Result<[(&'static str, PathBuf); 3]> {
        let path = |name: &str| self.folder.path().join(name);
        Ok([
            ("LD_PRELOAD", path("faults.so")),
            ("FAULTS_FOLDER", data.canonicalize()?),
            ("FAULTS_CONTROL", path("control")),
        ])
    }

    /// Lets a program of another user be controlled.
    pub fn share(&self) -> Result<()> {
        platform::open_to_all(self.folder.path(), &self.control)
    }

    /// A start of the service with the library, for the files below `data`.
    pub fn start(&self, start: Start, data: &Path) -> Result<Start> {
        let variables = self.variables(data)?;
        Ok(variables.iter().fold(start, |start, (name, value)| start.with(name, value.display())))
    }

    /// The same, with every change recorded in [`Faults::log`].
    pub fn start_logged(&self, start: Start, data: &Path) -> Result<Start> {
        Ok(self.start(start, data)?.with("FAULTS_LOG", self.log().display()))
    }

    /// The log of changes.
    pub fn log(&self) -> PathBuf {
        self.folder.path().join("log")
    }

    /// Makes the call that is this many calls away fail with `error`; 1 is the next one, 0 none.
    pub fn fail(&self, calls: u64, error: i64) -> Result<()> {
        self.set(Number::Error, error)?;
        self.set(Number::Left, calls.cast_signed())
    }

    /// Limits the growth of files to this many bytes; `None` for no limit.
    pub fn room(&self, bytes: Option<u64>) -> Result<()> {
        self.set(Number::Room, bytes.map_or(-1, u64::cast_signed))
    }

    /// Calls made so far.
    pub fn calls(&self) -> Result<u64> {
        self.get(Number::Calls)
    }

    /// Calls failed by injection.
    pub fn failed(&self) -> Result<u64> {
        self.get(Number::Failed)
    }

    /// Calls failed for lack of space.
    pub fn refused(&self) -> Result<u64> {
        self.get(Number::Refused)
    }

    fn set(&self, number: Number, value: i64) -> Result<()> {
        platform::write(&self.control, &value.to_ne_bytes(), number as u64 * 8)
            .context("the file that steers the library")
    }

    fn get(&self, number: Number) -> Result<u64> {
        let mut bytes = [0; 8];
        platform::read(&self.control, &mut bytes, number as u64 * 8)?;
        Ok(u64::from_ne_bytes(bytes))
    }
}

/// The fields of `struct control`, in order.
#[derive(Clone, Copy)]
enum Number {
    Left,
    Error,
    Calls,
    Failed,
    Room,
    Refused,
}

impl Number {
    const ALL: usize = 6;
}

#[cfg(unix)]
mod platform {
    use std::{
        fs::{self, File, Permissions},
        io,
        os::unix::fs::{FileExt as _, PermissionsExt as _},
        path::Path,
    };

    pub(super) fn open_to_all(folder: &Path, control: &File) -> anyhow::Result<()> {
        fs::set_permissions(folder, Permissions::from_mode(0o755))?;
        Ok(control.set_permissions(Permissions::from_mode(0o666))?)
    }

    pub(super) fn write(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
        file.write_all_at(bytes, offset)
    }

    pub(super) fn read(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        file.read_exact_at(bytes, offset)
    }
}

#[cfg(not(unix))]
mod platform {
    use std::{fs::File, io, path::Path};

    pub(super) fn open_to_all(_: &Path, _: &File) -> anyhow::Result<()> {
        Ok(())
    }

    pub(super) fn write(_: &File, _: &[u8], _: u64) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn read(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
