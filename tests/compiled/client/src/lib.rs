#![doc = include_str!(concat!(env!("OUT_DIR"), "/lib.md"))]
#![allow(deprecated, reason = "what the description deprecates is still part of it")]

include!(concat!(env!("OUT_DIR"), "/src/lib.rs"));
