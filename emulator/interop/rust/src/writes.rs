//! Checks of patches and of batches.

use azure_data_cosmos::TransactionalBatch;
use azure_data_cosmos::clients::ContainerClient;
use azure_data_cosmos::models::{PatchInstructions, PatchOperation};
use azure_data_cosmos::options::{BatchOptions, BatchReplaceOptions, PatchItemOptions, PatchStrategy, Precondition};
use serde_json::{Value, json};

use crate::fixture::{all, create, raises, read, sorted, with_body};
use crate::runner::{Checks, Failure};
use crate::{holds, same};

/// Returns options of a patch that the service applies. The SDK otherwise reads and
/// replaces the document where a repeat could apply an operation twice.
fn by_server() -> PatchItemOptions {
    PatchItemOptions::default().with_strategy(PatchStrategy::ServerSide).with_operation_options(with_body())
}

async fn patch(container: &ContainerClient, operations: Vec<PatchOperation>) -> Result<Value, Failure> {
    let patch = PatchInstructions::from(operations);
    Ok(container.patch_item("a", "1", patch, Some(by_server())).await?.into_model()?)
}

/// Runs a batch, and returns the statuses of its operations.
async fn run(container: &ContainerClient, batch: TransactionalBatch) -> Result<Vec<u16>, Failure> {
    let answer = container.execute_transactional_batch(batch, None).await?.into_model()?;
    Ok(answer.results().iter().map(|r| r.status_code()).collect())
}

