//! Checks of the account, databases and containers.

use azure_data_cosmos::Query;
use azure_data_cosmos::models::{
    CompositeIndex, CompositeIndexOrder, CompositeIndexProperty, ContainerProperties, DatabaseProperties, IndexingMode,
    IndexingPolicy, PartitionKeyDefinition, PartitionKeyKind, PartitionKeyVersion, PropertyPath, TimeToLive, UniqueKey,
    UniqueKeyPolicy,
};
use azure_data_cosmos::options::ReadFeedRangesOptions;
use azure_data_cosmos::{FeedScope, ResourceId};
use futures::TryStreamExt;
use serde_json::{Value, json};

use crate::fixture::{all, create, database, raises, read, refused, sorted, unique};
use crate::runner::Checks;
use crate::{holds, same};

pub fn add(checks: &mut Checks) {
    checks.area("databases");

    checks.works("create, read, delete", |c| async move {
        let id = unique();
        let created: DatabaseProperties = c.client.create_database(&id, None).await?.into_model()?;
        same!(created.id.as_deref(), Some(id.as_str()));
        let database = c.client.database_client(id.as_str());
        let read = database.read(None).await?.into_model()?;
        same!(read.id, created.id);
        let system = read.system_properties;
        holds!(system.etag.is_some() && system.self_link.is_some() && system.last_modified.is_some());
        same!(system.resource_id, created.system_properties.resource_id);
        database.delete(None).await?;
        raises(database.read(None).await, 404)?;
        Ok(())
    });

    checks.works("create: twice is 409", |c| async move {
        raises(c.client.create_database(&c.database_id(), None).await, 409)?;
        Ok(())
    });

    checks.works("delete: a missing one is 404", |c| async move {
        raises(c.client.database_client("rust-none").delete(None).await, 404)?;
        Ok(())
    });

    checks.works("query: with a parameter", |c| async move {
        let query = Query::from("SELECT * FROM root r WHERE r.id = @id").with_parameter("@id", c.database_id())?;
        let found: Vec<DatabaseProperties> = c.client.query_databases(query, None).await?.try_collect().await?;
        same!(found.len(), 1);
        same!(found[0].id, Some(c.database_id()));
        Ok(())
    });

    checks.works("query, list: each once", |c| async move {
        let given = sorted([unique(), unique(), unique()]);
        for id in &given {
            database(&c.client, id).await?;
        }
        let found: Vec<DatabaseProperties> =
            c.client.query_databases("SELECT * FROM root r", None).await?.try_collect().await?;
        let found = sorted(found.into_iter().filter_map(|d| d.id));
        same!(found.iter().filter(|id| given.contains(id)).count(), 3);
        let mut once = found.clone();
        once.dedup();
        same!(found, once);
        Ok(())
    });

    checks.area("containers");

    checks.works("create, read, delete", |c| async move {
        let id = c.name();
        let created = c.database.create_container(ContainerProperties::new(id.clone(), "/pk".into()), None).await?;
        let created = created.into_model()?;
        same!(created.id, id);
        let container = c.database.container_client(id.as_str(), None).await?;
        let got = container.read(None).await?.into_model()?;
        same!(got.id, id);
        same!(got.partition_key, PartitionKeyDefinition::from("/pk"));
        same!(got.partition_key.version(), PartitionKeyVersion::V2);
        same!(got.default_ttl, TimeToLive::Forever);
        same!(got.system_properties.resource_id, created.system_properties.resource_id);
        container.delete(None).await?;
        raises(container.read(None).await, 404)?;
        Ok(())
    });

    checks.works("create: twice is 409", |c| async move {
        let id = c.container().await?.read(None).await?.into_model()?.id;
        raises(c.database.create_container(ContainerProperties::new(id, "/pk".into()), None).await, 409)?;
        Ok(())
    });

    checks.works("create: again after a deletion is another container, which a client finds", |c| async move {
        let container = c.container().await?;
        create(&container, json!({"id": "1", "pk": "a"})).await?;
        let before = container.read(None).await?.into_model()?;
        container.delete(None).await?;
        c.database.create_container(ContainerProperties::new(before.id.clone(), "/pk".into()), None).await?;
        create(&container, json!({"id": "2", "pk": "a"})).await?;
        let after = container.read(None).await?.into_model()?;
        holds!(before.system_properties.resource_id != after.system_properties.resource_id);
        let ids: Vec<String> = all(&container, "SELECT VALUE c.id FROM c").await?;
        same!(ids, ["2"]);
        Ok(())
    });

    checks.works("list, query", |c| async move {
        let id = c.container().await?.read(None).await?.into_model()?.id;
        let listed: Vec<ContainerProperties> =
            c.database.query_containers("SELECT * FROM c", None).await?.try_collect().await?;
        same!(listed.iter().filter(|p| p.id == id).count(), 1);
        let query = Query::from("SELECT * FROM c WHERE c.id = @id").with_parameter("@id", &id)?;
        let found: Vec<ContainerProperties> = c.database.query_containers(query, None).await?.try_collect().await?;
        same!(found.len(), 1);
        same!(found[0].id, id);
        Ok(())
    });

    checks.works("replace, time to live", |c| async move {
        let container = c.container().await?;
        let mut properties = container.read(None).await?.into_model()?;
        properties.default_ttl = TimeToLive::Seconds(60);
        let replaced = container.replace(properties.clone(), None).await?.into_model()?;
        same!(replaced.default_ttl, TimeToLive::Seconds(60));
        properties.default_ttl = TimeToLive::NoDefault;
        container.replace(properties.clone(), None).await?;
        same!(container.read(None).await?.into_model()?.default_ttl, TimeToLive::NoDefault);
        properties.partition_key = "/other".into();
        raises(container.replace(properties, None).await, 400)?;
        Ok(())
    });

    checks.works("feed ranges, physical partitions: they cover the container", |c| async move {
        let container = c.container().await?;
        let ranges = container.read_feed_ranges(None).await?;
        same!(ranges.len(), 4);
        let bounds = sorted(ranges.iter().map(|r| (r.min_inclusive().to_hex(), r.max_exclusive().to_hex())));
        same!(bounds[0].0, "");
        same!(bounds[3].1, "FF");
        holds!(bounds.windows(2).all(|two| two[0].1 == two[1].0), bounds);
        let refreshed =
            container.read_feed_ranges(Some(ReadFeedRangesOptions::default().with_force_refresh(true))).await?;
        same!(refreshed, ranges);
        Ok(())
    });

    checks.works("feed ranges: a partition key is in one of them", |c| async move {
        let container = c.container().await?;
        let ranges = container.read_feed_ranges(None).await?;
        for key in ["a", "b", "é日本"] {
            let one = container.feed_range_from_partition_key(key, None).await?;
            same!(one.len(), 1);
            same!(ranges.iter().filter(|r| one[0].is_subset_of(r)).count(), 1);
        }
        Ok(())
    });

    checks.works("hierarchical keys: three levels, not four", |c| async move {
        let container = c.container_of(("/a", "/b", "/c"), |p| p).await?;
        let got = container.read(None).await?.into_model()?.partition_key;
        same!(got.kind(), PartitionKeyKind::MultiHash);
        same!(got.paths(), ["/a", "/b", "/c"]);
        let four = PartitionKeyDefinition::new(["/a", "/b", "/c", "/d"].map(Into::into).to_vec());
        raises(c.container_of(four, |p| p).await, 400)?;
        Ok(())
    });

    checks.works("keys of version 1: items, queries", |c| async move {
        let definition = PartitionKeyDefinition::from("/pk").with_version(PartitionKeyVersion::V1);
        let container = c.container_of(definition, |p| p).await?;
        same!(container.read(None).await?.into_model()?.partition_key.version(), PartitionKeyVersion::V1);
        let mut keys: Vec<String> = (0..20).map(|n| format!("key {n}")).collect();
        keys.extend(["x".repeat(300), "é日本".repeat(50), String::new()]);
        for key in &keys {
            create(&container, json!({"id": "1", "pk": key})).await?;
            same!(read(&container, key.clone(), "1").await?["pk"], *key);
            let one = FeedScope::partition(key.clone());
            let found: Vec<String> = crate::fixture::scoped(&container, "SELECT VALUE c.pk FROM c", one).await?;
            same!(found, [key.clone()]);
        }
        for number in [7.0, 1.5, -0.25] {
            container
                .create_item(
                    azure_data_cosmos::PartitionKey::try_from(number)?,
                    "1",
                    json!({"id": "1", "pk": number}),
                    None,
                )
                .await?;
        }
        let found: Vec<Value> = all(&container, "SELECT * FROM c").await?;
        same!(found.len(), keys.len() + 3);
        Ok(())
    });

    checks.works("unique keys", |c| async move {
        let key = UniqueKey::default().with_path("/mail").with_path("/site");
        let policy = UniqueKeyPolicy::default().with_unique_key(key);
        let container = c.container_of("/pk", |p| p.with_unique_key_policy(policy.clone())).await?;
        same!(container.read(None).await?.into_model()?.unique_key_policy, Some(policy));
        create(&container, json!({"id": "1", "pk": "a", "mail": "x", "site": 1})).await?;
        let other = json!({"id": "2", "pk": "a", "mail": "x", "site": 1});
        raises(create(&container, other.clone()).await, 409)?;
        raises(crate::fixture::upsert(&container, other).await, 409)?;
        create(&container, json!({"id": "2", "pk": "a", "mail": "x", "site": 2})).await?;
        create(&container, json!({"id": "1", "pk": "b", "mail": "x", "site": 1})).await?;
        Ok(())
    });

    checks.works("indexing policy: the default", |c| async move {
        let got = c.container().await?.read(None).await?.into_model()?.indexing_policy;
        let got = got.ok_or("no policy")?;
        same!((got.automatic, got.indexing_mode), (true, Some(IndexingMode::Consistent)));
        same!(got.included_paths, [PropertyPath::from("/*")]);
        same!(got.excluded_paths, [PropertyPath::from("/\"_etag\"/?")]);
        Ok(())
    });

    checks.works("indexing policy: excluded paths and none", |c| async move {
        let mut policy = IndexingPolicy::default()
            .with_indexing_mode(IndexingMode::Consistent)
            .with_included_path("/*")
            .with_excluded_path("/big/*");
        policy.automatic = true;
        let container = c.container_of("/pk", |p| p.with_indexing_policy(policy)).await?;
        let got = container.read(None).await?.into_model()?.indexing_policy.ok_or("no policy")?;
        holds!(got.excluded_paths.contains(&"/big/*".into()), got);
        let none = IndexingPolicy::default().with_indexing_mode(IndexingMode::None);
        let container = c.container_of("/pk", |p| p.with_indexing_policy(none)).await?;
        let got = container.read(None).await?.into_model()?.indexing_policy.ok_or("no policy")?;
        same!((got.automatic, got.indexing_mode), (false, Some(IndexingMode::None)));
        let wrong =
            IndexingPolicy::default().with_indexing_mode(IndexingMode::Consistent).with_included_path("no slash");
        raises(c.container_of("/pk", |p| p.with_indexing_policy(wrong)).await, 400)?;
        Ok(())
    });

    checks.works("composite indexes, replace", |c| async move {
        let container = c.container().await?;
        let mut properties = container.read(None).await?.into_model()?;
        let index = CompositeIndex::default()
            .with_property(CompositeIndexProperty::new("/a", CompositeIndexOrder::Ascending))
            .with_property(CompositeIndexProperty::new("/b", CompositeIndexOrder::Descending));
        let policy = properties.indexing_policy.take().ok_or("no policy")?.with_composite_index(index.clone());
        container.replace(properties.with_indexing_policy(policy), None).await?;
        let got = container.read(None).await?.into_model()?.indexing_policy.ok_or("no policy")?;
        same!(got.composite_indexes, [index]);
        Ok(())
    });

    checks.area("items");

    checks.works("links by resource id: a query", |c| async move {
        let container = c.container().await?;
        create(&container, json!({"id": "1", "pk": "a", "n": 1})).await?;
        let of_database = c.database.read(None).await?.into_model()?.system_properties.resource_id;
        let of_container = container.read(None).await?.into_model()?.system_properties.resource_id;
        let database = c.client.database_client(ResourceId::from(of_database.ok_or("no _rid")?));
        let by_id = database.container_client(ResourceId::from(of_container.ok_or("no _rid")?), None).await?;
        same!(by_id.read(None).await?.into_model()?.id, container.read(None).await?.into_model()?.id);
        same!(all::<String>(&by_id, "SELECT VALUE c.id FROM c").await?, ["1"]);
        // The SDK has no names of items for a container that is addressed by its resource id.
        refused(read(&by_id, "a", "1").await, "mixed name/RID addressing")?;
        Ok(())
    });
}
