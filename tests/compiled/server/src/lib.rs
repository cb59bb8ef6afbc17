#![doc = include_str!(concat!(env!("OUT_DIR"), "/lib.md"))]
#![allow(clippy::too_many_lines, reason = "one line per parameter")]
#![allow(deprecated, reason = "what the description deprecates is still part of it")]
#![allow(clippy::wrong_self_convention, reason = "an operation is called `into`")]

include!(concat!(env!("OUT_DIR"), "/every_model.rs"));
include!(concat!(env!("OUT_DIR"), "/src/lib.rs"));
