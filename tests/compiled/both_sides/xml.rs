//! XML bodies, next to JSON and alone.

use std::collections::BTreeMap;

use compiled_client::models as seen;
use compiled_client::xml as sent;
use compiled_server::models::{XmlPet, XmlShape};
use compiled_server::runtime::server::{Call, Failure, Options};
use compiled_server::xml::{AddPet, AddPetBody, AddPetOkBody, AddShape, ListPets, PutStock, Xml};

use crate::echo::{client_of, serve};

struct Echo;

impl Xml for Echo {
    async fn list_pets(&self, _: Call<()>, _: ListPets) -> Result<Vec<XmlPet>, Failure<ListPets>> {
        Ok(["a", "<&>"].map(|name| XmlPet::new(name.to_owned(), Vec::new())).into())
    }

    async fn add_pet(&self, _: Call<()>, request: AddPet) -> Result<AddPetOkBody, Failure<AddPet>> {
        Ok(match request.body {
            AddPetBody::Json(pet) => AddPetOkBody::Json(pet),
            AddPetBody::Xml(pet) => AddPetOkBody::Xml(pet),
        })
    }

    async fn put_stock(&self, _: Call<()>, request: PutStock) -> Result<BTreeMap<String, i32>, Failure<PutStock>> {
        Ok(request.body.unwrap_or_default())
    }

    async fn add_shape(&self, _: Call<()>, request: AddShape) -> Result<XmlShape, Failure<AddShape>> {
        Ok(request.body)
    }
}

fn pet() -> seen::XmlPet {
    seen::XmlPet {
        id: Some(7),
        name: " a & <b>\r\n".to_owned(),
        category: Some(seen::XmlCategory { code: Some("dog".to_owned()), good: Some(true) }),
        photo_urls: vec![String::new(), "http://a/b?c&d".to_owned()],
        tags: Some(vec![seen::XmlTag { label: Some("x".to_owned()) }, seen::XmlTag::default()]),
        born: Some("2020-02-29".parse().expect("a date")),
        weight: compiled_client::runtime::json::Maybe::Null,
        status: Some(seen::XmlPetStatus::Sold),
        parent: Some(Box::new(seen::XmlPet { name: "b".to_owned(), ..seen::XmlPet::default() })),
    }
}

#[tokio::test]
async fn values_come_back_in_the_form_in_which_they_are_sent() {
    let client = client_of(compiled_server::xml::router(Echo, &Options::default())).await;
    let xml = client.xml();
    for pet in [pet(), seen::XmlPet { name: "a".to_owned(), tags: Some(Vec::new()), ..seen::XmlPet::default() }] {
        let json = xml.add_pet(sent::AddPet { body: sent::AddPetBody::Json(Box::new(pet.clone())) }).await;
        assert_eq!(json.expect("JSON"), sent::AddPetOkBody::Json(Box::new(pet.clone())));
        let answer = xml.add_pet(sent::AddPet { body: sent::AddPetBody::Xml(Box::new(pet.clone())) }).await;
        assert_eq!(answer.expect("XML"), sent::AddPetOkBody::Xml(Box::new(pet)));
    }
    let names: Vec<_> = xml.list_pets(sent::ListPets {}).await.expect("pets").into_iter().map(|pet| pet.name).collect();
    assert_eq!(names, ["a", "<&>"]);
    let stock: BTreeMap<_, _> = [("sold".to_owned(), 3), ("on-hand".to_owned(), -1)].into();
    assert_eq!(xml.put_stock(sent::PutStock { body: Some(stock.clone()) }).await.expect("a stock"), stock);
    assert_eq!(xml.put_stock(sent::PutStock { body: None }).await.expect("no stock"), BTreeMap::new());
}

#[tokio::test]
async fn variants_of_a_union_come_back() {
    let router = compiled_server::xml::router(Echo, &Options::default());
    let client = client_of(router.clone()).await;
    let dot = seen::XmlShape::XmlDot(seen::XmlDot { x: 1.5 });
    let group = seen::XmlShape::XmlGroup(seen::XmlGroup {
        shapes: vec![dot.clone(), seen::XmlShape::XmlGroup(seen::XmlGroup { shapes: Vec::new() })],
    });
    for shape in [dot, group] {
        let answer = client.xml().add_shape(sent::AddShape { body: shape.clone() }).await;
        assert_eq!(answer.expect("the shape"), shape);
    }
    let url = serve(router).await;
    for (document, pointer, detail) in [
        ("<shape kind='dot'><x>1</x></shape>", "", ""),
        ("<shape kind='dot'><x>1</x><shapes/></shape>", "/shapes", "is unknown"),
        ("<shape kind='group'><shapes><shape kind='dot'/></shapes></shape>", "/shapes/0/x", "is missing"),
        ("<shape kind='line'/>", "/kind", "line"),
        ("<shape><x>1</x></shape>", "/kind", "is missing"),
    ] {
        let request =
            reqwest::Client::new().post(format!("{url}/xml/shapes")).header("Content-Type", "application/xml");
        let answer = request.body(document).send().await.expect("an answer");
        let (status, text) = (answer.status().as_u16(), answer.text().await.expect("a text"));
        if pointer.is_empty() {
            let expected = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><shape kind=\"dot\"><x>1.0</x></shape>";
            assert_eq!((status, text.as_str()), (200, expected));
            continue;
        }
        let problem: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{document}: {text}");
        assert!(
            problem["errors"][0]["detail"].as_str().is_some_and(|said| said.contains(detail)),
            "{document}: {text}"
        );
    }
}

