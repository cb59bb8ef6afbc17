//! Distributes runs over a window: pseudorandom, but deterministic.

/// Seconds in `0..=window` for an occurrence: FNV-1a of seed and number, then mixed so that neighbours
/// differ.
pub(super) fn offset(seed: &str, index: u64, window: i64) -> i64 {
    let Some(size) = u64::try_from(window).ok().filter(|size| *size > 0).map(|size| size + 1) else { return 0 };
    let bytes = seed.bytes().chain([0]).chain(index.to_le_bytes());
    let hash =
        bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    // The remainder is below `size`, which fits an i64.
    i64::try_from(mix(hash) % size).unwrap_or(0)
}

/// The finalizer of SplitMix64: FNV alone has too similar high bits for short seeds.
fn mix(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}
