//! What checks share: clients, fresh containers, one with documents, expectations.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use azure_data_cosmos::clients::{ContainerClient, CosmosClient, DatabaseClient};
use azure_data_cosmos::feed::FeedScope;
use azure_data_cosmos::models::{
    CompositeIndex, CompositeIndexOrder, CompositeIndexProperty, ContainerProperties, IndexingMode, IndexingPolicy,
    ItemResponse, PartitionKeyDefinition, ThroughputProperties,
};
use azure_data_cosmos::options::{
    ContentResponseOnWrite, CreateContainerOptions, ItemWriteOptions, OperationOptions, OperationOptionsBuilder, Region,
};
use azure_data_cosmos::{AccountReference, CosmosError, PartitionKey, Query, RoutingStrategy};
use futures::TryStreamExt;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::OnceCell;

use crate::runner::{Failure, Outcome};

/// Fails a check unless two values are equal.
#[macro_export]
macro_rules! same {
    ($got:expr, $want:expr) => {{
        let (got, want) = (&$got, &$want);
        if got != want {
            let text = format!("{}:{}: got {got:.400?}, want {want:.400?}", file!(), line!());
            return Err(text.chars().take(1000).collect::<String>().into());
        }
    }};
}

/// Fails a check unless a condition holds.
#[macro_export]
macro_rules! holds {
    ($condition:expr) => {
        $crate::holds!($condition, stringify!($condition))
    };
    ($condition:expr, $what:expr) => {
        if !$condition {
            return Err(format!("{}:{}: does not hold: {:.400?}", file!(), line!(), $what).into());
        }
    };
}

/// The account under test. A container has four physical partitions.
pub struct Context {
    pub client: CosmosClient,
    pub connection: String,
    pub database: DatabaseClient,
    numbers: AtomicU32,
    people: OnceCell<ContainerClient>,
    tenants: OnceCell<ContainerClient>,
}

impl Context {
    pub async fn new() -> Result<Self, Failure> {
        let connection = variable("COSMOS_CONNECTION_STRING")?;
        let client = connect(&connection).await?;
        let database = database(&client, &unique()).await?;
        Ok(Context {
            client,
            connection,
            database,
            numbers: AtomicU32::new(1),
            people: OnceCell::new(),
            tenants: OnceCell::new(),
        })
    }

    /// Returns the id of the database.
    pub fn database_id(&self) -> String {
        self.database.name().unwrap_or_default().to_string()
    }

    /// Returns an id that is not in use.
    pub fn name(&self) -> String {
        format!("rust-{}", self.numbers.fetch_add(1, Ordering::Relaxed))
    }

    /// Creates an empty container with the key /pk.
    pub async fn container(&self) -> Result<ContainerClient, Failure> {
        self.container_of("/pk", |p| p).await
    }

    /// Creates an empty container with a key and other properties.
    pub async fn container_of(
        &self,
        key: impl Into<PartitionKeyDefinition>,
        change: impl FnOnce(ContainerProperties) -> ContainerProperties,
    ) -> Result<ContainerClient, Failure> {
        let id = self.name();
        let properties = change(ContainerProperties::new(id.clone(), key.into()));
        self.database.create_container(properties, None).await?;
        Ok(self.database.container_client(id, None).await?)
    }

    /// Creates an empty container with the key /pk and a throughput.
    pub async fn provisioned(&self, throughput: ThroughputProperties) -> Result<ContainerClient, Failure> {
        let id = self.name();
        let options = CreateContainerOptions::default().with_throughput(throughput);
        let properties = ContainerProperties::new(id.clone(), "/pk".into());
        self.database.create_container(properties, Some(options)).await?;
        Ok(self.database.container_client(id, None).await?)
    }

    /// Returns a container of 60 documents over 20 partition keys, made once: those
    /// of person. It is only read.
    pub async fn people(&self) -> Result<&ContainerClient, Failure> {
        self.people
            .get_or_try_init(|| async {
                let index = CompositeIndex::default()
                    .with_property(CompositeIndexProperty::new("/team", CompositeIndexOrder::Ascending))
                    .with_property(CompositeIndexProperty::new("/n", CompositeIndexOrder::Descending));
                let mut policy = IndexingPolicy::default()
                    .with_indexing_mode(IndexingMode::Consistent)
                    .with_included_path("/*")
                    .with_composite_index(index);
                policy.automatic = true;
                let people = self.container_of("/pk", |p| p.with_indexing_policy(policy)).await?;
                for n in 0..60 {
                    create(&people, person(n)).await?;
                }
                Ok(people)
            })
            .await
    }

    /// Returns a container with a hierarchical key of three levels and 36 documents,
    /// made once. It is only read.
    pub async fn tenants(&self) -> Result<&ContainerClient, Failure> {
        self.tenants
            .get_or_try_init(|| async {
                let tenants = self.container_of(("/tenant", "/user", "/session"), |p| p).await?;
                for n in 0..36 {
                    let (tenant, user, session) = (format!("t{}", n % 3), n % 4, n % 2 == 0);
                    let doc =
                        json!({"id": format!("d{n}"), "tenant": tenant, "user": user, "session": session, "n": n});
                    tenants.create_item((tenant, user, session), &format!("d{n}"), &doc, None).await?;
                }
                Ok(tenants)
            })
            .await
    }
}

