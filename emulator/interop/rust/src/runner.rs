//! Runs named checks one after the other, prints ok or FAIL for each, and writes
//! their results as JSON lines.

use std::future::Future;
use std::io::Write;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::FutureExt;
use serde_json::json;

use crate::fixture::Context;

/// Why a check fails.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;
pub type Outcome = Result<(), Failure>;

type Run = Box<dyn Fn(Arc<Context>) -> Pin<Box<dyn Future<Output = Outcome>>>>;

/// A check that waits longer than this fails: a client that reads the same page
/// again and again does not end by itself.
const LIMIT: Duration = Duration::from_secs(90);

struct Check {
    area: &'static str,
    name: &'static str,
    result: &'static str,
    run: Run,
}

#[derive(Default)]
pub struct Checks {
    list: Vec<Check>,
    area: &'static str,
}

impl Checks {
    /// Names the part of the SDK that the next checks use.
    pub fn area(&mut self, name: &'static str) {
        self.area = name;
    }

    /// Adds a check. Its name begins with the operations that it tries, as they are
    /// in interop/operations.txt: "create, read: a detail".
    pub fn works<F, R>(&mut self, name: &'static str, run: F)
    where
        F: Fn(Arc<Context>) -> R + 'static,
        R: Future<Output = Outcome> + 'static,
    {
        self.add(name, "works", run);
    }

    /// Adds a check of an operation that the SDK refuses by itself.
    pub fn not_in_sdk<F, R>(&mut self, name: &'static str, run: F)
    where
        F: Fn(Arc<Context>) -> R + 'static,
        R: Future<Output = Outcome> + 'static,
    {
        self.add(name, "sdk", run);
    }

    fn add<F, R>(&mut self, name: &'static str, result: &'static str, run: F)
    where
        F: Fn(Arc<Context>) -> R + 'static,
        R: Future<Output = Outcome> + 'static,
    {
        let run = Box::new(move |c| Box::pin(run(c)) as Pin<Box<dyn Future<Output = Outcome>>>);
        self.list.push(Check { area: self.area, name, result, run });
    }

    /// Runs the checks whose area and name hold a text, and reports whether all pass.
    pub async fn run(&self, part: &str) -> Result<bool, Failure> {
        let context = Arc::new(Context::new().await?);
        let begin = Instant::now();
        let (mut ran, mut failed) = (0, 0);
        for check in &self.list {
            let name = format!("{}: {}", check.area, check.name);
            if !name.contains(part) {
                continue;
            }
            ran += 1;
            let work = AssertUnwindSafe((check.run)(context.clone())).catch_unwind();
            let failure = match tokio::time::timeout(LIMIT, work).await {
                Ok(Ok(Ok(()))) => None,
                Ok(Ok(Err(err))) => Some(causes(err.as_ref())),
                Ok(Err(_)) => Some("it panics".to_string()),
                Err(_) => Some(format!("no end after {} s", LIMIT.as_secs())),
            };
            match &failure {
                None => println!("ok {name}"),
                Some(err) => {
                    failed += 1;
                    println!("FAIL {name}\n    {}", err.replace('\n', "\n    "));
                }
            }
            record(check, failure)?;
        }
        println!("{} of {ran} checks passed, {:.1} s", ran - failed, begin.elapsed().as_secs_f64());
        Ok(failed == 0 && ran > 0)
    }
}

/// Returns the text of an error and of the errors that caused it.
pub fn causes(err: &dyn std::error::Error) -> String {
    let list = std::iter::successors(Some(err), |err| err.source());
    list.map(|err| err.to_string()).collect::<Vec<_>>().join("\n")
}

/// Adds a line to the results, if a folder for them is given.
fn record(check: &Check, failure: Option<String>) -> Outcome {
    let Ok(folder) = std::env::var("INTEROP_RESULTS") else {
        return Ok(());
    };
    let operations = check.name.split(':').next().unwrap_or_default();
    let mut line = json!({
        "sdk": "rust",
        "area": check.area,
        "operations": operations.split(", ").collect::<Vec<_>>(),
        "check": check.name,
        "result": check.result,
    });
    if let Some(err) = failure {
        line["result"] = json!("fail");
        line["error"] = json!(err);
    }
    let file = std::path::Path::new(&folder).join("rust.jsonl");
    let mut out = std::fs::OpenOptions::new().append(true).create(true).open(file)?;
    writeln!(out, "{line}")?;
    Ok(())
}
