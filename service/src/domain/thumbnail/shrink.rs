//! Fewer pixels for the same picture.

/// Pixels with so many channels of a byte each, row by row.
pub(super) struct Pixels {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) channels: usize,
    pub(super) bytes: Vec<u8>,
}

impl Pixels {
    /// The mean of the pixels beneath each of `width` × `height` new ones, of which there are no more than before; `None` when
    /// `go_on`, which is asked for each row, says so. (`image::imageops::thumbnail` does the same, but cannot be told to pause.)
    pub(super) fn shrink(&self, width: u32, height: u32, go_on: &dyn Fn() -> bool) -> Option<Vec<u8>> {
        let columns = edges(self.width, width);
        let rows = edges(self.height, height);
        let mut small = Vec::with_capacity(width as usize * height as usize * self.channels);
        let mut old_rows = self.bytes.chunks_exact(self.width as usize * self.channels);
        for row in rows.windows(2) {
            let count = row[1] - row[0];
            let mut sums = vec![0u64; width as usize * self.channels];
            for old in old_rows.by_ref().take(count) {
                if !go_on() {
                    return None;
                }
                match self.channels {
                    1 => add::<1>(&mut sums, old, &columns),
                    2 => add::<2>(&mut sums, old, &columns),
                    3 => add::<3>(&mut sums, old, &columns),
                    _ => add::<4>(&mut sums, old, &columns),
                }
            }
            for (sum, column) in sums.chunks_exact(self.channels).zip(columns.windows(2)) {
                let pixels = (count * (column[1] - column[0])) as u64;
                small.extend(sum.iter().map(|sum| u8::try_from((sum + pixels / 2) / pixels).unwrap_or(u8::MAX)));
            }
        }
        Some(small)
    }
}

/// Adds the pixels of a row to the sums of the columns that they are in.
fn add<const CHANNELS: usize>(sums: &mut [u64], row: &[u8], columns: &[usize]) {
    let (sums, pixels) = (sums.as_chunks_mut::<CHANNELS>().0, row.as_chunks::<CHANNELS>().0);
    for (sum, column) in sums.iter_mut().zip(columns.windows(2)) {
        let mut added = [0u64; CHANNELS];
        for pixel in &pixels[column[0]..column[1]] {
            for (added, value) in added.iter_mut().zip(pixel) {
                *added += u64::from(*value);
            }
        }
        for (sum, added) in sum.iter_mut().zip(added) {
            *sum += added;
        }
    }
}

/// Where each of `new` parts of `old` pixels begins, and where the last one ends.
fn edges(old: u32, new: u32) -> Vec<usize> {
    let edge = |part| u64::from(part) * u64::from(old) / u64::from(new.max(1));
    (0..=new).map(|part| usize::try_from(edge(part)).unwrap_or(usize::MAX)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_new_pixel_is_the_mean_of_those_beneath_it() {
        let pixels = Pixels { width: 5, height: 2, channels: 1, bytes: vec![1, 2, 10, 10, 11, 3, 4, 10, 10, 10] };
        assert_eq!(pixels.shrink(2, 1, &|| true), Some(vec![3, 10]));
        assert_eq!(pixels.shrink(5, 2, &|| true), Some(pixels.bytes.clone()));
        assert_eq!(pixels.shrink(1, 2, &|| true), Some(vec![7, 7]));
        assert_eq!(pixels.shrink(2, 1, &|| false), None);
        let pixels = Pixels { width: 2, height: 1, channels: 3, bytes: vec![0, 100, 255, 2, 200, 255] };
        assert_eq!(pixels.shrink(1, 1, &|| true), Some(vec![1, 150, 255]));
    }
}
