//! Small pictures of large ones.

use std::io::Cursor;

use bytes::Bytes;
use image::{DynamicImage, ImageDecoder as _, ImageFormat, ImageReader, Limits};

/// Memory that what stands before the pixels may take, in bytes: a colour profile is left out that unpacks to more.
const HEAD_BYTES: u64 = 16 << 20;
/// Memory that decoding one picture may take, in bytes.
const DECODE_BYTES: u64 = 256 << 20;

/// Why no thumbnail can be made.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The picture is larger than the budget.
    #[error("the picture has {width} × {height} pixels, more than {limit}")]
    TooLarge {
        /// Its width in pixels.
        width: u32,
        /// Its height in pixels.
        height: u32,
        /// The pixels that are allowed.
        limit: u64,
    },
    /// The picture is broken, or decoding it would take too much memory.
    #[error("the picture cannot be decoded")]
    Broken(#[from] image::ImageError),
}

/// A thumbnail, and its media type.
#[derive(Clone, Debug)]
pub struct Thumbnail {
    /// The encoded picture.
    pub bytes: Bytes,
    /// `image/png` or `image/jpeg`.
    pub media_type: &'static str,
}

/// The pixels that a thumbnail may be wide and high; `None` for any number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    /// The most pixels in a row.
    pub width: Option<u32>,
    /// The most rows.
    pub height: Option<u32>,
}

/// A picture that fits into `size`, with its proportions kept and never larger than it was; `None` when the
/// bytes are no picture of a kind that is known (PNG, JPEG, GIF, WebP).
pub fn thumbnail(bytes: &[u8], size: Size, pixel_limit: u64) -> Result<Option<Thumbnail>, Error> {
    let Ok(format) = image::guess_format(bytes) else { return Ok(None) };
    if !matches!(format, ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::Gif | ImageFormat::WebP) {
        return Ok(None);
    }
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits(HEAD_BYTES));
    let mut decoder = reader.into_decoder()?;
    // A small file can claim a picture that would fill the memory.
    let (own_width, own_height) = decoder.dimensions();
    if u64::from(own_width) * u64::from(own_height) > pixel_limit {
        return Err(Error::TooLarge { width: own_width, height: own_height, limit: pixel_limit });
    }
    let mut limits = limits(DECODE_BYTES);
    limits.reserve(decoder.total_bytes())?;
    decoder.set_limits(limits)?;
    let picture = DynamicImage::from_decoder(decoder)?;

    let (width, height) =
        (size.width.unwrap_or(u32::MAX).min(own_width), size.height.unwrap_or(u32::MAX).min(own_height));
    let small = if (width, height) == (own_width, own_height) {
        picture
    } else {
        // It takes the mean of the pixels beneath each new one, without a copy of the picture in floating point.
        picture.thumbnail(width, height)
    };
    let mut encoded = Cursor::new(Vec::new());
    let (format, media_type, small) = match format {
        ImageFormat::Jpeg => (ImageFormat::Jpeg, "image/jpeg", small.into_rgb8().into()),
        _ => (ImageFormat::Png, "image/png", small),
    };
    small.write_to(&mut encoded, format)?;
    Ok(Some(Thumbnail { bytes: encoded.into_inner().into(), media_type }))
}

fn limits(bytes: u64) -> Limits {
    let mut limits = Limits::default();
    limits.max_alloc = Some(bytes);
    limits
}

#[cfg(test)]
mod tests {
    use image::GenericImageView as _;

    use super::*;

    fn picture(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        DynamicImage::new_rgb8(width, height).write_to(&mut bytes, format).expect("encoded");
        bytes.into_inner()
    }

    fn fit(width: Option<u32>, height: Option<u32>) -> Size {
        Size { width, height }
    }

    fn size(thumbnail: Option<Thumbnail>) -> (u32, u32, &'static str) {
        let thumbnail = thumbnail.expect("a picture");
        let picture = image::load_from_memory(&thumbnail.bytes).expect("decodable");
        (picture.dimensions().0, picture.dimensions().1, thumbnail.media_type)
    }

    #[test]
    fn proportions_are_kept_and_nothing_grows() {
        let png = picture(400, 200, ImageFormat::Png);
        assert_eq!(size(thumbnail(&png, fit(Some(100), Some(100)), 1 << 20).expect("made")), (100, 50, "image/png"));
        assert_eq!(size(thumbnail(&png, fit(None, Some(20)), 1 << 20).expect("made")), (40, 20, "image/png"));
        assert_eq!(size(thumbnail(&png, fit(Some(4000), None), 1 << 20).expect("made")), (400, 200, "image/png"));
        let jpeg = picture(64, 64, ImageFormat::Jpeg);
        assert_eq!(size(thumbnail(&jpeg, fit(Some(8), Some(32)), 1 << 20).expect("made")), (8, 8, "image/jpeg"));
    }

    #[test]
    fn no_picture_is_none_and_a_bomb_is_refused_by_its_head() {
        assert!(thumbnail(b"%PDF-1.7", fit(Some(8), None), 1 << 20).expect("no failure").is_none());
        let mut bomb = picture(8, 8, ImageFormat::Png);
        // The width and height of the header chunk, without a matching checksum: the head alone must be enough.
        bomb[16..24].copy_from_slice(&[0, 0, 255, 255, 0, 0, 255, 255]);
        let error = thumbnail(&bomb, fit(Some(8), None), 1 << 20).expect_err("refused");
        assert!(matches!(error, Error::TooLarge { .. } | Error::Broken(_)), "{error}");
        let error = thumbnail(&picture(40, 40, ImageFormat::Png), fit(Some(8), None), 100).expect_err("refused");
        assert!(matches!(error, Error::TooLarge { width: 40, height: 40, limit: 100 }));
        assert!(thumbnail(&picture(8, 8, ImageFormat::Png)[..40], fit(Some(8), None), 1 << 20).is_err(), "truncated");
    }
}
