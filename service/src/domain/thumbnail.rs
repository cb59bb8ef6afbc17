//! Thumbnails of images.

use std::io::Cursor;

use bytes::Bytes;
use image::{
    ColorType, DynamicImage, ImageDecoder as _, ImageError, ImageFormat, ImageReader, Limits,
    error::{ParameterError, ParameterErrorKind},
    metadata::Orientation,
};

/// Maximum memory for data before the pixels, such as a compressed colour profile.
const HEAD_BYTES: u64 = 16 << 20;
/// Maximum memory for decoding an image.
const DECODE_BYTES: u64 = 256 << 20;
/// The largest side that `image` can shrink to one pixel: it sums in 32 bits.
const SUMMED: u32 = 4096;

/// Why a thumbnail cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The picture has too many pixels.
    #[error("the picture has {width} × {height} pixels, more than {limit}")]
    TooLarge {
        /// Its width in pixels.
        width: u32,
        /// Its height in pixels.
        height: u32,
        /// The maximum number of pixels.
        limit: u64,
    },
    /// The picture is broken, or decoding it would take too much memory.
    #[error("the picture cannot be decoded")]
    Broken(#[from] ImageError),
}

/// A thumbnail and its media type.
#[derive(Clone, Debug)]
pub struct Thumbnail {
    /// The encoded picture.
    pub bytes: Bytes,
    /// `image/png` or `image/jpeg`.
    pub media_type: &'static str,
}

/// Maximum width and height of a thumbnail in pixels; `None` for no maximum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    /// The maximum width.
    pub width: Option<u32>,
    /// The maximum height.
    pub height: Option<u32>,
}

/// The image, upright, with its aspect ratio, within `size` and not enlarged; `None` if the bytes are not
/// PNG, JPEG, GIF or WebP.
pub fn thumbnail(bytes: &[u8], size: Size, pixel_limit: u64) -> Result<Option<Thumbnail>, Error> {
    let (format, media_type, output) = match image::guess_format(bytes) {
        Ok(ImageFormat::Jpeg) => (ImageFormat::Jpeg, "image/jpeg", ImageFormat::Jpeg),
        Ok(format @ (ImageFormat::Png | ImageFormat::Gif | ImageFormat::WebP)) => {
            (format, "image/png", ImageFormat::Png)
        }
        _ => return Ok(None),
    };
    let (picture, orientation) = decode(bytes, format, pixel_limit)?;
    let mut small = shrink(picture, size, orientation);
    small.apply_orientation(orientation);
    let mut encoded = Cursor::new(Vec::new());
    small.write_to(&mut encoded, output)?;
    Ok(Some(Thumbnail { bytes: encoded.into_inner().into(), media_type }))
}

/// The decoded image with 8 bits per channel, and its orientation.
fn decode(bytes: &[u8], format: ImageFormat, pixel_limit: u64) -> Result<(DynamicImage, Orientation), Error> {
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits(HEAD_BYTES));
    let mut decoder = reader.into_decoder()?;
    let (width, height) = decoder.dimensions();
    if width == 0 || height == 0 {
        return Err(ImageError::Parameter(ParameterError::from_kind(ParameterErrorKind::DimensionMismatch)).into());
    }
    // A small file can declare an image that would exhaust memory.
    if u64::from(width) * u64::from(height) > pixel_limit {
        return Err(Error::TooLarge { width, height, limit: pixel_limit });
    }
    let mut limits = limits(DECODE_BYTES);
    limits.reserve(decoder.total_bytes())?;
    decoder.set_limits(limits)?;
    // An invalid orientation is ignored.
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let picture = DynamicImage::from_decoder(decoder)?;
    let picture = match picture.color() {
        ColorType::L16 => picture.into_luma8().into(),
        ColorType::La16 => picture.into_luma_alpha8().into(),
        ColorType::Rgb16 => picture.into_rgb8().into(),
        ColorType::Rgba16 => picture.into_rgba8().into(),
        _ => picture,
    };
    Ok((picture, orientation))
}

