//! Checks of the change feed.

use std::num::NonZeroU32;
use std::time::Duration;

use azure_data_cosmos::FeedScope;
use azure_data_cosmos::clients::ContainerClient;
use azure_data_cosmos::feed::ContinuationToken;
use azure_data_cosmos::models::{
    ChangeFeedItem, ChangeFeedOperationType, ContainerProperties, PatchInstructions, PatchOperation,
};
use azure_data_cosmos::options::{ChangeFeedMode, ChangeFeedOptions, ChangeFeedStartFrom, MaxItemCountHint};
use futures::StreamExt;
use serde_json::{Value, json};
use time::OffsetDateTime;

use crate::fixture::{connect, create, database, numbers, raises, sorted, unique, upsert, variable};
use crate::runner::{Checks, Failure, Outcome};
use crate::{holds, same};

/// Creates the documents with n from start up to end, without it.
pub async fn fill(container: &ContainerClient, start: i64, end: i64) -> Outcome {
    for n in start..end {
        create(container, json!({"id": format!("{n}"), "pk": format!("p{}", n % 7), "n": n})).await?;
    }
    Ok(())
}

type Items = Vec<ChangeFeedItem<Value>>;

/// Returns the changes of a scope until each physical partition had none, and the
/// continuation after them.
async fn drain(
    container: &ContainerClient,
    scope: FeedScope,
    start: ChangeFeedStartFrom,
    options: ChangeFeedOptions,
) -> Result<(Items, ContinuationToken), Failure> {
    let mut pages = container.query_change_feed::<Value>(scope, start, Some(options)).await?;
    let (mut got, mut empty) = (Vec::new(), 0);
    for _ in 0..300 {
        let page = pages.next().await.ok_or("the feed ends")??;
        empty = if page.items().is_empty() { empty + 1 } else { 0 };
        got.extend(page.into_items());
        if empty > 8 {
            return Ok((got, pages.to_continuation_token()?));
        }
    }
    Err("no end of changes".into())
}

/// Returns the n of the changes of a scope from a start.
pub async fn changes(
    container: &ContainerClient,
    scope: FeedScope,
    start: ChangeFeedStartFrom,
) -> Result<(Vec<i64>, ContinuationToken), Failure> {
    let (items, token) = drain(container, scope, start, ChangeFeedOptions::default()).await?;
    Ok((ns(&items), token))
}

/// Returns the n of the changes of a scope after a continuation.
pub async fn later(
    container: &ContainerClient,
    scope: FeedScope,
    token: &ContinuationToken,
) -> Result<(Vec<i64>, ContinuationToken), Failure> {
    let token = ContinuationToken::from_string(token.as_str().to_string());
    let options = ChangeFeedOptions::default().with_continuation_token(token);
    let (items, token) = drain(container, scope, ChangeFeedStartFrom::Beginning, options).await?;
    Ok((ns(&items), token))
}

fn ns(items: &Items) -> Vec<i64> {
    items.iter().filter_map(|item| item.current()?["n"].as_i64()).collect()
}

