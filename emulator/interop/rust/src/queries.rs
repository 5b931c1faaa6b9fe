//! Checks of queries over four physical partitions.

use std::sync::Arc;

use azure_data_cosmos::{FeedScope, Query};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::fixture::{Context, all, numbers, person, raises, refused, scoped, sorted, team};
use crate::runner::{Checks, Failure};
use crate::{holds, same};

async fn rows<T: DeserializeOwned + Send + 'static>(
    c: &Arc<Context>,
    query: impl Into<Query>,
) -> Result<Vec<T>, Failure> {
    Ok(all(c.people().await?, query).await?)
}

/// Returns the rows of a query of one partition key, whose documents have n 3, 23
/// and 43.
async fn of_key<T: DeserializeOwned + Send + 'static>(c: &Arc<Context>, query: &str) -> Result<Vec<T>, Failure> {
    Ok(scoped(c.people().await?, query, FeedScope::partition("p3")).await?)
}

pub fn add(checks: &mut Checks) {
    checks.area("queries");

    checks.works("all partitions, projection", |c| async move {
        same!(rows::<Value>(&c, "SELECT * FROM c").await?.len(), 60);
        same!(sorted(rows::<i64>(&c, "SELECT VALUE c.n FROM c").await?), numbers(0, 60));
        let query =
            "SELECT c.id, c.address.city AS city, {'n': c.n, 'twice': c.n * 2} AS o, [c.n] AS a FROM c WHERE c.n = 7";
        let got: Vec<Value> = rows(&c, query).await?;
        same!(got, [json!({"id": "d7", "city": "c1", "o": {"n": 7, "twice": 14}, "a": [7]})]);
        Ok(())
    });

    checks.works("projection: an alias in quotes", |c| async move {
        let got: Vec<Value> = rows(&c, "SELECT c.team AS 'Team' FROM c WHERE c.n = 1").await?;
        same!(got, [json!({"Team": "b"})]);
        Ok(())
    });

    checks.works("one partition key", |c| async move {
        same!(of_key::<i64>(&c, "SELECT VALUE c.n FROM c ORDER BY c.n DESC").await?, [43, 23, 3]);
        let none = FeedScope::partition("none");
        same!(scoped::<Value>(c.people().await?, "SELECT * FROM c", none).await?.len(), 0);
        let filtered = rows::<i64>(&c, "SELECT VALUE c.n FROM c WHERE c.pk = 'p3'").await?;
        same!(sorted(filtered), [3, 23, 43]);
        Ok(())
    });

    checks.works("filter: comparisons, IN, BETWEEN, NOT, undefined, null", |c| async move {
        for (condition, want) in [
            ("c.n >= 10 AND c.n < 13", vec![10, 11, 12]),
            ("c.n IN (1, 59, 100)", vec![1, 59]),
            ("c.n BETWEEN 5 AND 7", vec![5, 6, 7]),
            ("NOT (c.n > 1)", vec![0, 1]),
            ("c.age = null", vec![]),
            ("NOT IS_DEFINED(c.age)", vec![0, 10, 20, 30, 40, 50]),
            ("c.team = 'a' AND c.n < 10 OR c.n = 11", vec![0, 4, 8, 11]),
            ("c.address.city != 'c0' AND c.n < 4", vec![1, 3]),
            ("c['address']['no'] = 5", vec![5]),
            ("c.n % 20 = 1 AND c.n / 2 > 20", vec![41]),
            ("(c.n = 3 ? true : false)", vec![3]),
            ("(c.nothing ?? c.n) = 4", vec![4]),
            ("c.id LIKE 'd1_' AND c.n > 17", vec![18, 19]),
            ("(c.team || c.id) = 'bd1'", vec![1]),
        ] {
            let got = sorted(rows::<i64>(&c, format!("SELECT VALUE c.n FROM c WHERE {condition}")).await?);
            same!((condition, got), (condition, want));
        }
        Ok(())
    });

    checks.works("functions", |c| async move {
        for (condition, want) in [
            ("STARTSWITH(c.id, 'd5') AND LENGTH(c.id) = 2", vec![5]),
            ("CONTAINS(UPPER(c.id), 'D58')", vec![58]),
            ("ARRAY_CONTAINS(c.tags, 4) AND c.n < 10", vec![4, 9]),
            ("ARRAY_LENGTH(c.tags) = 2 AND c.n < 1", vec![0]),
            ("IS_NUMBER(c.n) AND ABS(c.n - 30) < 2", vec![29, 30, 31]),
            ("ENDSWITH(c.pk, '19') AND IS_STRING(c.pk)", vec![19, 39, 59]),
            ("REGEXMATCH(c.id, '^d1?7$')", vec![7, 17]),
            ("IS_OBJECT(c.address) AND FLOOR(c.n / 10) = 5 AND c.n > 57", vec![58, 59]),
        ] {
            let got = sorted(rows::<i64>(&c, format!("SELECT VALUE c.n FROM c WHERE {condition}")).await?);
            same!((condition, got), (condition, want));
        }
        Ok(())
    });

    checks.works("parameters: of all types, and hostile texts", |c| async move {
        let query =
            "SELECT VALUE c.n FROM c WHERE c.n < @n AND ARRAY_CONTAINS(@teams, c.team) AND c.address = @address";
        let query = Query::from(query)
            .with_parameter("@n", 3.5)?
            .with_parameter("@teams", ["b", "c"])?
            .with_parameter("@address", json!({"city": "c1", "no": 1}))?;
        same!(rows::<i64>(&c, query).await?, [1]);
        for text in ["' OR 1=1 --", "\" OR true", "@n", "é日本🙂", "\\", "\u{0}"] {
            let query =
                Query::from("SELECT VALUE @t FROM c WHERE c.id = 'd1' AND c.id != @t").with_parameter("@t", text)?;
            same!(rows::<String>(&c, query).await?, [text]);
        }
        let query = Query::from("SELECT VALUE c.n FROM c WHERE c.pk = @pk").with_parameter("@pk", "p7")?;
        same!(sorted(rows::<i64>(&c, query).await?), [7, 27, 47]);
        Ok(())
    });

    checks.works("ORDER BY", |c| async move {
        same!(rows::<i64>(&c, "SELECT VALUE c.n FROM c ORDER BY c.n").await?, numbers(0, 60));
        for query in ["SELECT c.n FROM c ORDER BY c.n ASC", "SELECT * FROM c ORDER BY c.address.no"] {
            let got: Vec<Value> = rows(&c, query).await?;
            same!(got.iter().filter_map(|d| d["n"].as_i64()).collect::<Vec<_>>(), numbers(0, 60));
        }
        Ok(())
    });

    checks.works("ORDER BY DESC", |c| async move {
        let mut want = numbers(0, 60);
        want.reverse();
        same!(rows::<i64>(&c, "SELECT VALUE c.n FROM c ORDER BY c.n DESC").await?, want);
        let mut ids = sorted((0..60).map(|n| format!("d{n}")));
        ids.reverse();
        same!(rows::<String>(&c, "SELECT VALUE c.id FROM c ORDER BY c.id DESC").await?, ids);
        Ok(())
    });

    checks.works("ORDER BY: a filter, and equal values", |c| async move {
        let got: Vec<i64> = rows(&c, "SELECT VALUE c.n FROM c WHERE c.age >= 0 ORDER BY c.age").await?;
        same!(sorted(got.clone()), numbers(0, 60).into_iter().filter(|n| n % 10 != 0).collect::<Vec<_>>());
        let ages: Vec<i64> = got.iter().filter_map(|&n| person(n)["age"].as_i64()).collect();
        same!(ages, sorted(ages.clone()));
        Ok(())
    });

    checks.works("ORDER BY: an absent property comes first", |c| async move {
        let got: Vec<i64> = rows(&c, "SELECT VALUE c.n FROM c ORDER BY c.age").await?;
        same!(got.len(), 60);
        holds!(got[..6].iter().all(|n| n % 10 == 0), got);
        Ok(())
    });

    checks.works("ORDER BY several", |c| async move {
        let got: Vec<Value> = rows(&c, "SELECT c.team, c.n FROM c ORDER BY c.team ASC, c.n DESC").await?;
        let mut want = numbers(0, 60);
        want.sort_by_key(|&n| (team(n), -n));
        same!(got.iter().filter_map(|r| r["n"].as_i64()).collect::<Vec<_>>(), want);
        // No composite index has this order.
        raises(rows::<Value>(&c, "SELECT * FROM c ORDER BY c.n ASC, c.team ASC").await, 400)?;
        Ok(())
    });

    checks.works("TOP", |c| async move {
        same!(rows::<i64>(&c, "SELECT TOP 3 VALUE c.n FROM c ORDER BY c.n DESC").await?, [59, 58, 57]);
        same!(rows::<Value>(&c, "SELECT TOP 7 * FROM c").await?.len(), 7);
        let query = Query::from("SELECT TOP @n VALUE c.n FROM c ORDER BY c.n").with_parameter("@n", 2)?;
        same!(rows::<i64>(&c, query).await?, [0, 1]);
        same!(rows::<Value>(&c, "SELECT TOP 0 * FROM c").await?.len(), 0);
        Ok(())
    });

    checks.works("OFFSET LIMIT", |c| async move {
        same!(rows::<i64>(&c, "SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 5 LIMIT 3").await?, [5, 6, 7]);
        same!(rows::<i64>(&c, "SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 58 LIMIT 10").await?, [58, 59]);
        same!(rows::<Value>(&c, "SELECT * FROM c OFFSET 10 LIMIT 20").await?.len(), 20);
        same!(rows::<Value>(&c, "SELECT * FROM c OFFSET 100 LIMIT 20").await?.len(), 0);
        Ok(())
    });

    checks.works("DISTINCT", |c| async move {
        let got = rows::<String>(&c, "SELECT DISTINCT VALUE c.team FROM c ORDER BY c.team DESC").await?;
        same!(got, ["d", "c", "b", "a"]);
        let got = rows::<String>(&c, "SELECT DISTINCT TOP 10 VALUE c.team FROM c").await?;
        same!(sorted(got), ["a", "b", "c", "d"]);
        let got = rows::<Value>(&c, "SELECT DISTINCT c.team, c.address.city FROM c OFFSET 0 LIMIT 50").await?;
        same!(got.len(), 4);
        Ok(())
    });

    checks.works("DISTINCT: without a bound, the SDK refuses it", |c| async move {
        refused(rows::<String>(&c, "SELECT DISTINCT VALUE c.team FROM c").await, "400")
    });

    for (name, query) in [
        ("COUNT: over all partitions", "SELECT VALUE COUNT(1) FROM c"),
        ("SUM: over all partitions", "SELECT VALUE SUM(c.n) FROM c"),
        ("AVG: over all partitions", "SELECT VALUE AVG(c.n) FROM c"),
        ("MIN: over all partitions", "SELECT VALUE MIN(c.n) FROM c"),
        ("MAX: over all partitions", "SELECT VALUE MAX(c.n) FROM c"),
        ("GROUP BY: over all partitions", "SELECT c.team, COUNT(1) AS n FROM c GROUP BY c.team"),
    ] {
        checks.not_in_sdk(name, move |c| async move {
            // The SDK declares what it can combine, and the service refuses the rest.
            refused(rows::<Value>(&c, query).await, "400")
        });
    }

    checks.works("aggregates of one partition key", |c| async move {
        for (query, want) in [
            ("SELECT VALUE COUNT(1) FROM c", json!(3)),
            ("SELECT VALUE COUNT(1) FROM c WHERE c.n > 100", json!(0)),
            ("SELECT VALUE SUM(c.n) FROM c", json!(69)),
            ("SELECT VALUE AVG(c.n) FROM c", json!(23)),
            ("SELECT VALUE MIN(c.n) FROM c", json!(3)),
            ("SELECT VALUE MAX(c.id) FROM c", json!("d43")),
        ] {
            let got: Vec<Value> = of_key(&c, query).await?;
            same!(got.len(), 1);
            let equal = got[0] == want || (got[0].is_number() && got[0].as_f64() == want.as_f64());
            holds!(equal, (query, got));
        }
        Ok(())
    });

    checks.works("GROUP BY of one partition key", |c| async move {
        let got: Vec<Value> =
            of_key(&c, "SELECT c.team, COUNT(1) AS n, MAX(c.n) AS most FROM c GROUP BY c.team").await?;
        same!(got, [json!({"team": "d", "n": 3, "most": 43})]);
        Ok(())
    });

    checks.works("JOIN", |c| async move {
        let query = "SELECT c.n, t FROM c JOIN t IN c.tags WHERE c.n < 2 ORDER BY c.n";
        let got: Vec<Value> = rows(&c, query).await?;
        same!(
            got,
            [json!({"n": 0, "t": 0}), json!({"n": 0, "t": 0}), json!({"n": 1, "t": 1}), json!({"n": 1, "t": 1})]
        );
        same!(rows::<i64>(&c, "SELECT VALUE t FROM t IN c.tags").await?.len(), 120);
        Ok(())
    });

    checks.works("subquery: EXISTS, ARRAY, a scalar, and in FROM", |c| async move {
        for (query, want) in [
            ("SELECT VALUE c.n FROM c WHERE EXISTS(SELECT VALUE t FROM t IN c.tags WHERE t = 4) AND c.n = 9", json!(9)),
            ("SELECT VALUE ARRAY(SELECT VALUE t + 1 FROM t IN c.tags) FROM c WHERE c.n = 4", json!([2, 5])),
            ("SELECT VALUE (SELECT VALUE COUNT(1) FROM t IN c.tags) FROM c WHERE c.n = 1", json!(2)),
            ("SELECT VALUE s.m FROM (SELECT c.n AS m FROM c WHERE c.n > 58) AS s", json!(59)),
            ("SELECT VALUE twice FROM c JOIN (SELECT VALUE c.n * 2) AS twice WHERE c.n = 21", json!(42)),
        ] {
            let got: Vec<Value> = rows(&c, query).await?;
            same!((query, got), (query, vec![want]));
        }
        Ok(())
    });

    checks.works("filter: a wrong query is 400", |c| async move {
        for query in [
            "SELECT",
            "SELECT * FROM c WHERE",
            "SELECT * FROM c WHERE NOFUNCTION(c.n)",
            "DELETE FROM c",
            "SELECT c.n, FROM c",
        ] {
            raises(rows::<Value>(&c, query).await, 400)?;
            raises(of_key::<Value>(&c, query).await, 400)?;
        }
        Ok(())
    });
}
