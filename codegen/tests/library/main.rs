//! The public interface of the generator.

mod crate_folder;
mod references;
mod skip;
mod source;
