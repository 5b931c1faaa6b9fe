//! Checks of partition keys of all types, of ids and of values.

use azure_data_cosmos::clients::ContainerClient;
use azure_data_cosmos::{FeedScope, PartitionKey, Query};
use serde_json::{Value, json};

use crate::fixture::{all, create, raises, read, scoped, sorted};
use crate::runner::{Checks, Outcome};
use crate::{holds, same};

const HOSTILE: [&str; 22] = [
    "ä ö",
    "日本",
    "🙂",
    "a+b",
    "100%",
    "%2F",
    "%00",
    "a'b\"c",
    "<script>",
    "a&b=c",
    "a;b,c",
    "SELECT * FROM c",
    "' OR 1=1 --",
    "...",
    "~",
    "[]",
    "{}",
    "null",
    "\u{301}",
    "\u{202e}",
    "\u{200b}",
    "a=b;AccountKey=c",
];

/// Stores an item under a key, finds it by its key in every way, and deletes it.
async fn stored(container: &ContainerClient, key: impl Into<PartitionKey>, value: Option<Value>) -> Outcome {
    let key: PartitionKey = key.into();
    let mut doc = json!({"id": "1"});
    if let Some(value) = &value {
        doc["pk"] = value.clone();
    }
    container.create_item(key.clone(), "1", &doc, None).await?;
    let got = read(container, key.clone(), "1").await?;
    let equal = match (got.get("pk"), &value) {
        (Some(got), Some(value)) if value.is_number() => got.as_f64() == value.as_f64(),
        (got, value) => got == value.as_ref(),
    };
    holds!(equal, (got, value));
    let found: Vec<Value> = scoped(container, "SELECT * FROM c", FeedScope::partition(key.clone())).await?;
    same!(found, [got]);
    let everything: Vec<Value> = all(container, "SELECT * FROM c").await?;
    same!(everything, found);
    doc["n"] = json!(1);
    container.upsert_item(key.clone(), "1", &doc, None).await?;
    container.replace_item(key.clone(), "1", &doc, None).await?;
    container.delete_item(key, "1", None).await?;
    same!(all::<Value>(container, "SELECT * FROM c").await?.len(), 0);
    Ok(())
}

