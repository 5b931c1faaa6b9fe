//! Checks of clients: over plain HTTP, in parallel.

use futures::future::try_join_all;
use serde_json::{Value, json};

use azure_data_cosmos::FeedScope;
use azure_data_cosmos::options::{ItemWriteOptions, Precondition};

use crate::errors::throttled;
use crate::fixture::{all, create, read, scoped, sorted, text};
use crate::runner::{Checks, Failure};
use crate::same;

pub fn add(checks: &mut Checks) {
    checks.area("clients");

    checks.works("over plain HTTP, asynchronous", |_| async move {
        let container = throttled().await?;
        create(&container, json!({"id": "1", "pk": "a"})).await?;
        same!(read(&container, "a", "1").await?["pk"], "a");
        same!(all::<Value>(&container, "SELECT * FROM c").await?.len(), 1);
        Ok(())
    });

    checks.works("parallel: ten tasks write and read", |c| async move {
        let container = c.container().await?;
        let tasks = (0..10).map(|task| {
            let container = container.clone();
            tokio::spawn(async move {
                let key = format!("{task}");
                for n in 0..20 {
                    create(&container, json!({"id": format!("{task}-{n}"), "pk": key})).await?;
                    read(&container, key.clone(), &format!("{task}-{n}")).await?;
                }
                let found: Vec<Value> = scoped(&container, "SELECT * FROM c", FeedScope::partition(key)).await?;
                Ok::<usize, Failure>(found.len())
            })
        });
        let found: Vec<usize> = try_join_all(tasks).await?.into_iter().collect::<Result<_, _>>()?;
        same!(found, [20; 10]);
        let ids: Vec<String> = all(&container, "SELECT VALUE c.id FROM c").await?;
        let mut once = sorted(ids);
        once.dedup();
        same!(once.len(), 200);
        Ok(())
    });

    checks.works("parallel: ten tasks compete for one item by its etag", |c| async move {
        let container = c.container().await?;
        create(&container, json!({"id": "1", "pk": "a", "n": 0})).await?;
        let tasks = (0..10).map(|_| {
            let container = container.clone();
            tokio::spawn(async move {
                for _ in 0..5 {
                    loop {
                        let mut doc = read(&container, "a", "1").await?;
                        doc["n"] = json!(doc["n"].as_i64().unwrap_or(0) + 1);
                        let on_etag = Precondition::if_match(text(&doc["_etag"]));
                        let options = ItemWriteOptions::default().with_precondition(on_etag);
                        match container.replace_item("a", "1", &doc, Some(options)).await {
                            Ok(_) => break,
                            Err(err) if err.status().is_precondition_failed() => {}
                            Err(err) => return Err(Failure::from(err)),
                        }
                    }
                }
                Ok::<(), Failure>(())
            })
        });
        for done in try_join_all(tasks).await? {
            done?;
        }
        same!(read(&container, "a", "1").await?["n"], 50);
        Ok(())
    });
}
