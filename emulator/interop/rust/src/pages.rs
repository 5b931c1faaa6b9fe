//! Checks of pages, continuations and scopes of queries: every document once.

use std::num::NonZeroU32;

use azure_data_cosmos::FeedScope;
use azure_data_cosmos::clients::ContainerClient;
use azure_data_cosmos::feed::{ContinuationToken, FeedRange};
use azure_data_cosmos::options::{MaxItemCountHint, QueryOptions, QueryPlanMode};
use futures::{StreamExt, TryStreamExt};
use serde_json::{Value, json};

use crate::fixture::{create, numbers, raises, scoped, sorted};
use crate::runner::{Checks, Failure};
use crate::{holds, same};

/// Returns options with a size of pages.
pub fn paged(size: u32) -> QueryOptions {
    let hint = NonZeroU32::new(size).map_or(MaxItemCountHint::ServerDecides, MaxItemCountHint::Limit);
    QueryOptions::default().with_max_item_count(hint)
}

/// Returns the pages of a query.
async fn pages(
    container: &ContainerClient,
    query: &str,
    scope: FeedScope,
    options: QueryOptions,
) -> Result<Vec<Vec<i64>>, Failure> {
    let pages = container.query_items::<i64>(query, scope, Some(options)).await?.into_pages();
    Ok(pages.map_ok(|page| page.into_items()).try_collect().await?)
}

/// Returns the pages of a query, each by a query of its own that resumes by the
/// continuation of the page before.
async fn resumed(
    container: &ContainerClient,
    query: &str,
    scope: FeedScope,
    size: u32,
) -> Result<Vec<Vec<i64>>, Failure> {
    let mut got = Vec::new();
    let mut token: Option<ContinuationToken> = None;
    loop {
        let mut options = paged(size);
        if let Some(token) = token.take() {
            options = options.with_continuation_token(token);
        }
        let mut pages = container.query_items::<i64>(query, scope.clone(), Some(options)).await?.into_pages();
        let Some(page) = pages.next().await else {
            return Ok(got);
        };
        got.push(page?.into_items());
        holds!(got.len() < 200, "no end");
        token = Some(pages.to_continuation_token()?);
    }
}

