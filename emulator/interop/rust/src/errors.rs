//! Checks of errors.

use std::time::Duration;

use azure_data_cosmos::clients::ContainerClient;
use azure_data_cosmos::models::{ContainerProperties, PartitionKeyDefinition};
use azure_data_cosmos::options::{
    ItemWriteOptions, OperationOptionsBuilder, Precondition, ThrottlingRetryOptionsBuilder,
};
use azure_data_cosmos::{FeedScope, Query};
use serde_json::{Value, json};

use crate::explorer::Explorer;
use crate::fixture::{
    all, connect, connect_by_key, create, database, endpoint, raises, read, scoped, unique, upsert, variable,
};
use crate::runner::{Checks, Failure};
use crate::{holds, same};

/// Returns a container of an account that has 400 RU/s.
pub async fn throttled() -> Result<ContainerClient, Failure> {
    let client = connect(&variable("COSMOS_THROTTLED_CONNECTION_STRING")?).await?;
    let database = database(&client, &unique()).await?;
    database.create_container(ContainerProperties::new("c", "/pk".into()), None).await?;
    Ok(database.container_client("c", None).await?)
}

pub fn add(checks: &mut Checks) {
    checks.area("errors");

    checks.works("400: no items", |c| async move {
        let container = c.container().await?;
        for wrong in [
            json!({"id": "1", "pk": "a", "ttl": "soon"}),
            json!({"id": 1, "pk": "a"}),
            json!({"pk": "a"}),
            json!({"id": "x".repeat(2000), "pk": "a"}),
            json!([{"id": "1", "pk": "a"}]),
        ] {
            raises(container.create_item("a", "1", &wrong, None).await, 400)?;
        }
        let deep = json!({"id": "1", "pk": {"deep": 1}});
        raises(container.create_item("a", "1", &deep, None).await, 400)?;
        same!(all::<Value>(&container, "SELECT * FROM c").await?.len(), 0);
        Ok(())
    });

    checks.works("400: parameters of more than 512 KB", |c| async move {
        let query = Query::from("SELECT * FROM c WHERE c.id = @p").with_parameter("@p", "x".repeat(530_000))?;
        raises(scoped::<Value>(c.people().await?, query, FeedScope::partition("p1")).await, 400)?;
        Ok(())
    });

    checks.works("400: ids of containers that are too long, a path without a slash", |c| async move {
        let long = ContainerProperties::new("x".repeat(256), "/pk".into());
        raises(c.database.create_container(long, None).await, 400)?;
        raises(c.container_of(PartitionKeyDefinition::from("no slash"), |p| p).await, 400)?;
        Ok(())
    });

    checks.works("401: a wrong key", |c| async move {
        let address = endpoint(&c.connection)?;
        let got = match connect_by_key(&address, "d3Jvbmc=").await {
            Ok(client) => client.database_client("none").read(None).await.map(drop).map_err(Failure::from),
            Err(err) => Err(err),
        };
        raises(got, 401)?;
        Ok(())
    });

    checks.works("404: an item, a container, a database", |c| async move {
        let container = c.container().await?;
        raises(read(&container, "a", "none").await, 404)?;
        raises(container.delete_item("a", "none", None).await, 404)?;
        raises(c.database.container_client("none", None).await, 404)?;
        let none = c.client.database_client("none");
        raises(none.create_container(ContainerProperties::new("c", "/pk".into()), None).await, 404)?;
        Ok(())
    });

    checks.works("404: a query of a container that was deleted", |c| async move {
        let container = c.container().await?;
        create(&container, json!({"id": "1", "pk": "a"})).await?;
        same!(all::<Value>(&container, "SELECT * FROM c").await?.len(), 1);
        container.delete(None).await?;
        raises(all::<Value>(&container, "SELECT * FROM c").await, 404)?;
        Ok(())
    });

    checks.works("409: an item that exists", |c| async move {
        let container = c.container().await?;
        create(&container, json!({"id": "1", "pk": "a"})).await?;
        let err = raises(create(&container, json!({"id": "1", "pk": "a"})).await, 409)?;
        holds!(err.is_from_wire() && err.status().is_conflict());
        Ok(())
    });

    checks.works("412: an etag of before", |c| async move {
        let container = c.container().await?;
        create(&container, json!({"id": "1", "pk": "a"})).await?;
        let old = ItemWriteOptions::default().with_precondition(Precondition::if_match("\"no\""));
        let err = raises(container.replace_item("a", "1", json!({"id": "1", "pk": "a"}), Some(old)).await, 412)?;
        holds!(err.status().is_precondition_failed());
        Ok(())
    });

    checks.works("413: a document of 2 MB", |c| async move {
        let container = c.container().await?;
        let two = 2 * 1024 * 1024;
        create(&container, json!({"id": "1", "pk": "a", "text": "x".repeat(two - 1000)})).await?;
        raises(create(&container, json!({"id": "2", "pk": "a", "text": "x".repeat(two)})).await, 413)?;
        Ok(())
    });

    checks.works("429: the SDK waits and repeats", |_| async move {
        let container = throttled().await?;
        let mut repeated = 0;
        for n in 0..20 {
            // About 50 RU each, of 400 RU/s.
            let doc = json!({"id": format!("{n}"), "pk": "a", "text": "x".repeat(100_000)});
            let written = upsert(&container, doc).await?;
            repeated += written.diagnostics().request_count() - 1;
        }
        holds!(repeated > 0, "no request was throttled");
        same!(scoped::<i64>(&container, "SELECT VALUE COUNT(1) FROM c", FeedScope::partition("a")).await?, [20]);
        Ok(())
    });

    checks.works("429: the error when the SDK gives up", |_| async move {
        let container = throttled().await?;
        let never = ThrottlingRetryOptionsBuilder::new()
            .with_max_retry_count(0)
            .with_max_retry_wait_time(Duration::from_secs(1))
            .build();
        let options = ItemWriteOptions::default()
            .with_operation_options(OperationOptionsBuilder::new().with_throttling_retry_options(never).build());
        for n in 0..60 {
            let doc = json!({"id": format!("{n}"), "pk": "a", "text": "x".repeat(100_000)});
            let Err(err) = container.upsert_item("a", &format!("{n}"), &doc, Some(options.clone())).await else {
                continue;
            };
            holds!(err.status().is_throttled(), err);
            same!(err.status().sub_status().map(u16::from), Some(3200));
            let wait = err.response().and_then(|answer| answer.headers().retry_after_ms);
            holds!(wait.is_some_and(|wait| wait > 0), "x-ms-retry-after-ms");
            return Ok(());
        }
        Err("no error".into())
    });

    checks.works("503: the SDK repeats, gives up, and later works again", |c| async move {
        let container = c.container().await?;
        create(&container, json!({"id": "1", "pk": "a"})).await?;
        let explorer = Explorer::of(&c).await?;
        let id = container.read(None).await?.into_model()?.id;
        explorer.fault(json!({"path": format!("/colls/{id}/"), "status": 503})).await?;
        let got = read(&container, "a", "1").await;
        explorer.clear().await?;
        let err = raises(got, 503)?;
        holds!(err.diagnostics().is_some_and(|d| d.request_count() > 1), err);
        same!(read(&container, "a", "1").await?["id"], "1");
        Ok(())
    });

    checks.works("lost answers: of a write that took effect", |c| async move {
        let container = c.container().await?;
        create(&container, json!({"id": "1", "pk": "a", "n": 1})).await?;
        let explorer = Explorer::of(&c).await?;
        let id = container.read(None).await?.into_model()?.id;
        explorer.fault(json!({"path": format!("/colls/{id}/"), "drop": true, "after": true})).await?;
        let got = container.replace_item("a", "1", json!({"id": "1", "pk": "a", "n": 2}), None).await;
        explorer.clear().await?;
        raises(got, 503)?;
        same!(read(&container, "a", "1").await?["n"], 2);
        Ok(())
    });
}
