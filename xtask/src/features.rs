//! The cargo features of a package.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

/// The names of the features of a package of the workspace.
pub(crate) fn names(root: &Path, package: &str) -> Result<Vec<String>> {
    let arguments = ["metadata", "--no-deps", "--format-version", "1"];
    let output = Command::new("cargo").args(arguments).current_dir(root).output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let mut packages = metadata["packages"].as_array().into_iter().flatten();
    let found = packages.find(|found| found["name"] == package).with_context(|| format!("there is no {package}"))?;
    let features = found["features"].as_object().context("a package has features")?;
    Ok(features.keys().cloned().collect())
}
