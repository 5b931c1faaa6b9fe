//! Checks of accounts with two regions.

use azure_data_cosmos::clients::ContainerClient;
use azure_data_cosmos::models::{ContainerProperties, ItemResponse};
use azure_data_cosmos::options::{ExcludedRegions, ItemReadOptions, OperationOptionsBuilder, Region};
use azure_data_cosmos::{FeedScope, RoutingStrategy};
use reqwest::Method;
use serde_json::{Value, json};

use crate::explorer::Explorer;
use crate::fixture::{connect_to, create, database, endpoint, raises, read, scoped, unique, variable};
use crate::runner::{Checks, Failure, Outcome};
use crate::same;

const WEST: Region = Region::WEST_EUROPE;
const NORTH: Region = Region::NORTH_EUROPE;

/// Prefers some regions, in this order.
fn prefer(regions: &[Region]) -> RoutingStrategy {
    RoutingStrategy::PreferredRegions(regions.to_vec())
}

/// An account with two regions, with one container.
struct Account {
    connection: String,
    explorer: Explorer,
    database: String,
}

impl Account {
    /// Returns the account of a variable. A client that prefers the first write region makes
    /// the container: others would send that to the region that they prefer, which refuses it
    /// if there are several write regions, and would then write elsewhere.
    async fn of(name: &str) -> Result<Self, Failure> {
        let connection = variable(name)?;
        let explorer = Explorer::at(&endpoint(&connection)?).await?;
        let id = unique();
        let database = database(&connect_to(&connection, prefer(&[WEST])).await?, &id).await?;
        database.create_container(ContainerProperties::new("c", "/pk".into()), None).await?;
        Ok(Account { connection, explorer, database: id })
    }

    /// Returns the container, as a new client sees it.
    async fn container(&self, routing: RoutingStrategy) -> Result<ContainerClient, Failure> {
        let client = connect_to(&self.connection, routing).await?;
        Ok(client.database_client(&self.database).container_client("c", None).await?)
    }

    /// Changes a region, as by {"online": false}.
    async fn change(&self, region: &Region, mut change: Value) -> Outcome {
        change["name"] = json!(region.display_name());
        self.explorer.send(Method::POST, "regions", change).await?;
        Ok(())
    }

    /// Makes the regions as they were.
    async fn restore(&self) -> Outcome {
        self.explorer.clear().await?;
        for region in [WEST, NORTH] {
            self.change(&region, json!({"online": true})).await?;
        }
        self.change(&WEST, json!({"failover": "planned"})).await
    }
}

/// Runs a check with the account of a variable, and the container of a client that prefers
/// some regions.
async fn with<F>(name: &str, preferred: &[Region], check: F) -> Outcome
where
    F: AsyncFnOnce(&ContainerClient, &Account) -> Outcome,
{
    let account = Account::of(name).await?;
    let done = async { check(&account.container(prefer(preferred)).await?, &account).await }.await;
    account.restore().await?;
    done
}

/// The account with one write region, and the one with two.
const ONE: &str = "COSMOS_REGIONS_CONNECTION_STRING";
const SEVERAL: &str = "COSMOS_WRITE_REGIONS_CONNECTION_STRING";

/// Returns the regions that an operation reached, in their order.
fn regions(answer: &ItemResponse) -> Vec<Region> {
    answer.diagnostics().regions_contacted()
}

/// Returns the regions that a write of an item reached.
async fn write(container: &ContainerClient, id: &str) -> Result<Vec<Region>, Failure> {
    Ok(regions(&create(container, json!({"id": id, "pk": "a"})).await?))
}

/// Returns the regions that a read of item 1 reached.
async fn reached(container: &ContainerClient) -> Result<Vec<Region>, Failure> {
    Ok(regions(&container.read_item("a", "1", None).await?))
}

/// Reads from a region that fails, and from the other one then.
async fn reads_go_on<F>(fail: F) -> Outcome
where
    F: AsyncFnOnce(&Account) -> Outcome,
{
    with(ONE, &[NORTH, WEST], async |container, account| {
        same!(write(container, "1").await?, [WEST]);
        same!(reached(container).await?, [NORTH]);
        fail(account).await?;
        for _ in 0..2 {
            same!(reached(container).await?.pop(), Some(WEST));
        }
        let ids: Vec<String> = scoped(container, "SELECT VALUE c.id FROM c", FeedScope::partition("a")).await?;
        same!(ids, ["1"]);
        Ok(())
    })
    .await
}

pub fn add(checks: &mut Checks) {
    checks.area("regions");

    checks.works("preferred regions", |_| async move {
        with(ONE, &[NORTH, WEST], async |container, account| {
            same!(write(container, "1").await?, [WEST]);
            same!(reached(container).await?, [NORTH]);
            let excluded = ExcludedRegions::new().with_region(NORTH);
            let options = OperationOptionsBuilder::new().with_excluded_regions(excluded).build();
            let options = ItemReadOptions::default().with_operation_options(options);
            same!(regions(&container.read_item("a", "1", Some(options)).await?), [WEST]);
            for near in [NORTH, WEST] {
                let container = account.container(RoutingStrategy::ProximityTo(near.clone())).await?;
                same!(reached(&container).await?, [near]);
            }
            Ok(())
        })
        .await
    });

    checks.works("reads go on while a region is offline", |_| async move {
        reads_go_on(async |account| account.change(&NORTH, json!({"online": false})).await).await
    });

    checks.works("reads go on while a region answers 503", |_| async move {
        let fault = json!({"status": 503, "region": NORTH.display_name()});
        reads_go_on(async |account| account.explorer.fault(fault).await).await
    });

    checks.works("writes follow a planned failover", |_| async move {
        with(ONE, &[WEST, NORTH], async |container, account| {
            same!(write(container, "1").await?, [WEST]);
            account.change(&NORTH, json!({"failover": "planned"})).await?;
            same!(write(container, "2").await?, [WEST, NORTH]);
            same!(write(container, "3").await?, [NORTH]);
            same!(read(container, "a", "2").await?["id"], "2");
            Ok(())
        })
        .await
    });

    // While the lost region refuses connections, the SDK reads the account again only every five
    // minutes. It finds the new write region when the lost one is back and refuses the write.
    checks.works("writes follow a forced failover", |_| async move {
        with(ONE, &[WEST, NORTH], async |container, account| {
            same!(write(container, "1").await?, [WEST]);
            account.change(&NORTH, json!({"failover": "forced"})).await?;
            raises(write(container, "2").await, 503)?;
            account.change(&WEST, json!({"online": true})).await?;
            same!(write(container, "2").await?, [WEST, NORTH]);
            same!(read(container, "a", "1").await?["id"], "1");
            Ok(())
        })
        .await
    });

    checks.works("several write regions", |_| async move {
        with(SEVERAL, &[NORTH, WEST], async |container, account| {
            same!(write(container, "1").await?, [NORTH]);
            same!(reached(container).await?, [NORTH]);
            same!(write(&account.container(prefer(&[WEST])).await?, "2").await?, [WEST]);
            account.change(&NORTH, json!({"online": false})).await?;
            same!(write(container, "3").await?.pop(), Some(WEST));
            same!(read(container, "a", "3").await?["id"], "3");
            Ok(())
        })
        .await
    });
}
