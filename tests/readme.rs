//! The examples of README.md, compiled.

use std::error::Error;

#[test]
fn every_example_is_compiled_here() {
    tests::examples::are_compiled(include_str!("../README.md"), include_str!("readme.rs"), 2);
}

#[allow(dead_code, reason = "it is compiled")]
async fn call(token: &str) -> Result<(), Box<dyn Error>> {
    use generated_client::Client;

    let client = Client::builder("http://127.0.0.1:8080")?.bearer_auth(token).build()?;
    let colors = client.colors_lookup().get_colors_lookup(()).await?;

    println!("{colors:?}");
    Ok(())
}

#[allow(dead_code, reason = "it is compiled")]
mod server {
    use generated_server::colors_lookup::{ColorsLookup, GetColorsLookup};
    use generated_server::models::ColorLookupList;
    use generated_server::runtime::server::{Call, Failure};

    #[derive(Clone)]
    struct MyCaller;
    struct MyService;

    impl ColorsLookup for MyService {
        type Principal = MyCaller;

        async fn get_colors_lookup(
            &self,
            _call: Call<MyCaller>,
            _request: GetColorsLookup,
        ) -> Result<ColorLookupList, Failure<GetColorsLookup>> {
            Ok(ColorLookupList { success: Some(true), ..Default::default() })
        }
    }
}
