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
    /// The file of the picture is too large.
    #[error("the picture has {size} bytes, more than {limit}")]
    FileTooLarge {
        /// The size of the file in bytes.
        size: u64,
        /// The maximum.
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
    let Ok(format) = image::guess_format(bytes) else { return Ok(None) };
    let Some(output) = output(format) else { return Ok(None) };
    let (picture, orientation) = decode(bytes, format, pixel_limit)?;
    let mut small = shrink(picture, size, orientation);
    small.apply_orientation(orientation);
    let mut encoded = Cursor::new(Vec::new());
    small.write_to(&mut encoded, output)?;
    Ok(Some(Thumbnail { bytes: encoded.into_inner().into(), media_type: output.to_mime_type() }))
}

/// Whether files of this media type get thumbnails.
pub fn has_thumbnails(media_type: &str) -> bool {
    ImageFormat::from_mime_type(media_type).and_then(output).is_some()
}

/// The format of thumbnails of pictures in a format; `None` if there are none.
fn output(format: ImageFormat) -> Option<ImageFormat> {
    match format {
        ImageFormat::Jpeg => Some(ImageFormat::Jpeg),
        ImageFormat::Png | ImageFormat::Gif | ImageFormat::WebP => Some(ImageFormat::Png),
        _ => None,
    }
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