/// The image in its stored orientation, shrunk to fit after rotation.
fn shrink(picture: DynamicImage, size: Size, orientation: Orientation) -> DynamicImage {
    use Orientation::{Rotate90, Rotate90FlipH, Rotate270, Rotate270FlipH};
    let (width, height) = match orientation {
        Rotate90 | Rotate270 | Rotate90FlipH | Rotate270FlipH => (size.height, size.width),
        _ => (size.width, size.height),
    };
    let most = |own: u32, most: Option<u32>| most.unwrap_or(own).clamp(1, own);
    let (width, height) = (most(picture.width(), width), most(picture.height(), height));
    let is_large = u64::from(picture.width()) * u64::from(picture.height()) > u64::from(SUMMED).pow(2);
    let picture = if is_large { picture.thumbnail(width.max(SUMMED), height.max(SUMMED)) } else { picture };
    picture.thumbnail(width, height)
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
        // The width and height of the header chunk, with a wrong checksum: the header alone must be enough.
        bomb[16..24].copy_from_slice(&[0, 0, 255, 255, 0, 0, 255, 255]);
        let error = thumbnail(&bomb, fit(Some(8), None), 1 << 20).expect_err("refused");
        assert!(matches!(error, Error::TooLarge { .. } | Error::Broken(_)), "{error}");
        for format in [ImageFormat::Png, ImageFormat::Jpeg] {
            let error = thumbnail(&picture(40, 40, format), fit(Some(8), None), 100).expect_err("refused");
            assert!(matches!(error, Error::TooLarge { width: 40, height: 40, limit: 100 }));
            let picture = picture(8, 8, format);
            assert!(
                matches!(thumbnail(&picture[..40], fit(Some(8), None), 1 << 20), Err(Error::Broken(_))),
                "truncated"
            );
        }
    }

    #[test]
    fn a_picture_without_pixels_is_broken() {
        let gif = picture(2, 2, ImageFormat::Gif);
        let (screen, frame) = (6, gif.iter().position(|byte| *byte == b',').expect("a frame") + 5);
        for (width, height) in [(0, 0), (0, 2), (2, 0)] {
            for places in [&[screen][..], &[screen, frame]] {
                let mut gif = gif.clone();
                for at in places {
                    gif[*at..at + 4].copy_from_slice(&[width, 0, height, 0]);
                }
                let error = thumbnail(&gif, fit(Some(8), None), 1 << 20).expect_err("refused");
                assert!(matches!(error, Error::Broken(_)), "{error}");
            }
        }
    }

    #[test]
    fn every_kind_of_pixels_keeps_its_colours() {
        let colours =
            image::RgbaImage::from_fn(40, 40, |x, _| image::Rgba([if x < 20 { 200 } else { 40 }, 90, 10, 255]));
        let all = DynamicImage::from(colours);
        let pictures: [(DynamicImage, ImageFormat); 12] = [
            (all.to_luma8().into(), ImageFormat::Png),
            (all.to_luma_alpha8().into(), ImageFormat::Png),
            (all.to_rgb8().into(), ImageFormat::Png),
            (all.clone(), ImageFormat::Png),
            (all.to_luma16().into(), ImageFormat::Png),
            (all.to_luma_alpha16().into(), ImageFormat::Png),
            (all.to_rgb16().into(), ImageFormat::Png),
            (all.to_rgba16().into(), ImageFormat::Png),
            (all.to_luma8().into(), ImageFormat::Jpeg),
            (all.to_rgb8().into(), ImageFormat::Jpeg),
            (all.clone(), ImageFormat::Gif),
            (all, ImageFormat::WebP),
        ];
        for (picture, format) in pictures {
            let mut bytes = Cursor::new(Vec::new());
            picture.write_to(&mut bytes, format).expect("encoded");
            let small = thumbnail(bytes.get_ref(), fit(Some(2), None), 1 << 20).expect("made").expect("a picture");
            let small = image::load_from_memory(&small.bytes).expect("decodable");
            for (x, at) in [(0, 5), (1, 35)] {
                let (new, old) = (small.get_pixel(x, 0).0, picture.get_pixel(at, 20).0);
                let is_near = new.iter().zip(old).all(|(new, old)| new.abs_diff(old) < 12);
                assert!(is_near, "{:?} {format:?}: {new:?} for {old:?}", picture.color());
            }
        }
    }

    #[test]
    fn a_photo_stands_upright() {
        let mut photo = picture(400, 200, ImageFormat::Jpeg);
        // A segment APP1 with one entry: Orientation is 6, turned by 90 degrees clockwise.
        let exif = b"\xff\xe1\0\x22Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
        photo.splice(2..2, *exif);
        assert_eq!(size(thumbnail(&photo, fit(Some(50), None), 1 << 20).expect("made")), (50, 100, "image/jpeg"));
        assert_eq!(size(thumbnail(&photo, fit(None, Some(50)), 1 << 20).expect("made")), (25, 50, "image/jpeg"));
    }

    #[test]
    fn pixels_of_a_large_picture_are_summed_without_overflow() {
        let white = DynamicImage::from(image::GrayImage::from_pixel(8192, 2400, image::Luma([255])));
        let mut bytes = Cursor::new(Vec::new());
        white.write_to(&mut bytes, ImageFormat::Png).expect("encoded");
        let one = thumbnail(bytes.get_ref(), fit(Some(1), None), 1 << 30).expect("made").expect("a picture");
        let one = image::load_from_memory(&one.bytes).expect("decodable");
        assert_eq!((one.dimensions(), one.get_pixel(0, 0).0), ((1, 1), [255; 4]));
    }
}
