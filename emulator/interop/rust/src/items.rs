//! Checks of single items: create, read, upsert, replace, delete, conditions.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use azure_data_cosmos::models::TimeToLive;
use azure_data_cosmos::options::{
    ContentResponseOnWrite, ItemReadOptions, ItemWriteOptions, OperationOptionsBuilder, Precondition,
    ReadConsistencyStrategy, SessionToken,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::fixture::{all, connect, create, raises, read, sorted, upsert, write_with_body};
use crate::runner::Checks;
use crate::{holds, same};

fn if_match(etag: &str) -> Option<ItemWriteOptions> {
    Some(ItemWriteOptions::default().with_precondition(Precondition::if_match(etag.to_string())))
}

fn if_none_match(etag: &str) -> Option<ItemReadOptions> {
    Some(ItemReadOptions::default().with_precondition(Precondition::if_none_match(etag.to_string())))
}

pub fn add(checks: &mut Checks) {
    checks.area("items");

    checks.works("create, read: system properties", |c| async move {
        let container = c.container().await?;
        let doc = json!({"id": "1", "pk": "a", "n": 1, "deep": {"list": [1, [2], {"x": null}]}});
        let created = container.create_item("a", "1", &doc, write_with_body()).await?;
        same!(u16::from(created.status()), 201);
        let created: Value = created.into_model()?;
        let got = read(&container, "a", "1").await?;
        same!(got, created);
        same!(got["deep"], json!({"list": [1, [2], {"x": null}]}));
        for name in ["_rid", "_self", "_etag", "_attachments"] {
            holds!(got[name].as_str().is_some_and(|text| !text.is_empty()), name);
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs() as i64;
        holds!((got["_ts"].as_i64().unwrap_or(0) - now).abs() < 60, got);
        Ok(())
    });

    checks.works("create, read: a type of the program", |c| async move {
        #[derive(Serialize, Deserialize, PartialEq, Debug)]
        struct Order {
            id: String,
            pk: String,
            total: f64,
            lines: Vec<(String, u32)>,
            note: Option<String>,
        }
        let container = c.container().await?;
        let order = Order {
            id: "o-1".into(),
            pk: "a".into(),
            total: 12.5,
            lines: vec![("é".into(), 2), ("b".into(), u32::MAX)],
            note: None,
        };
        container.create_item("a", "o-1", &order, None).await?;
        let got: Order = container.read_item("a", "o-1", None).await?.into_model()?;
        same!(got, order);
        Ok(())
    });

    checks.works("read: charge, activity, session, etag, lsn and duration of an answer", |c| async move {
        let container = c.container().await?;
        create(&container, json!({"id": "1", "pk": "a"})).await?;
        let got = container.read_item("a", "1", None).await?;
        let headers = got.headers();
        holds!(headers.request_charge().is_some_and(|charge| charge.value() >= 1.0));
        holds!(headers.activity_id().is_some() && headers.session_token().is_some());
        holds!(headers.lsn().is_some_and(|lsn| lsn > 0));
        holds!(headers.server_duration().is_some(), "x-ms-request-duration-ms");
        let etag = headers.etag().ok_or("no etag")?.to_string();
        same!(got.into_model::<Value>()?["_etag"], etag);
        Ok(())
    });

    checks.works("upsert", |c| async move {
        let container = c.container().await?;
        same!(u16::from(upsert(&container, json!({"id": "1", "pk": "a", "n": 1})).await?.status()), 201);
        same!(u16::from(upsert(&container, json!({"id": "1", "pk": "a", "m": 2})).await?.status()), 200);
        let got = read(&container, "a", "1").await?;
        same!((&got["n"], &got["m"]), (&Value::Null, &json!(2)));
        Ok(())
    });

    checks.works("upsert: another partition key makes another item", |c| async move {
        let container = c.container().await?;
        for key in ["a", "b", "c"] {
            upsert(&container, json!({"id": "1", "pk": key})).await?;
        }
        let keys: Vec<String> = all(&container, "SELECT VALUE c.pk FROM c").await?;
        same!(sorted(keys), ["a", "b", "c"]);
        Ok(())
    });

    checks.works("create: a key that the document does not have is 400", |c| async move {
        let container = c.container().await?;
        raises(container.create_item("b", "1", json!({"id": "1", "pk": "a"}), None).await, 400)?;
        same!(all::<Value>(&container, "SELECT * FROM c").await?.len(), 0);
        Ok(())
    });

    checks.works("replace", |c| async move {
        let container = c.container().await?;
        create(&container, json!({"id": "1", "pk": "a", "n": 1})).await?;
        let before = read(&container, "a", "1").await?;
        container.replace_item("a", "1", json!({"id": "1", "pk": "a", "n": 2}), None).await?;
        let after = read(&container, "a", "1").await?;
        same!((&after["n"], &after["_rid"]), (&json!(2), &before["_rid"]));
        holds!(after["_etag"] != before["_etag"]);
        raises(container.replace_item("a", "2", json!({"id": "2", "pk": "a"}), None).await, 404)?;
        Ok(())
    });

    checks.works("delete", |c| async move {
        let container = c.container().await?;
        create(&container, json!({"id": "1", "pk": "a"})).await?;
        same!(u16::from(container.delete_item("a", "1", None).await?.status()), 204);
        raises(container.delete_item("a", "1", None).await, 404)?;
        raises(read(&container, "a", "1").await, 404)?;
        create(&container, json!({"id": "1", "pk": "a"})).await?;
        Ok(())
    });

    checks.works("if-match: replace, upsert and delete", |c| async move {
        let container = c.container().await?;
        create(&container, json!({"id": "1", "pk": "a"})).await?;
        let old = read(&container, "a", "1").await?["_etag"].as_str().unwrap_or_default().to_string();
        let doc = json!({"id": "1", "pk": "a", "n": 1});
        container.replace_item("a", "1", &doc, if_match(&old)).await?;
        let doc = json!({"id": "1", "pk": "a", "n": 2});
        raises(container.replace_item("a", "1", &doc, if_match(&old)).await, 412)?;
        raises(container.upsert_item("a", "1", &doc, if_match(&old)).await, 412)?;
        raises(container.delete_item("a", "1", if_match(&old)).await, 412)?;
        let got = read(&container, "a", "1").await?;
        same!(got["n"], 1);
        container.delete_item("a", "1", if_match(got["_etag"].as_str().unwrap_or_default())).await?;
        raises(read(&container, "a", "1").await, 404)?;
        Ok(())
    });

    checks.works("if-none-match: a read of an unchanged item is 304", |c| async move {
        let container = c.container().await?;
        create(&container, json!({"id": "1", "pk": "a"})).await?;
        let etag = read(&container, "a", "1").await?["_etag"].as_str().unwrap_or_default().to_string();
        // The SDK may hand out a 304 as an answer or as an error.
        let status = match container.read_item("a", "1", if_none_match(&etag)).await {
            Ok(answer) => u16::from(answer.status()),
            Err(err) => u16::from(err.status()),
        };
        same!(status, 304);
        upsert(&container, json!({"id": "1", "pk": "a", "n": 1})).await?;
        let got: Value = container.read_item("a", "1", if_none_match(&etag)).await?.into_model()?;
        same!(got["n"], 1);
        Ok(())
    });

    checks.works("answers without a body: by default, and on demand with one", |c| async move {
        let container = c.container().await?;
        let doc = json!({"id": "1", "pk": "a", "n": 1});
        let created = container.create_item("a", "1", &doc, None).await?;
        holds!(created.headers().etag().is_some());
        holds!(created.into_body().is_empty(), "the answer to a creation has a body");
        let off =
            OperationOptionsBuilder::new().with_content_response_on_write(ContentResponseOnWrite::Disabled).build();
        let off = ItemWriteOptions::default().with_operation_options(off);
        holds!(container.replace_item("a", "1", &doc, Some(off.clone())).await?.into_body().is_empty());
        holds!(container.upsert_item("a", "1", &doc, Some(off)).await?.into_body().is_empty());
        let got: Value = container.upsert_item("a", "1", &doc, write_with_body()).await?.into_model()?;
        same!(got["n"], 1);
        Ok(())
    });

    checks.works("time to live: of the container and of an item", |c| async move {
        let container = c.container_of("/pk", |p| p.with_default_ttl(TimeToLive::Seconds(1))).await?;
        create(&container, json!({"id": "1", "pk": "a"})).await?;
        create(&container, json!({"id": "2", "pk": "a", "ttl": -1})).await?;
        create(&container, json!({"id": "3", "pk": "a", "ttl": 1000})).await?;
        tokio::time::sleep(Duration::from_millis(2100)).await;
        raises(read(&container, "a", "1").await, 404)?;
        let ids: Vec<String> = all(&container, "SELECT VALUE c.id FROM c").await?;
        same!(sorted(ids), ["2", "3"]);
        create(&container, json!({"id": "1", "pk": "a"})).await?;
        Ok(())
    });

    checks.works("read: what Go wrote, by its stored key", |c| async move {
        let written = c.client.database_client("keys").container_client("measurement", None).await?;
        let docs: Vec<Value> = all(&written, "SELECT * FROM c WHERE STARTSWITH(c.id, 'go-')").await?;
        same!(docs.len(), 9);
        for doc in docs {
            let (key, id) = (crate::fixture::text(&doc["partitionKey"]), crate::fixture::text(&doc["id"]));
            same!(read(&written, key, &id).await?, doc);
        }
        Ok(())
    });

    checks.area("sessions");

    checks.works("session token: another client reads what was written", |c| async move {
        let container = c.container().await?;
        let written = create(&container, json!({"id": "1", "pk": "a"})).await?;
        let token: SessionToken = written.headers().session_token().ok_or("no token")?.clone();
        let id = container.read(None).await?.into_model()?.id;
        let other = connect(&c.connection).await?;
        let other = other.database_client(c.database_id()).container_client(id.into_owned(), None).await?;
        let session =
            OperationOptionsBuilder::new().with_read_consistency_strategy(ReadConsistencyStrategy::Session).build();
        let options = ItemReadOptions::default().with_session_token(token).with_operation_options(session);
        let got: Value = other.read_item("a", "1", Some(options)).await?.into_model()?;
        same!(got["id"], "1");
        Ok(())
    });

    checks.works("session token: of a missing item", |c| async move {
        let container = c.container().await?;
        create(&container, json!({"id": "1", "pk": "a"})).await?;
        let err = raises(container.read_item("a", "2", None).await, 404)?;
        let answer = err.response().ok_or("no answer in the error")?;
        holds!(answer.headers().session_token.is_some(), "session token of a 404");
        holds!(answer.headers().lsn.is_some(), "lsn of a 404");
        Ok(())
    });

    checks.works("session token: the latest of a feed range", |c| async move {
        let container = c.container().await?;
        let range = container.feed_range_from_partition_key("a", None).await?.remove(0);
        let mut pairs = Vec::new();
        for n in 0..3 {
            let written = create(&container, json!({"id": format!("{n}"), "pk": "a"})).await?;
            pairs.push((range.clone(), written.headers().session_token().ok_or("no token")?.clone()));
        }
        same!(container.get_latest_session_token(&pairs, &range)?, pairs[2].1);
        Ok(())
    });
}