/// Returns document n of the people: n from 0 to 59, a team of four, an age for all
/// but each tenth, a list of tags, and an address.
pub fn person(n: i64) -> Value {
    let mut doc = json!({
        "id": format!("d{n}"), "pk": format!("p{}", n % 20), "n": n, "team": team(n),
        "tags": [n % 3, n % 5], "address": {"city": format!("c{}", n % 2), "no": n},
    });
    if n % 10 != 0 {
        doc["age"] = json!(n * 7 % 50);
    }
    doc
}

/// Returns the team of document n of the people.
pub fn team(n: i64) -> &'static str {
    ["a", "b", "c", "d"][n as usize % 4]
}

/// Connects to the account of a connection string. The SDK trusts the certificates
/// of the file that SSL_CERT_FILE names.
pub async fn connect(connection: &str) -> Result<CosmosClient, Failure> {
    connect_by_key(&endpoint(connection)?, part(connection, "AccountKey")?).await
}

/// Connects to the account of a connection string by a strategy for its regions.
pub async fn connect_to(connection: &str, routing: RoutingStrategy) -> Result<CosmosClient, Failure> {
    build(&endpoint(connection)?, part(connection, "AccountKey")?, routing).await
}

pub async fn connect_by_key(endpoint: &str, key: &str) -> Result<CosmosClient, Failure> {
    build(endpoint, key, RoutingStrategy::PreferredRegions(vec![Region::EAST_US])).await
}

async fn build(endpoint: &str, key: &str, routing: RoutingStrategy) -> Result<CosmosClient, Failure> {
    let account = AccountReference::with_authentication_key(endpoint.parse()?, key.to_string());
    Ok(CosmosClient::builder().build(account, routing).await?)
}

/// Returns the address of the account of a connection string.
pub fn endpoint(connection: &str) -> Result<String, Failure> {
    Ok(part(connection, "AccountEndpoint")?.to_string())
}

fn part<'a>(connection: &'a str, name: &str) -> Result<&'a str, Failure> {
    let mut parts = connection.split(';').filter_map(|p| p.split_once('='));
    let found = parts.find(|(n, _)| *n == name);
    Ok(found.ok_or_else(|| format!("no {name} in {connection}"))?.1)
}

pub fn variable(name: &str) -> Result<String, Failure> {
    std::env::var(name).map_err(|_| format!("{name} is not set: run emulator/interop/run.sh rust").into())
}

/// Returns a name that no other run uses.
pub fn unique() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("rust-{}", now.as_nanos())
}

/// Creates a database.
pub async fn database(client: &CosmosClient, id: &str) -> Result<DatabaseClient, Failure> {
    client.create_database(id, None).await?;
    Ok(client.database_client(id))
}

/// Creates a document whose partition key is the text pk.
pub async fn create(container: &ContainerClient, doc: Value) -> Result<ItemResponse, CosmosError> {
    container.create_item(text(&doc["pk"]), &text(&doc["id"]), &doc, None).await
}

/// Stores a document whose partition key is the text pk.
pub async fn upsert(container: &ContainerClient, doc: Value) -> Result<ItemResponse, CosmosError> {
    container.upsert_item(text(&doc["pk"]), &text(&doc["id"]), &doc, None).await
}

/// Reads a document.
pub async fn read(container: &ContainerClient, key: impl Into<PartitionKey>, id: &str) -> Result<Value, CosmosError> {
    container.read_item(key, id, None).await?.into_model()
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_string()
}

/// Returns options that ask for the stored document in the answer to a write, which
/// the SDK omits otherwise.
pub fn with_body() -> OperationOptions {
    OperationOptionsBuilder::new().with_content_response_on_write(ContentResponseOnWrite::Enabled).build()
}

pub fn write_with_body() -> Option<ItemWriteOptions> {
    Some(ItemWriteOptions::default().with_operation_options(with_body()))
}

/// Returns all rows of a query over all partitions.
pub async fn all<T: DeserializeOwned + Send + 'static>(
    container: &ContainerClient,
    query: impl Into<Query>,
) -> Result<Vec<T>, CosmosError> {
    scoped(container, query, FeedScope::full_container()).await
}

/// Returns all rows of a query in a scope.
pub async fn scoped<T: DeserializeOwned + Send + 'static>(
    container: &ContainerClient,
    query: impl Into<Query>,
    scope: FeedScope,
) -> Result<Vec<T>, CosmosError> {
    container.query_items(query, scope, None).await?.try_collect().await
}

/// Returns a list in ascending order.
pub fn sorted<T: Ord>(list: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut list: Vec<T> = list.into_iter().collect();
    list.sort();
    list
}

/// Returns the numbers from start up to end, without it.
pub fn numbers(start: i64, end: i64) -> Vec<i64> {
    (start..end).collect()
}

/// Expects an error of the service with a status, and returns it.
#[track_caller]
pub fn raises<T, E: Into<Failure>>(got: Result<T, E>, status: u16) -> Result<CosmosError, Failure> {
    let line = std::panic::Location::caller();
    let Err(err) = got else {
        return Err(format!("{line}: no error, want {status}").into());
    };
    let err = err.into().downcast::<CosmosError>()?;
    if u16::from(err.status()) != status {
        return Err(format!("{line}: want {status}, got: {err}").into());
    }
    Ok(*err)
}

/// Expects an error that the SDK made without asking the service.
#[track_caller]
pub fn refused<T, E: Into<Failure>>(got: Result<T, E>, text: &str) -> Outcome {
    let line = std::panic::Location::caller();
    let Err(err) = got else {
        return Err(format!("{line}: no error: the SDK has it now, check it").into());
    };
    let err = err.into().to_string();
    if !err.contains(text) {
        return Err(format!("{line}: not in the error: {text}\n{err}").into());
    }
    Ok(())
}
