//! Layers around the router: compression, CORS, and a proxy's path prefix.

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    extract::Request,
    http::{Extensions, HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, Version, header},
    middleware::{Next, from_fn},
    response::Response,
};
use tower::Layer as _;
use tower_http::{
    CompressionLevel,
    compression::{
        CompressionLayer,
        predicate::{Predicate as _, SizeAbove},
    },
    cors::{AllowHeaders, AllowOrigin, CorsLayer},
};

use crate::config::Config;

/// Minimum size of a compressed body.
const LEAST_BYTES: u16 = 1024;
/// Response headers that pages of other origins may read.
const EXPOSED: [&str; 7] =
    ["content-disposition", "etag", "idempotency-replayed", "link", "location", "retry-after", "x-request-id"];

/// Adds the layers of the settings to the router.
pub fn layered(router: Router, config: &Config) -> Router {
    let compression = CompressionLayer::new()
        .quality(CompressionLevel::Fastest)
        .compress_when(SizeAbove::new(LEAST_BYTES).and(is_text));
    let mut router = router.layer(compression);
    if !config.cors_origins.is_empty() {
        router = router.layer(cors(&config.cors_origins));
    }
    if !config.base_path.is_empty() {
        let base: Arc<str> = config.base_path.as_str().into();
        // Around the whole router, because the path selects the route.
        let below = from_fn(move |request, next| below(Arc::clone(&base), request, next)).layer(router);
        router = Router::new().fallback_service(below);
    }
    router
}

/// Whether to compress: contents of attachments are sent unchanged.
fn is_text(_: StatusCode, _: Version, headers: &HeaderMap, _: &Extensions) -> bool {
    let media_type = headers.get(header::CONTENT_TYPE).map_or(&[][..], HeaderValue::as_bytes);
    let texts = [&b"application/json"[..], b"application/problem+json", b"application/javascript", b"text/"];
    let is_text = texts.iter().any(|text| media_type.starts_with(text));
    is_text && !headers.contains_key(header::CONTENT_RANGE) && !headers.contains_key(header::CONTENT_DISPOSITION)
}

fn cors(origins: &[String]) -> CorsLayer {
    let origin = if origins.iter().any(|origin| origin == "*") {
        AllowOrigin::any()
    } else {
        AllowOrigin::list(origins.iter().filter_map(|origin| HeaderValue::from_str(origin).ok()))
    };
    CorsLayer::new()
        .allow_origin(origin)
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers(EXPOSED.map(HeaderName::from_static))
        .max_age(Duration::from_hours(1))
}

/// Serves `base` like the root, for proxies that keep the prefix and for those that remove it. Links start
/// with `base`.
async fn below(base: Arc<str>, mut request: Request, next: Next) -> Response {
    let rest = request.uri().path_and_query().and_then(|target| target.as_str().strip_prefix(&*base));
    if let Some(target) = rest.filter(|rest| rest.starts_with('/')).and_then(|rest| rest.parse::<Uri>().ok()) {
        *request.uri_mut() = target;
    }
    let mut response = next.run(request).await;
    if let Some(link) = response.headers_mut().get_mut(header::LINK)
        && let Some(below) = link.to_str().ok().map(|text| text.replace("</", &format!("<{base}/")))
        && let Ok(below) = HeaderValue::from_str(&below)
    {
        *link = below;
    }
    response
}
