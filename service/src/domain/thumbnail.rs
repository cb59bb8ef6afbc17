//! Small pictures of large ones.

use std::io::Cursor;

use bytes::Bytes;
use image::{
    ColorType, DynamicImage, ImageBuffer, ImageDecoder as _, ImageError, ImageFormat, ImageReader, Limits,
    error::{ParameterError, ParameterErrorKind},
    metadata::Orientation,
};

mod input;
mod jpeg;
mod shrink;

use input::Input;
use shrink::Pixels;

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
    Broken(#[from] ImageError),
    /// It was to go on no longer.
    #[error("the work was broken off")]
    BrokenOff,
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

/// A picture that fits into `size`, upright, with its proportions kept and never larger than it was; `None` when the
/// bytes are no picture of a kind that is known (PNG, JPEG, GIF, WebP). `go_on` is asked often, which is a place to let others
/// go first; once it says no, it has to say so ever after, and the work is broken off.
pub fn thumbnail(
    bytes: &[u8],
    size: Size,
    pixel_limit: u64,
    go_on: &dyn Fn() -> bool,
) -> Result<Option<Thumbnail>, Error> {
    let Ok(format) = image::guess_format(bytes) else { return Ok(None) };
    let input = Input::new(bytes, go_on);
    let decoded = match format {
        ImageFormat::Jpeg => jpeg::decode(input, pixel_limit),
        ImageFormat::Png | ImageFormat::Gif | ImageFormat::WebP => decode(input, format, pixel_limit),
        _ => return Ok(None),
    };
    let Decoded { pixels, orientation } = match decoded {
        // A picture that is not read to its end looks broken.
        Err(Error::Broken(_)) if !go_on() => return Err(Error::BrokenOff),
        decoded => decoded?,
    };
    let (width, height) = fit(&pixels, size, orientation);
    let small = pixels.shrink(width, height, go_on).ok_or(Error::BrokenOff)?;
    let mut small = picture(width, height, pixels.channels, small)?;
    small.apply_orientation(orientation);
    let mut encoded = Cursor::new(Vec::new());
    let (format, media_type) = match format {
        ImageFormat::Jpeg => (ImageFormat::Jpeg, "image/jpeg"),
        _ => (ImageFormat::Png, "image/png"),
    };
    small.write_to(&mut encoded, format)?;
    Ok(Some(Thumbnail { bytes: encoded.into_inner().into(), media_type }))
}

/// A picture as it is stored, and how it is to be turned.
struct Decoded {
    pixels: Pixels,
    orientation: Orientation,
}

fn decode(input: Input<'_>, format: ImageFormat, pixel_limit: u64) -> Result<Decoded, Error> {
    let mut reader = ImageReader::with_format(input, format);
    reader.limits(limits(HEAD_BYTES));
    let mut decoder = reader.into_decoder()?;
    let (width, height) = decoder.dimensions();
    let mut limits = limits(DECODE_BYTES);
    check(width, height, pixel_limit)?;
    limits.reserve(decoder.total_bytes())?;
    decoder.set_limits(limits)?;
    // One that cannot be read is none.
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let picture = DynamicImage::from_decoder(decoder)?;
    let (channels, bytes) = match picture.color() {
        ColorType::L8 | ColorType::L16 => (1, picture.into_luma8().into_raw()),
        ColorType::La8 | ColorType::La16 => (2, picture.into_luma_alpha8().into_raw()),
        ColorType::Rgb8 | ColorType::Rgb16 => (3, picture.into_rgb8().into_raw()),
        _ => (4, picture.into_rgba8().into_raw()),
    };
    Ok(Decoded { pixels: Pixels { width, height, channels, bytes }, orientation })
}

/// A small file can claim a picture that would fill the memory, or one without pixels.
fn check(width: u32, height: u32, limit: u64) -> Result<(), Error> {
    if width == 0 || height == 0 {
        return Err(mismatch().into());
    }
    if u64::from(width) * u64::from(height) > limit {
        return Err(Error::TooLarge { width, height, limit });
    }
    Ok(())
}

/// The width and height, as the picture is stored, that make it fit into `size` when it is turned.
fn fit(pixels: &Pixels, size: Size, orientation: Orientation) -> (u32, u32) {
    use Orientation::{Rotate90, Rotate90FlipH, Rotate270, Rotate270FlipH};
    let (width, height) = match orientation {
        Rotate90 | Rotate270 | Rotate90FlipH | Rotate270FlipH => (size.height, size.width),
        _ => (size.width, size.height),
    };
    let ratio = |own: u32, most: Option<u32>| f64::from(most.unwrap_or(own).min(own)) / f64::from(own);
    let ratio = ratio(pixels.width, width).min(ratio(pixels.height, height));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is between 0 and the old number")]
    let scaled = |own: u32| ((f64::from(own) * ratio).round() as u32).max(1);
    (scaled(pixels.width), scaled(pixels.height))
}

fn picture(width: u32, height: u32, channels: usize, bytes: Vec<u8>) -> Result<DynamicImage, Error> {
    let picture = match channels {
        1 => ImageBuffer::from_raw(width, height, bytes).map(DynamicImage::ImageLuma8),
        2 => ImageBuffer::from_raw(width, height, bytes).map(DynamicImage::ImageLumaA8),
        3 => ImageBuffer::from_raw(width, height, bytes).map(DynamicImage::ImageRgb8),
        _ => ImageBuffer::from_raw(width, height, bytes).map(DynamicImage::ImageRgba8),
    };
    Ok(picture.ok_or_else(mismatch)?)
}

fn mismatch() -> ImageError {
    ImageError::Parameter(ParameterError::from_kind(ParameterErrorKind::DimensionMismatch))
}

fn limits(bytes: u64) -> Limits {
    let mut limits = Limits::default();
    limits.max_alloc = Some(bytes);
    limits
}

#[cfg(test)]
mod tests {
    use image::{GenericImageView as _, ImageEncoder as _};

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

    fn made(bytes: &[u8], size: Size, pixel_limit: u64) -> Result<Option<Thumbnail>, Error> {
        thumbnail(bytes, size, pixel_limit, &|| true)
    }

    #[test]
    fn proportions_are_kept_and_nothing_grows() {
        let png = picture(400, 200, ImageFormat::Png);
        assert_eq!(size(made(&png, fit(Some(100), Some(100)), 1 << 20).expect("made")), (100, 50, "image/png"));
        assert_eq!(size(made(&png, fit(None, Some(20)), 1 << 20).expect("made")), (40, 20, "image/png"));
        assert_eq!(size(made(&png, fit(Some(4000), None), 1 << 20).expect("made")), (400, 200, "image/png"));
        let jpeg = picture(64, 64, ImageFormat::Jpeg);
        assert_eq!(size(made(&jpeg, fit(Some(8), Some(32)), 1 << 20).expect("made")), (8, 8, "image/jpeg"));
    }

    #[test]
    fn no_picture_is_none_and_a_bomb_is_refused_by_its_head() {
        assert!(made(b"%PDF-1.7", fit(Some(8), None), 1 << 20).expect("no failure").is_none());
        let mut bomb = picture(8, 8, ImageFormat::Png);
        // The width and height of the header chunk, without a matching checksum: the head alone must be enough.
        bomb[16..24].copy_from_slice(&[0, 0, 255, 255, 0, 0, 255, 255]);
        let error = made(&bomb, fit(Some(8), None), 1 << 20).expect_err("refused");
        assert!(matches!(error, Error::TooLarge { .. } | Error::Broken(_)), "{error}");
        for format in [ImageFormat::Png, ImageFormat::Jpeg] {
            let error = made(&picture(40, 40, format), fit(Some(8), None), 100).expect_err("refused");
            assert!(matches!(error, Error::TooLarge { width: 40, height: 40, limit: 100 }));
            let picture = picture(8, 8, format);
            assert!(matches!(made(&picture[..40], fit(Some(8), None), 1 << 20), Err(Error::Broken(_))), "truncated");
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
                let error = made(&gif, fit(Some(8), None), 1 << 20).expect_err("refused");
                assert!(matches!(error, Error::Broken(_)), "{error}");
            }
        }
    }

    #[test]
    fn every_kind_of_pixels_keeps_its_colours() {
        let colours =
            image::RgbaImage::from_fn(40, 40, |x, _| image::Rgba([if x < 20 { 200 } else { 40 }, 90, 10, 255]));
        let all = DynamicImage::from(colours);
        let kinds = [
            ColorType::L8,
            ColorType::La8,
            ColorType::Rgb8,
            ColorType::Rgba8,
            ColorType::L16,
            ColorType::La16,
            ColorType::Rgb16,
            ColorType::Rgba16,
        ];
        let kinds = kinds.map(|color| (color, ImageFormat::Png));
        let others = [(ColorType::L8, ImageFormat::Jpeg), (ColorType::Rgb8, ImageFormat::Jpeg)];
        let others =
            others.into_iter().chain([(ColorType::Rgba8, ImageFormat::Gif), (ColorType::Rgba8, ImageFormat::WebP)]);
        for (color, format) in kinds.into_iter().chain(others) {
            let mut bytes = Cursor::new(Vec::new());
            let picture = converted(&all, color);
            picture.write_to(&mut bytes, format).expect("encoded");
            let small = made(bytes.get_ref(), fit(Some(2), None), 1 << 20).expect("made").expect("a picture");
            let small = image::load_from_memory(&small.bytes).expect("decodable");
            for (x, at) in [(0, 5), (1, 35)] {
                let (new, old) = (small.get_pixel(x, 0).0, picture.get_pixel(at, 20).0);
                let is_near = new.iter().zip(old).all(|(new, old)| new.abs_diff(old) < 12);
                assert!(is_near, "{color:?} {format:?}: {new:?} for {old:?}");
            }
        }
    }

    fn converted(picture: &DynamicImage, color: ColorType) -> DynamicImage {
        match color {
            ColorType::L8 => picture.to_luma8().into(),
            ColorType::La8 => picture.to_luma_alpha8().into(),
            ColorType::Rgb8 => picture.to_rgb8().into(),
            ColorType::L16 => picture.to_luma16().into(),
            ColorType::La16 => picture.to_luma_alpha16().into(),
            ColorType::Rgb16 => picture.to_rgb16().into(),
            ColorType::Rgba16 => picture.to_rgba16().into(),
            _ => picture.to_rgba8().into(),
        }
    }

    #[test]
    fn a_photo_stands_upright() {
        let mut photo = Vec::new();
        let mut encoder = image::codecs::jpeg::JpegEncoder::new(&mut photo);
        // One entry: Orientation is 6, turned by 90 degrees clockwise.
        let exif = b"MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
        encoder.set_exif_metadata(exif.to_vec()).expect("it takes one");
        let picture = DynamicImage::new_rgb8(400, 200);
        encoder.encode_image(&picture).expect("encoded");
        assert_eq!(size(made(&photo, fit(Some(50), None), 1 << 20).expect("made")), (50, 100, "image/jpeg"));
        assert_eq!(size(made(&photo, fit(None, Some(50)), 1 << 20).expect("made")), (25, 50, "image/jpeg"));
    }

    #[test]
    fn it_can_be_broken_off_and_says_so() {
        for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Gif, ImageFormat::WebP] {
            let looks = std::cell::Cell::new(0);
            let picture = picture(1000, 1000, format);
            let work = |most| {
                looks.set(0);
                let go_on = || {
                    looks.set(looks.get() + 1);
                    looks.get() <= most
                };
                thumbnail(&picture, fit(Some(8), None), 1 << 20, &go_on)
            };
            assert!(work(usize::MAX).expect("made").is_some());
            let all = looks.get();
            assert!(all >= 1000, "{format:?}: {all}");
            for most in [0, 1, 2, all / 2, all - 1] {
                assert!(matches!(work(most), Err(Error::BrokenOff)), "{format:?}: {most} of {all}");
            }
        }
    }
}
