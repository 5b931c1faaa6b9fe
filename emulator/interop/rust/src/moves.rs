//! Checks of what clients see when physical partitions split and merge.

use std::sync::Arc;

use azure_data_cosmos::FeedScope;
use azure_data_cosmos::clients::ContainerClient;
use azure_data_cosmos::models::ThroughputProperties;
use azure_data_cosmos::options::{ChangeFeedStartFrom, ReadFeedRangesOptions};
use futures::{StreamExt, TryStreamExt};
use reqwest::Method;
use serde_json::json;

use crate::explorer::Explorer;
use crate::feeds::{changes, fill, later};
use crate::fixture::{Context, all, numbers, read, scoped, sorted};
use crate::pages::paged;
use crate::runner::{Checks, Failure, Outcome};
use crate::{holds, same};

async fn large(c: &Arc<Context>) -> Result<ContainerClient, Failure> {
    c.provisioned(ThroughputProperties::manual(10_000)).await
}

async fn partitions(container: &ContainerClient) -> Result<usize, Failure> {
    let refreshed = ReadFeedRangesOptions::default().with_force_refresh(true);
    Ok(container.read_feed_ranges(Some(refreshed)).await?.len())
}

/// Raises the throughput so far that the four physical partitions split.
async fn split(container: &ContainerClient) -> Outcome {
    container.begin_replace_throughput(ThroughputProperties::manual(50_000), None).await?.await?;
    Ok(())
}

/// Merges physical partitions, by the explorer of the emulator.
async fn merge(c: &Arc<Context>, container: &ContainerClient, ranges: &[&str]) -> Outcome {
    let id = container.read(None).await?.into_model()?.id;
    let body = json!({"db": c.database_id(), "c": id, "ranges": ranges});
    Explorer::of(c).await?.send(Method::POST, "merge", body).await?;
    Ok(())
}

/// Returns the rows of a query over 60 documents whose partitions split after its first page.
async fn interrupted(c: &Arc<Context>, query: &str) -> Result<Vec<i64>, Failure> {
    let container = large(c).await?;
    fill(&container, 0, 60).await?;
    let mut pages =
        container.query_items::<i64>(query, FeedScope::full_container(), Some(paged(5))).await?.into_pages();
    let mut got = pages.next().await.ok_or("no page")??.into_items();
    split(&container).await?;
    while let Some(page) = pages.next().await {
        got.extend(page?.into_items());
    }
    Ok(got)
}