pub fn add(checks: &mut Checks) {
    checks.area("queries");

    checks.works("pages: every document once, of all partitions", |c| async move {
        for size in [0, 1, 7, 60, 1000] {
            let got =
                pages(c.people().await?, "SELECT VALUE c.n FROM c", FeedScope::full_container(), paged(size)).await?;
            holds!(size == 0 || got.iter().all(|page| page.len() <= size as usize), got);
            same!(sorted(got.concat()), numbers(0, 60));
        }
        Ok(())
    });

    checks.works("pages, ORDER BY, OFFSET LIMIT: none is longer than asked for", |c| async move {
        for (query, want) in [
            ("SELECT VALUE c.n FROM c ORDER BY c.n", numbers(0, 60)),
            ("SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 10 LIMIT 21", numbers(10, 31)),
            ("SELECT TOP 33 VALUE c.n FROM c ORDER BY c.n", numbers(0, 33)),
        ] {
            let got = pages(c.people().await?, query, FeedScope::full_container(), paged(7)).await?;
            holds!(got.iter().all(|page| page.len() <= 7), got);
            same!(got.concat(), want);
        }
        Ok(())
    });

    checks.works("continuation: of one partition key, by new queries", |c| async move {
        let container = c.container().await?;
        for n in 0..25 {
            create(&container, json!({"id": format!("{n}"), "pk": "a", "n": n})).await?;
        }
        let got = resumed(&container, "SELECT VALUE c.n FROM c", FeedScope::partition("a"), 4).await?;
        same!(sorted(got.concat()), numbers(0, 25));
        same!(got.iter().map(Vec::len).max(), Some(4));
        let got =
            resumed(&container, "SELECT VALUE c.n FROM c ORDER BY c.n DESC", FeedScope::partition("a"), 10).await?;
        let mut want = numbers(0, 25);
        want.reverse();
        same!(got.concat(), want);
        Ok(())
    });

    checks.works("continuation: over all partitions, by new queries", |c| async move {
        let got = resumed(c.people().await?, "SELECT VALUE c.n FROM c", FeedScope::full_container(), 7).await?;
        same!(sorted(got.concat()), numbers(0, 60));
        Ok(())
    });

    checks.works("continuation, ORDER BY: over all partitions, by new queries", |c| async move {
        for size in [1, 7, 100] {
            let got =
                resumed(c.people().await?, "SELECT VALUE c.n FROM c ORDER BY c.n", FeedScope::full_container(), size)
                    .await?;
            same!(got.concat(), numbers(0, 60));
        }
        Ok(())
    });

    checks.works("continuation, ORDER BY: equal values, and an absent one", |c| async move {
        for query in ["SELECT VALUE c.n FROM c ORDER BY c.team", "SELECT VALUE c.n FROM c ORDER BY c.age DESC"] {
            let got = resumed(c.people().await?, query, FeedScope::full_container(), 4).await?;
            same!((query, sorted(got.concat())), (query, numbers(0, 60)));
        }
        Ok(())
    });

    checks.works("continuation, ORDER BY several: over all partitions, by new queries", |c| async move {
        let got = resumed(
            c.people().await?,
            "SELECT VALUE c.n FROM c ORDER BY c.team ASC, c.n DESC",
            FeedScope::full_container(),
            7,
        )
        .await?;
        let mut want = numbers(0, 60);
        want.sort_by_key(|&n| (crate::fixture::team(n), -n));
        same!(got.concat(), want);
        Ok(())
    });

    checks.works("continuation, TOP, OFFSET LIMIT: by new queries", |c| async move {
        let got =
            resumed(c.people().await?, "SELECT TOP 33 VALUE c.n FROM c ORDER BY c.n", FeedScope::full_container(), 5)
                .await?;
        same!(got.concat(), numbers(0, 33));
        let got = resumed(
            c.people().await?,
            "SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 10 LIMIT 21",
            FeedScope::full_container(),
            5,
        )
        .await?;
        same!(got.concat(), numbers(10, 31));
        Ok(())
    });

    checks.works("continuation, all partitions: while documents are written", |c| async move {
        let container = c.container().await?;
        for n in 0..20 {
            create(&container, json!({"id": format!("{n:02}"), "pk": format!("p{n}"), "n": n})).await?;
        }
        let query = "SELECT VALUE c.n FROM c ORDER BY c.n";
        let mut first =
            container.query_items::<i64>(query, FeedScope::full_container(), Some(paged(5))).await?.into_pages();
        let mut got = first.next().await.ok_or("no page")??.into_items();
        same!(got, numbers(0, 5));
        let token = first.to_continuation_token()?;
        container.delete_item("p7", "07", None).await?;
        create(&container, json!({"id": "new", "pk": "new", "n": 100})).await?;
        let rest = container
            .query_items::<i64>(query, FeedScope::full_container(), Some(paged(5).with_continuation_token(token)))
            .await?;
        got.extend(rest.try_collect::<Vec<_>>().await?);
        let mut want: Vec<i64> = numbers(0, 20).into_iter().filter(|n| *n != 7).collect();
        want.push(100);
        same!(got, want);
        Ok(())
    });

    checks.works("continuation: one that is none is refused", |c| async move {
        let token = ContinuationToken::from_string("no token".to_string());
        let query = "SELECT VALUE c.n FROM c";
        let options = paged(1).with_continuation_token(token);
        raises(pages(c.people().await?, query, FeedScope::full_container(), options).await, 400)?;
        Ok(())
    });

    checks.works("pages: results of more than 4 MB", |c| async move {
        let container = c.container().await?;
        for n in 0..8 {
            create(&container, json!({"id": format!("{n}"), "pk": "a", "text": "x".repeat(1_000_000)})).await?;
        }
        let pages =
            container.query_items::<Value>("SELECT * FROM c", FeedScope::partition("a"), None).await?.into_pages();
        let got: Vec<usize> = pages.map_ok(|page| page.items().len()).try_collect().await?;
        holds!(got.len() >= 2, got);
        same!(got.iter().sum::<usize>(), 8);
        Ok(())
    });

    checks.works("feed range: each holds its share", |c| async move {
        let people = c.people().await?;
        let mut got = Vec::new();
        for range in people.read_feed_ranges(None).await? {
            let stored: FeedRange = range.to_string().parse()?;
            let share: Vec<i64> = scoped(people, "SELECT VALUE c.n FROM c", FeedScope::range(stored)).await?;
            holds!(!share.is_empty() && share.len() < 60, share);
            got.extend(share);
        }
        same!(sorted(got), numbers(0, 60));
        Ok(())
    });

    checks.works("feed range, ORDER BY: of several physical partitions", |c| async move {
        let people = c.people().await?;
        let ranges = people.read_feed_ranges(None).await?;
        let first = ranges.iter().min_by_key(|r| r.min_inclusive().to_hex()).ok_or("none")?;
        let rest = FeedRange::new(first.max_exclusive().clone(), FeedRange::full().max_exclusive().clone())?;
        let one: Vec<i64> =
            scoped(people, "SELECT VALUE c.n FROM c ORDER BY c.n", FeedScope::range(first.clone())).await?;
        let others: Vec<i64> = scoped(people, "SELECT VALUE c.n FROM c ORDER BY c.n", FeedScope::range(rest)).await?;
        same!(others, sorted(others.clone()));
        same!(sorted([one, others].concat()), numbers(0, 60));
        Ok(())
    });

    checks.works("feed range: the physical partition of a partition key", |c| async move {
        let people = c.people().await?;
        let range = people.feed_range_from_partition_key("p3", None).await?.remove(0);
        let got: Vec<i64> = scoped(people, "SELECT VALUE c.n FROM c", FeedScope::range(range)).await?;
        holds!(got.len() < 60 && [3, 23, 43].iter().all(|n| got.contains(n)), got);
        Ok(())
    });

    checks.works("prefix of a hierarchical key", |c| async move {
        let tenants = c.tenants().await?;
        let query = "SELECT VALUE c.n FROM c";
        let one: Vec<i64> = scoped(tenants, query, FeedScope::partition("t1")).await?;
        same!(sorted(one), (1..36).step_by(3).collect::<Vec<_>>());
        let two: Vec<i64> = scoped(tenants, query, FeedScope::partition(("t1", 0))).await?;
        same!(sorted(two), [4, 16, 28]);
        let whole: Vec<i64> = scoped(tenants, query, FeedScope::partition(("t1", 0, true))).await?;
        same!(sorted(whole), [4, 16, 28]);
        same!(scoped::<i64>(tenants, query, FeedScope::partition("none")).await?.len(), 0);
        Ok(())
    });

    checks.works("prefix of a hierarchical key, ORDER BY, pages, continuation", |c| async move {
        let tenants = c.tenants().await?;
        let query = "SELECT VALUE c.n FROM c ORDER BY c.n DESC";
        let got = resumed(tenants, query, FeedScope::partition("t2"), 5).await?;
        same!(got.concat(), (0..36).rev().step_by(3).collect::<Vec<_>>());
        let got =
            pages(tenants, "SELECT VALUE c.n FROM c WHERE c.tenant = 't0'", FeedScope::full_container(), paged(5))
                .await?;
        same!(sorted(got.concat()), (0..36).step_by(3).collect::<Vec<_>>());
        Ok(())
    });

    checks.works("all partitions, ORDER BY, TOP: by the plan of the service", |c| async move {
        let people = c.people().await?;
        for (query, want) in [
            ("SELECT VALUE c.n FROM c ORDER BY c.n", numbers(0, 60)),
            ("SELECT TOP 5 VALUE c.n FROM c ORDER BY c.n", numbers(0, 5)),
            ("SELECT VALUE c.n FROM c WHERE c.pk = 'p3' ORDER BY c.n", vec![3, 23, 43]),
        ] {
            let options = paged(7).with_query_plan_mode(QueryPlanMode::GatewayOnly);
            let got = pages(people, query, FeedScope::full_container(), options).await?;
            same!((query, got.concat()), (query, want));
        }
        Ok(())
    });

    checks.works("metrics: charges, metrics of the query and of the index", |c| async move {
        let options = paged(20).with_populate_query_metrics(true).with_populate_index_metrics(true);
        let query = "SELECT VALUE c.n FROM c WHERE c.n >= 0";
        let mut pages =
            c.people().await?.query_items::<i64>(query, FeedScope::partition("p1"), Some(options)).await?.into_pages();
        let page = pages.next().await.ok_or("no page")??;
        holds!(page.headers().request_charge().is_some_and(|charge| charge.value() > 0.0));
        same!(page.headers().item_count(), Some(3));
        holds!(page.query_metrics().is_some_and(|text| text.contains("retrievedDocumentCount")), page.query_metrics());
        Ok(())
    });
}
