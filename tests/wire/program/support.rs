//! Random values of the types of both crates.

use std::fmt::Debug;

use wire::{Failed, Place, Stage};

use crate::{client_crate, server_crate};

/// A value that the client sends.
pub(crate) fn sent<T: client_crate::runtime::json::Read + Debug>(stage: &Stage, place: Place) -> Result<T, Failed> {
    let json = stage.make(place)?;
    let read = client_crate::runtime::json::from_slice::<T>;
    let value = read(&json)
        // Where one text or a list of them may stand, there is a list.
        .or_else(|violations| if place.is_parameter() { read(&[b"[", &json[..], b"]"].concat()) } else { Err(violations) })
        .map_err(|violations| stage.unread(place, "client", &json, &violations))?;
    stage.sends(place, &value);
    Ok(value)
}

/// The same for what may be left out.
pub(crate) fn sent_if<T>(
    stage: &Stage,
    place: Place,
    make: impl FnOnce() -> Result<T, Failed>,
) -> Result<Option<T>, Failed> {
    if stage.leaves_out(place) { Ok(None) } else { make().map(Some) }
}

/// A value that the server answers.
pub(crate) fn answer<T: server_crate::runtime::json::Read + Debug>(stage: &Stage, place: Place) -> Result<T, Failed> {
    let json = stage.make(place)?;
    let value = server_crate::runtime::json::from_slice::<T>(&json)
        .map_err(|violations| stage.unread(place, "server", &json, &violations))?;
    stage.answers(place, &value);
    Ok(value)
}

/// The same for what may be left out.
pub(crate) fn answer_if<T: server_crate::runtime::json::Read + Debug>(
    stage: &Stage,
    place: Place,
) -> Result<Option<T>, Failed> {
    if stage.leaves_out(place) { Ok(None) } else { answer(stage, place).map(Some) }
}