pub fn add(checks: &mut Checks) {
    checks.area("partitions move");

    checks.works("split: reads, writes and queries continue", |c| async move {
        let container = large(&c).await?;
        fill(&container, 0, 40).await?;
        same!(all::<i64>(&container, "SELECT VALUE c.n FROM c").await?.len(), 40);
        split(&container).await?;
        for n in 0..40 {
            same!(read(&container, format!("p{}", n % 7), &format!("{n}")).await?["n"], n);
        }
        fill(&container, 40, 50).await?;
        same!(all::<i64>(&container, "SELECT VALUE c.n FROM c ORDER BY c.n").await?, numbers(0, 50));
        holds!(partitions(&container).await? > 4);
        Ok(())
    });

    checks.works("split: in the middle of a query, every document once", |c| async move {
        same!(sorted(interrupted(&c, "SELECT VALUE c.n FROM c").await?), numbers(0, 60));
        Ok(())
    });

    checks.works("split: in the middle of ORDER BY, every document once", |c| async move {
        same!(interrupted(&c, "SELECT VALUE c.n FROM c ORDER BY c.n").await?, numbers(0, 60));
        Ok(())
    });

    checks.works("split: a continuation of before", |c| async move {
        for (scope, want) in
            [(FeedScope::partition("p3"), (3..60).step_by(7).collect()), (FeedScope::full_container(), numbers(0, 60))]
        {
            let container = large(&c).await?;
            fill(&container, 0, 60).await?;
            let query = "SELECT VALUE c.n FROM c ORDER BY c.n";
            let mut pages = container.query_items::<i64>(query, scope.clone(), Some(paged(4))).await?.into_pages();
            let mut got = pages.next().await.ok_or("no page")??.into_items();
            let token = pages.to_continuation_token()?;
            split(&container).await?;
            let rest =
                container.query_items::<i64>(query, scope, Some(paged(4).with_continuation_token(token))).await?;
            got.extend(rest.try_collect::<Vec<_>>().await?);
            same!(got, want);
        }
        Ok(())
    });

    checks.works("split: the change feed continues, every change once", |c| async move {
        let container = large(&c).await?;
        fill(&container, 0, 30).await?;
        let (whole, token) = changes(&container, FeedScope::full_container(), ChangeFeedStartFrom::Beginning).await?;
        same!(sorted(whole), numbers(0, 30));
        let mut tokens = Vec::new();
        for range in container.read_feed_ranges(None).await? {
            let scope = FeedScope::range(range);
            tokens.push((scope.clone(), changes(&container, scope, ChangeFeedStartFrom::Beginning).await?.1));
        }
        split(&container).await?;
        fill(&container, 30, 45).await?;
        same!(sorted(later(&container, FeedScope::full_container(), &token).await?.0), numbers(30, 45));
        let mut more = Vec::new();
        for (scope, token) in &tokens {
            more.extend(later(&container, scope.clone(), token).await?.0);
        }
        same!(sorted(more), numbers(30, 45));
        Ok(())
    });

    checks.works("split: feed ranges of before hold their share", |c| async move {
        let container = large(&c).await?;
        fill(&container, 0, 30).await?;
        let ranges = container.read_feed_ranges(None).await?;
        split(&container).await?;
        let mut got = Vec::new();
        for range in ranges {
            got.extend(scoped::<i64>(&container, "SELECT VALUE c.n FROM c", FeedScope::range(range)).await?);
        }
        same!(sorted(got), numbers(0, 30));
        Ok(())
    });

    checks.works("merge: reads, writes and queries continue", |c| async move {
        let container = c.container().await?;
        fill(&container, 0, 40).await?;
        same!(all::<i64>(&container, "SELECT VALUE c.n FROM c ORDER BY c.n").await?.len(), 40);
        merge(&c, &container, &["1", "2"]).await?;
        for n in 0..40 {
            same!(read(&container, format!("p{}", n % 7), &format!("{n}")).await?["n"], n);
        }
        fill(&container, 40, 50).await?;
        same!(all::<i64>(&container, "SELECT VALUE c.n FROM c ORDER BY c.n").await?, numbers(0, 50));
        same!(partitions(&container).await?, 3);
        Ok(())
    });

    checks.works("merge: in the middle of a query, every document once", |c| async move {
        for query in ["SELECT VALUE c.n FROM c", "SELECT VALUE c.n FROM c ORDER BY c.n"] {
            let container = c.container().await?;
            fill(&container, 0, 60).await?;
            let mut pages =
                container.query_items::<i64>(query, FeedScope::full_container(), Some(paged(5))).await?.into_pages();
            let mut got = pages.next().await.ok_or("no page")??.into_items();
            merge(&c, &container, &["0", "1", "2", "3"]).await?;
            while let Some(page) = pages.next().await {
                got.extend(page?.into_items());
            }
            same!((query, sorted(got)), (query, numbers(0, 60)));
        }
        Ok(())
    });

    checks.works("merge: the change feed continues, every change once", |c| async move {
        let container = c.container().await?;
        fill(&container, 0, 30).await?;
        let (whole, token) = changes(&container, FeedScope::full_container(), ChangeFeedStartFrom::Beginning).await?;
        same!(sorted(whole), numbers(0, 30));
        merge(&c, &container, &["0", "1"]).await?;
        fill(&container, 30, 45).await?;
        same!(sorted(later(&container, FeedScope::full_container(), &token).await?.0), numbers(30, 45));
        Ok(())
    });
}