pub fn add(checks: &mut Checks) {
    checks.area("change feed");

    checks.works("beginning, continuation", |c| async move {
        let container = c.container().await?;
        fill(&container, 0, 20).await?;
        let (got, token) = changes(&container, FeedScope::full_container(), ChangeFeedStartFrom::Beginning).await?;
        same!(sorted(got), numbers(0, 20));
        fill(&container, 20, 25).await?;
        let (got, token) = later(&container, FeedScope::full_container(), &token).await?;
        same!(sorted(got), numbers(20, 25));
        let (got, _) = later(&container, FeedScope::full_container(), &token).await?;
        same!(got, numbers(0, 0));
        Ok(())
    });

    checks.works("beginning: in pages of three", |c| async move {
        let container = c.container().await?;
        fill(&container, 0, 25).await?;
        let three = MaxItemCountHint::Limit(NonZeroU32::new(3).ok_or("zero")?);
        let options = ChangeFeedOptions::default().with_max_item_count(three);
        let mut pages = container
            .query_change_feed::<Value>(FeedScope::full_container(), ChangeFeedStartFrom::Beginning, Some(options))
            .await?;
        let mut got = Vec::new();
        for _ in 0..60 {
            let page = pages.next().await.ok_or("the feed ends")??;
            holds!(page.items().len() <= 3, page.items().len());
            got.extend(page.into_items());
        }
        same!(sorted(ns(&got)), numbers(0, 25));
        Ok(())
    });

    checks.works("beginning: the latest version of each item, once", |c| async move {
        let container = c.container().await?;
        fill(&container, 0, 3).await?;
        upsert(&container, json!({"id": "1", "pk": "p1", "n": 100})).await?;
        let patch = PatchInstructions::from(vec![PatchOperation::set("/n", json!(200))]);
        container.patch_item("p2", "2", patch, None).await?;
        container.delete_item("p0", "0", None).await?;
        let (got, _) = changes(&container, FeedScope::full_container(), ChangeFeedStartFrom::Beginning).await?;
        same!(sorted(got), [100, 200]);
        Ok(())
    });

    checks.works("now", |c| async move {
        let container = c.container().await?;
        fill(&container, 0, 5).await?;
        let (got, token) = changes(&container, FeedScope::full_container(), ChangeFeedStartFrom::Now).await?;
        same!(got, numbers(0, 0));
        fill(&container, 5, 8).await?;
        same!(sorted(later(&container, FeedScope::full_container(), &token).await?.0), numbers(5, 8));
        Ok(())
    });

    checks.works("time", |c| async move {
        let container = c.container().await?;
        fill(&container, 0, 4).await?;
        tokio::time::sleep(Duration::from_secs(2)).await;
        let since = OffsetDateTime::now_utc();
        tokio::time::sleep(Duration::from_secs(1)).await;
        fill(&container, 4, 8).await?;
        let (got, _) =
            changes(&container, FeedScope::full_container(), ChangeFeedStartFrom::PointInTime(since)).await?;
        same!(sorted(got), numbers(4, 8));
        Ok(())
    });

    checks.works("partition key, continuation: in the order of writes", |c| async move {
        let container = c.container().await?;
        fill(&container, 0, 21).await?;
        let (got, token) = changes(&container, FeedScope::partition("p3"), ChangeFeedStartFrom::Beginning).await?;
        same!(got, [3, 10, 17]);
        fill(&container, 21, 28).await?;
        same!(later(&container, FeedScope::partition("p3"), &token).await?.0, [24]);
        Ok(())
    });

    checks.works("prefix of a hierarchical key", |c| async move {
        let (got, _) = changes(c.tenants().await?, FeedScope::partition("t1"), ChangeFeedStartFrom::Beginning).await?;
        same!(sorted(got), (1..36).step_by(3).collect::<Vec<_>>());
        Ok(())
    });

    checks.works("feed range, continuation", |c| async move {
        let container = c.container().await?;
        fill(&container, 0, 21).await?;
        let (mut shares, mut tokens) = (Vec::new(), Vec::new());
        for range in container.read_feed_ranges(None).await? {
            let scope = FeedScope::range(range);
            let (got, token) = changes(&container, scope.clone(), ChangeFeedStartFrom::Beginning).await?;
            shares.extend(got);
            tokens.push((scope, token));
        }
        same!(sorted(shares), numbers(0, 21));
        fill(&container, 21, 30).await?;
        let mut more = Vec::new();
        for (scope, token) in &tokens {
            more.extend(later(&container, scope.clone(), token).await?.0);
        }
        same!(sorted(more), numbers(21, 30));
        Ok(())
    });

    checks.works("continuation: one that is none is refused", |c| async move {
        let token = ContinuationToken::from_string("no token".to_string());
        raises(later(&c.container().await?, FeedScope::full_container(), &token).await, 400)?;
        Ok(())
    });

    checks.works("all versions: creations, replacements and deletions from now on", |_| async move {
        let client = connect(&variable("COSMOS_VERSIONS_CONNECTION_STRING")?).await?;
        let database = database(&client, &unique()).await?;
        database.create_container(ContainerProperties::new("c", "/pk".into()), None).await?;
        let container = database.container_client("c", None).await?;
        create(&container, json!({"id": "before", "pk": "a"})).await?;
        let all = ChangeFeedOptions::default().with_mode(ChangeFeedMode::AllVersionsAndDeletes);
        let (got, token) =
            drain(&container, FeedScope::full_container(), ChangeFeedStartFrom::Now, all.clone()).await?;
        same!(got.len(), 0);
        for n in 0..3 {
            upsert(&container, json!({"id": "1", "pk": "a", "n": n})).await?;
        }
        container.delete_item("a", "1", None).await?;
        let options = all.with_continuation_token(token);
        let (got, _) = drain(&container, FeedScope::full_container(), ChangeFeedStartFrom::Now, options).await?;
        use ChangeFeedOperationType::{Create, Delete, Replace};
        let kinds: Vec<_> = got.iter().filter_map(|item| item.operation_type()).collect();
        same!(kinds, [Create, Replace, Replace, Delete]);
        same!(ns(&got), numbers(0, 3));
        same!(got[3].metadata().and_then(|m| m.id()), Some("1"));
        Ok(())
    });

    checks.works("all versions: an account without them refuses with 400", |c| async move {
        let all = ChangeFeedOptions::default().with_mode(ChangeFeedMode::AllVersionsAndDeletes);
        let container = c.container().await?;
        raises(drain(&container, FeedScope::full_container(), ChangeFeedStartFrom::Now, all).await, 400)?;
        Ok(())
    });
}