pub fn add(checks: &mut Checks) {
    checks.area("patches");

    checks.works("operations: set, add, replace, remove, incr, move", |c| async move {
        let container = c.container().await?;
        create(&container, json!({"id": "1", "pk": "a", "n": 1, "list": [1, 3], "gone": 1, "old": "x"})).await?;
        let mut got = patch(
            &container,
            vec![
                PatchOperation::set("/set", json!({"deep": [null]})),
                PatchOperation::add("/list/1", json!(2)),
                PatchOperation::add("/list/-", json!(4)),
                PatchOperation::replace("/list/0", json!(0)),
                PatchOperation::remove("/gone"),
                PatchOperation::increment("/n", 4),
                PatchOperation::increment("/n", -0.5),
                PatchOperation::move_value("/old", "/new"),
            ],
        )
        .await?;
        same!(got, read(&container, "a", "1").await?);
        if let Some(fields) = got.as_object_mut() {
            fields.retain(|name, _| !name.starts_with('_'));
        }
        same!(got, json!({"id": "1", "pk": "a", "n": 4.5, "list": [0, 2, 3, 4], "set": {"deep": [null]}, "new": "x"}));
        Ok(())
    });

    checks.works("operations: all or none", |c| async move {
        let container = c.container().await?;
        create(&container, json!({"id": "1", "pk": "a", "n": 1})).await?;
        let both = vec![PatchOperation::increment("/n", 1), PatchOperation::remove("/none")];
        raises(patch(&container, both).await, 400)?;
        same!(read(&container, "a", "1").await?["n"], 1);
        Ok(())
    });

    checks.works("operations: not of the key, not of an id, not of a missing item", |c| async move {
        let container = c.container().await?;
        raises(patch(&container, vec![PatchOperation::set("/n", json!(1))]).await, 404)?;
        create(&container, json!({"id": "1", "pk": "a", "n": 1})).await?;
        for path in ["/pk", "/id", "/_ts"] {
            raises(patch(&container, vec![PatchOperation::set(path, json!("b"))]).await, 400)?;
        }
        Ok(())
    });

    checks.works("operations: on an etag", |c| async move {
        let container = c.container().await?;
        create(&container, json!({"id": "1", "pk": "a", "n": 1})).await?;
        let old = crate::fixture::text(&read(&container, "a", "1").await?["_etag"]);
        let on_etag = || Some(by_server().with_precondition(Precondition::if_match(old.clone())));
        let once = || PatchInstructions::from(vec![PatchOperation::set("/n", json!(2))]);
        container.patch_item("a", "1", once(), on_etag()).await?;
        raises(container.patch_item("a", "1", once(), on_etag()).await, 412)?;
        Ok(())
    });

    checks.works("operations: by a read and a replace of the SDK", |c| async move {
        let container = c.container().await?;
        create(&container, json!({"id": "1", "pk": "a", "n": 1})).await?;
        let options = PatchItemOptions::default().with_strategy(PatchStrategy::ClientSide);
        let operations = || PatchInstructions::from(vec![PatchOperation::increment("/n", 1); 12]);
        for round in 1..3 {
            container.patch_item("a", "1", operations(), Some(options.clone())).await?;
            same!(read(&container, "a", "1").await?["n"], 1 + 12 * round);
        }
        Ok(())
    });

    checks.area("batches");

    checks.works("all or nothing: each kind of operation", |c| async move {
        let container = c.container().await?;
        create(&container, json!({"id": "1", "pk": "a", "n": 1})).await?;
        let etag = crate::fixture::text(&read(&container, "a", "1").await?["_etag"]);
        let on_etag = BatchReplaceOptions::default().with_precondition(Precondition::if_match(etag));
        let batch = TransactionalBatch::new("a")
            .create_item(json!({"id": "2", "pk": "a"}))?
            .read_item("1", None)
            .replace_item("1", json!({"id": "1", "pk": "a", "n": 2}), Some(on_etag))?
            .upsert_item(json!({"id": "3", "pk": "a"}), None)?
            .delete_item("2", None);
        let options = BatchOptions::default().with_operation_options(with_body());
        let answer = container.execute_transactional_batch(batch, Some(options)).await?;
        holds!(answer.headers().request_charge().is_some_and(|charge| charge.value() > 0.0));
        let answer = answer.into_model()?;
        let results = answer.results();
        same!(results.iter().map(|r| r.status_code()).collect::<Vec<_>>(), [201, 200, 200, 201, 204]);
        same!(results[1].into_model::<Value>()?.ok_or("no item")?["n"], 1);
        holds!(results[2].etag().is_some());
        same!(read(&container, "a", "1").await?["n"], 2);
        let ids: Vec<String> = all(&container, "SELECT VALUE c.id FROM c").await?;
        same!(sorted(ids), ["1", "3"]);
        Ok(())
    });

    checks.works("all or nothing: a failure undoes all, and says which operation it was", |c| async move {
        let container = c.container().await?;
        create(&container, json!({"id": "1", "pk": "a"})).await?;
        let batch = TransactionalBatch::new("a")
            .create_item(json!({"id": "2", "pk": "a"}))?
            .create_item(json!({"id": "1", "pk": "a"}))?
            .delete_item("1", None);
        same!(run(&container, batch).await?, [424, 409, 424]);
        same!(all::<String>(&container, "SELECT VALUE c.id FROM c").await?, ["1"]);
        Ok(())
    });

    checks.works("all or nothing: an old etag is 412, and a missing item 404", |c| async move {
        let container = c.container().await?;
        create(&container, json!({"id": "1", "pk": "a"})).await?;
        let old = BatchReplaceOptions::default().with_precondition(Precondition::if_match("\"old\""));
        let batch = TransactionalBatch::new("a").upsert_item(json!({"id": "2", "pk": "a"}), None)?.replace_item(
            "1",
            json!({"id": "1", "pk": "a"}),
            Some(old),
        )?;
        same!(run(&container, batch).await?, [424, 412]);
        let batch =
            TransactionalBatch::new("a").upsert_item(json!({"id": "2", "pk": "a"}), None)?.delete_item("none", None);
        same!(run(&container, batch).await?, [424, 404]);
        raises(read(&container, "a", "2").await, 404)?;
        Ok(())
    });

    checks.works("all or nothing: a hundred operations, not more", |c| async move {
        let container = c.container().await?;
        let mut batch = TransactionalBatch::new("a");
        for n in 0..100 {
            batch = batch.create_item(json!({"id": format!("{n}"), "pk": "a"}))?;
        }
        same!(run(&container, batch.clone()).await?, [201; 100]);
        raises(run(&container, batch.read_item("1", None)).await, 400)?;
        Ok(())
    });

    checks.works("all or nothing: a document of another key is 400", |c| async move {
        let container = c.container().await?;
        let batch = TransactionalBatch::new("c").create_item(json!({"id": "1", "pk": "b"}))?;
        same!(run(&container, batch).await?, [400]);
        same!(all::<Value>(&container, "SELECT * FROM c").await?.len(), 0);
        Ok(())
    });

    checks.works("all or nothing: a hierarchical key", |c| async move {
        let container = c.container_of(("/a", "/b"), |p| p).await?;
        let mut batch = TransactionalBatch::new(("x", 1));
        for n in 0..3 {
            batch = batch.create_item(json!({"id": format!("{n}"), "a": "x", "b": 1}))?;
        }
        same!(run(&container, batch).await?, [201; 3]);
        same!(read(&container, ("x", 1), "2").await?["id"], "2");
        Ok(())
    });
}