pub fn add(checks: &mut Checks) {
    checks.area("items");

    checks.works("keys that are texts: long, empty, and like other types", |c| async move {
        let container = c.container().await?;
        let long = "x".repeat(1000);
        for key in ["a", "", "1", "true", "null", &long, "é日本", "a/b?c#d\\e", "\"\\", "\t\n"] {
            stored(&container, key.to_string(), Some(json!(key))).await?;
        }
        Ok(())
    });

    checks.works("keys that are numbers", |c| async move {
        let container = c.container().await?;
        for key in [0.0, 1.0, -1.0, 0.5, -1.25, 9007199254740992.0, -9007199254740992.0, 1e300, 1e-7] {
            stored(&container, PartitionKey::try_from(key)?, Some(json!(key))).await?;
        }
        for key in [7i64, -42, 9007199254740991] {
            container.create_item(key, "1", json!({"id": "1", "pk": key}), None).await?;
            same!(read(&container, key, "1").await?["pk"], key);
        }
        Ok(())
    });

    checks.works("keys that are booleans", |c| async move {
        let container = c.container().await?;
        stored(&container, true, Some(json!(true))).await?;
        stored(&container, false, Some(json!(false))).await
    });

    checks.works("keys that are null", |c| async move {
        let container = c.container().await?;
        stored(&container, PartitionKey::NULL, Some(Value::Null)).await?;
        container.create_item(PartitionKey::NULL, "1", json!({"id": "1", "pk": null}), None).await?;
        raises(read(&container, PartitionKey::UNDEFINED, "1").await, 404)?;
        same!(read(&container, None::<String>, "1").await?["pk"], Value::Null);
        Ok(())
    });

    checks.works("no key", |c| async move {
        let container = c.container().await?;
        stored(&container, PartitionKey::UNDEFINED, None).await?;
        container.create_item(PartitionKey::UNDEFINED, "1", json!({"id": "1"}), None).await?;
        raises(read(&container, PartitionKey::NULL, "1").await, 404)?;
        same!(read(&container, PartitionKey::UNDEFINED, "1").await?["id"], "1");
        Ok(())
    });

    checks.works(
        "keys that are texts, keys that are numbers, keys that are null: one id under each type",
        |c| async move {
            let container = c.container().await?;
            container.create_item("1", "1", json!({"id": "1", "pk": "1"}), None).await?;
            container.create_item(1, "1", json!({"id": "1", "pk": 1}), None).await?;
            container.create_item(true, "1", json!({"id": "1", "pk": true}), None).await?;
            container.create_item(PartitionKey::NULL, "1", json!({"id": "1", "pk": null}), None).await?;
            container.create_item(PartitionKey::UNDEFINED, "1", json!({"id": "1"}), None).await?;
            same!(all::<Value>(&container, "SELECT * FROM c").await?.len(), 5);
            same!(read(&container, 1, "1").await?["pk"], 1);
            same!(read(&container, "1", "1").await?["pk"], "1");
            Ok(())
        },
    );

    checks.works("hierarchical keys: all types, and a read of each", |c| async move {
        let container = c.container_of(("/a", "/b", "/c"), |p| p).await?;
        let keys: Vec<(PartitionKey, Value)> = vec![
            (("x", 1, true).into(), json!({"a": "x", "b": 1, "c": true})),
            (("x", 1, false).into(), json!({"a": "x", "b": 1, "c": false})),
            (("x", 2, PartitionKey::NULL).into(), json!({"a": "x", "b": 2, "c": null})),
            (("x", 3, PartitionKey::UNDEFINED).into(), json!({"a": "x", "b": 3})),
            (("", "y", 0).into(), json!({"a": "", "b": "y", "c": 0})),
            (("é日本", -1, "z").into(), json!({"a": "é日本", "b": -1, "c": "z"})),
        ];
        for (key, doc) in &keys {
            let mut doc = doc.clone();
            doc["id"] = json!("1");
            container.create_item(key.clone(), "1", &doc, None).await?;
            let got = read(&container, key.clone(), "1").await?;
            same!((got.get("a"), got.get("b"), got.get("c")), (doc.get("a"), doc.get("b"), doc.get("c")));
            let found: Vec<Value> = scoped(&container, "SELECT * FROM c", FeedScope::partition(key.clone())).await?;
            same!(found, [got]);
        }
        same!(all::<Value>(&container, "SELECT * FROM c").await?.len(), keys.len());
        container.delete_item(keys[0].0.clone(), "1", None).await?;
        raises(read(&container, keys[0].0.clone(), "1").await, 404)?;
        raises(read(&container, ("x", 1), "1").await, 400)?;
        Ok(())
    });

    checks.works("hierarchical keys: a nested path", |c| async move {
        let container = c.container_of(("/address/city", "/address/street"), |p| p).await?;
        let doc = json!({"id": "1", "address": {"city": "Bonn", "street": "Rhein"}});
        container.create_item(("Bonn", "Rhein"), "1", &doc, None).await?;
        same!(read(&container, ("Bonn", "Rhein"), "1").await?["address"], doc["address"]);
        Ok(())
    });

    checks.works("ids in many alphabets: read, queried, deleted", |c| async move {
        let container = c.container().await?;
        for text in HOSTILE {
            create(&container, json!({"id": text, "pk": text})).await?;
            let query = Query::from("SELECT VALUE c.id FROM c WHERE c.id = @id").with_parameter("@id", text)?;
            same!(all::<String>(&container, query).await?, [text]);
            if !text.contains('%') {
                // The routing gateway decodes the path once more than the client signs it.
                same!(read(&container, text, text).await?["id"], text);
                container.delete_item(text, text, None).await?;
            }
        }
        let left: Vec<String> = all(&container, "SELECT VALUE c.id FROM c").await?;
        same!(sorted(left), sorted(HOSTILE.into_iter().filter(|text| text.contains('%')).map(String::from)));
        Ok(())
    });

    checks.works("ids in many alphabets: too long, empty", |c| async move {
        let container = c.container().await?;
        create(&container, json!({"id": "x".repeat(1023), "pk": "a"})).await?;
        same!(read(&container, "a", &"x".repeat(1023)).await?["pk"], "a");
        raises(create(&container, json!({"id": "x".repeat(1024), "pk": "a"})).await, 400)?;
        raises(create(&container, json!({"id": "", "pk": "a"})).await, 400)?;
        Ok(())
    });

    checks.works("values in many alphabets: names and texts come back as they were", |c| async move {
        let container = c.container().await?;
        let mut doc = json!({"id": "1", "pk": "a", "": "no name", "a\u{0}b": "\u{0}\u{1f}\u{2028}🙂"});
        for text in HOSTILE {
            doc[text] = json!(text);
        }
        create(&container, doc.clone()).await?;
        let mut got = read(&container, "a", "1").await?;
        for name in ["_rid", "_self", "_etag", "_attachments", "_ts"] {
            holds!(got.as_object_mut().and_then(|o| o.remove(name)).is_some(), name);
        }
        same!(got, doc);
        Ok(())
    });

    checks.works("large numbers: doubles come back as they were", |c| async move {
        let container = c.container().await?;
        let values = [
            0.0,
            -1.0,
            9007199254740992.0,
            -9007199254740992.0,
            1e300,
            5e-324,
            f64::MAX,
            0.1,
            1.0 / 3.0,
            -0.5,
            1e21,
            123456789.125,
        ];
        create(&container, json!({"id": "1", "pk": "a", "values": values})).await?;
        let got: Vec<f64> = serde_json::from_value(read(&container, "a", "1").await?["values"].take())?;
        same!(got, values);
        let found: Vec<Value> = all(&container, "SELECT * FROM c WHERE c.values[2] = 9007199254740992").await?;
        same!(found.len(), 1);
        Ok(())
    });
}
