//! The public interface of the generator.

mod crate_folder;
mod skip;
mod source;
