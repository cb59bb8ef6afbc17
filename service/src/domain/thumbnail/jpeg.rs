//! JPEG, by the decoder that `image` has for it; `image` itself would read all bytes before it decodes any.

use image::{
    ImageError, ImageFormat,
    error::{DecodingError, LimitError, LimitErrorKind},
    metadata::Orientation,
};
use zune_jpeg::{
    JpegDecoder,
    errors::DecodeErrors,
    zune_core::{colorspace::ColorSpace, options::DecoderOptions},
};

use super::{DECODE_BYTES, Decoded, Error, Input, Pixels, check};

pub(super) fn decode(input: Input<'_>, pixel_limit: u64) -> Result<Decoded, Error> {
    let options = DecoderOptions::default()
        .set_strict_mode(false)
        .set_max_width(usize::MAX)
        .set_max_height(usize::MAX)
        .jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(input, options);
    decoder.decode_headers().map_err(broken)?;
    let too_much = || ImageError::Limits(LimitError::from_kind(LimitErrorKind::InsufficientMemory));
    let (info, size) = decoder.info().zip(decoder.output_buffer_size()).ok_or_else(too_much)?;
    let (width, height) = (u32::from(info.width), u32::from(info.height));
    check(width, height, pixel_limit)?;
    if size as u64 > DECODE_BYTES {
        return Err(too_much().into());
    }
    let mut bytes = vec![0; size];
    decoder.decode_into(&mut bytes).map_err(broken)?;
    let orientation = decoder.exif().and_then(|exif| Orientation::from_exif_chunk(exif));
    let pixels = Pixels { width, height, channels: 3, bytes };
    Ok(Decoded { pixels, orientation: orientation.unwrap_or(Orientation::NoTransforms) })
}

fn broken(error: DecodeErrors) -> Error {
    Error::Broken(ImageError::Decoding(DecodingError::new(ImageFormat::Jpeg.into(), error)))
}
