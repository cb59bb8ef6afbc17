//! Proofs that the running service keeps its promises: attacks, faults and load against the real program.

pub mod attack;
pub mod callers;
pub mod connection;
pub mod data;
pub mod figure;
pub mod proof;
pub mod service;
