//! The checks of the SDK for Rust against the emulator.
//!
//! Run by interop/run.sh, or: COSMOS_CONNECTION_STRING=... interop [part of a name]

mod clients;
mod errors;
mod explorer;
mod feeds;
mod fixture;
mod items;
mod keys;
mod moves;
mod pages;
mod queries;
mod regions;
mod resources;
mod runner;
mod throughput;
mod writes;

use std::process::ExitCode;

#[tokio::main(worker_threads = 2)]
async fn main() -> ExitCode {
    let mut checks = runner::Checks::default();
    resources::add(&mut checks);
    throughput::add(&mut checks);
    items::add(&mut checks);
    keys::add(&mut checks);
    writes::add(&mut checks);
    queries::add(&mut checks);
    pages::add(&mut checks);
    feeds::add(&mut checks);
    moves::add(&mut checks);
    regions::add(&mut checks);
    errors::add(&mut checks);
    clients::add(&mut checks);
    let part = std::env::args().nth(1).unwrap_or_default();
    match checks.run(&part).await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(err) => {
            println!("FAIL: {}", runner::causes(err.as_ref()));
            ExitCode::FAILURE
        }
    }
}
