//! The examples of docs/uploads-and-streams.md.

use std::error::Error;

mod server {
    use generated_server::attachments::{PostAttachment, PostAttachmentPart};
    use generated_server::runtime::server::Failure;
    use tokio::io::AsyncWriteExt as _;

    #[allow(dead_code, reason = "it is compiled")]
    async fn receive(
        mut request: PostAttachment,
        mut contents: tokio::fs::File,
    ) -> Result<(), Failure<PostAttachment>> {
        while let Some(part) = request.body.next().await? {
            match part {
                PostAttachmentPart::Alias(alias) => println!("{alias}"),
                PostAttachmentPart::FormFile(mut file) => {
                    while let Some(bytes) = file.chunk().await? {
                        contents.write_all(&bytes).await?;
                    }
                }
            }
        }
        Ok(())
    }
}

#[allow(dead_code, reason = "it is compiled")]
async fn send(client: &generated_client::Client) -> Result<(), Box<dyn Error>> {
    use generated_client::attachments::{PostAttachment, PostAttachmentBody};
    use generated_client::runtime::multipart::Part;

    let file = Part::bytes("bella.jpg", tokio::fs::read("bella.jpg").await?);
    let body = PostAttachmentBody { form_file: Some(file), ..Default::default() };
    let request = PostAttachment { module_id: 1, object_id: 101, body, ..Default::default() };
    client.attachments().post_attachment(request).await?;
    Ok(())
}

#[allow(dead_code, reason = "it is compiled")]
async fn receive(client: &compiled_client::Client, pictures: &mut Vec<bytes::Bytes>) -> Result<(), Box<dyn Error>> {
    use compiled_client::albums::GetAlbumOkPart;

    let mut album = client.albums().get_album(7).await?;
    while let Some(part) = album.next().await? {
        match part {
            GetAlbumOkPart::About(about) => println!("{}", about.title),
            GetAlbumOkPart::Pictures(file) => pictures.push(file.bytes(10 << 20).await?),
            _ => {}
        }
    }
    Ok(())
}

#[allow(dead_code, reason = "it is compiled")]
async fn listen(client: &compiled_client::Client) -> Result<(), Box<dyn Error>> {
    let mut ticks = client.streams().watch_ticks(()).await?;
    while let Some(event) = ticks.next().await? {
        println!("{}", event.data.at);
    }
    Ok(())
}