#[tokio::test]
async fn what_xml_does_not_have_is_not_sent() {
    let client = client_of(compiled_server::xml::router(Echo, &Options::default())).await;
    let body = Some([("a b".to_owned(), 3)].into());
    let error = client.xml().put_stock(sent::PutStock { body }).await.expect_err("no element has this name");
    let expected = "XML cannot express its body: the value at /a b has a name that an element cannot have";
    assert!(error.to_string().ends_with(expected), "{error}");
}

/// The status, the media type and the text of the answer to a document.
async fn answer(url: &str, accept: &str, document: &str) -> (u16, String, String) {
    let request = reqwest::Client::new().post(format!("{url}/xml/pets")).header("Accept", accept);
    let answer = request.header("Content-Type", "application/xml").body(document.to_owned()).send().await;
    let answer = answer.expect("an answer");
    let media_type = answer.headers()["content-type"].to_str().expect("ASCII").to_owned();
    (answer.status().as_u16(), media_type, answer.text().await.expect("a text"))
}

#[tokio::test]
async fn documents_of_others_are_read_strictly() {
    let url = serve(compiled_server::xml::router(Echo, &Options::default())).await;
    let document = "<?xml version='1.0'?><p:pet xmlns:p='urn:pets' id='3'><p:name>a</p:name>\
                    <photoUrl>b</photoUrl><kind code='x'><good>1</good><new/></kind></p:pet>";
    let (status, media_type, text) = answer(&url, "*/*", document).await;
    assert_eq!((status, media_type.as_str()), (200, "application/xml"), "{text}");
    let expected = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><pet xmlns=\"urn:pets\" id=\"3\"><name>a</name>\
                    <k:kind xmlns:k=\"urn:kinds\" k:code=\"x\"><good>true</good></k:kind>\
                    <photoUrl>b</photoUrl></pet>";
    assert_eq!(text, expected);
    for (document, pointer, expected) in [
        ("<pet", "", "is not XML"),
        ("<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><pet><name>&b;</name></pet>", "", "document type"),
        ("<dog><name>a</name></dog>", "", "is an element `dog`, not `pet`"),
        ("<pet id='0'><name>a</name></pet>", "/id", "at least 1"),
        ("<pet id='x'><name>a</name></pet>", "/id", "not a whole number"),
        ("<pet/>", "/name", "is missing"),
        ("<pet><name>aaaaaaaaaaaaaaaaaaaaaaaaaaaa</name></pet>", "/name", "at most 20"),
        ("<pet><name>a</name><dog/></pet>", "/dog", "is unknown"),
        ("<pet><name>a</name><kind code='X'/></pet>", "/category/code", "does not match"),
        ("<pet><name>a</name><status>lost</status></pet>", "/status", "`lost`"),
        ("<pet><name>a</name><born>today</born></pet>", "/born", "`today`"),
        ("<pet><name>a</name><tags><tog/></tags></pet>", "/tags/0", "is an element `tog`, not `tag`"),
        ("<pet><name>a</name><photoUrl/><photoUrl/><photoUrl/><photoUrl/></pet>", "/photoUrls", "at most 3"),
        ("<pet><name>a</name><pet><name/><name/></pet></pet>", "/parent/name", "given twice"),
    ] {
        let (status, media_type, text) = answer(&url, "application/xml", document).await;
        assert_eq!(media_type, "application/problem+json", "{document}: {text}");
        let problem: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert!(matches!(status, 400 | 422), "{document}: {text}");
        let error = &problem["errors"][0];
        assert_eq!(error["pointer"].as_str().unwrap_or_default(), pointer, "{document}: {text}");
        assert!(error["detail"].as_str().is_some_and(|detail| detail.contains(expected)), "{document}: {text}");
    }
}
