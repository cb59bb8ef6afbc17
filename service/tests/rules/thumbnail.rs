//! Thumbnails of every kind of picture.

use std::io::Cursor;

use image::{DynamicImage, GenericImageView as _, ImageFormat};
use service::domain::thumbnail::{Error, Size, Thumbnail, thumbnail};

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
        assert!(matches!(thumbnail(&picture[..40], fit(Some(8), None), 1 << 20), Err(Error::Broken(_))), "truncated");
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
    let colours = image::RgbaImage::from_fn(40, 40, |x, _| image::Rgba([if x < 20 { 200 } else { 40 }, 90, 10, 255]));
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
