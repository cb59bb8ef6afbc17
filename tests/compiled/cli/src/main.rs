#![doc = include_str!(concat!(env!("OUT_DIR"), "/lib.md"))]

include!(concat!(env!("OUT_DIR"), "/src/main.rs"));
