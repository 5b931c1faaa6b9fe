package interop;

import static interop.Failures.contains;
import static interop.Failures.equal;
import static interop.Failures.holds;
import static interop.Failures.refused;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.models.CompositePath;
import com.azure.cosmos.models.CompositePathSortOrder;
import com.azure.cosmos.models.ComputedProperty;
import com.azure.cosmos.models.CosmosBulkOperations;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosContainerRequestOptions;
import com.azure.cosmos.models.CosmosDatabaseProperties;
import com.azure.cosmos.models.CosmosItemOperation;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.ExcludedPath;
import com.azure.cosmos.models.IncludedPath;
import com.azure.cosmos.models.IndexingMode;
import com.azure.cosmos.models.IndexingPolicy;
import com.azure.cosmos.models.PartitionKeyDefinition;
import com.azure.cosmos.models.PartitionKeyDefinitionVersion;
import com.azure.cosmos.models.SpatialSpec;
import com.azure.cosmos.models.SpatialType;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.azure.cosmos.models.ThroughputProperties;
import com.azure.cosmos.models.ThroughputResponse;
import com.azure.cosmos.models.UniqueKey;
import com.azure.cosmos.models.UniqueKeyPolicy;
import java.util.List;

/** Checks of databases, containers and throughput. */
final class Resources {
    private Resources() {}

    static void add(Runner run, Account account) {
        databases(run, account);
        containers(run, account);
        definitions(run, account);
        throughput(run, account);
    }

    private static void databases(Runner run, Account account) {
        run.area("databases");

        run.check("create, read, delete: one after another", () -> {
            String id = account.newId("java-db");
            CosmosDatabaseProperties made = account.client.createDatabase(id).getProperties();
            CosmosDatabase database = account.client.getDatabase(id);
            equal(database.read().getProperties().getResourceId(), made.getResourceId());
            equal(database.delete().getStatusCode(), 204);
            refused(404, database::read);
        });

        run.check("create: twice is 409", () -> {
            String id = account.newId("java-db");
            account.client.createDatabase(id);
            refused(409, () -> account.client.createDatabase(id));
        });

        run.check("create if missing: 201, then 200", () -> {
            String id = account.newId("java-db");
            equal(account.client.createDatabaseIfNotExists(id).getStatusCode(), 201);
            equal(account.client.createDatabaseIfNotExists(id).getStatusCode(), 200);
        });

        run.check("list, query: the new one is found", () -> {
            String id = account.newId("java-db");
            account.client.createDatabase(id);
            holds(account.client.readAllDatabases().stream().anyMatch(d -> d.getId().equals(id)), "not in the list");
            SqlQuerySpec query = new SqlQuerySpec("SELECT * FROM root r WHERE r.id = @id", new SqlParameter("@id", id));
            equal(account.client.queryDatabases(query, new CosmosQueryRequestOptions()).stream().count(), 1);
        });

        run.check("create: an id with blanks and other alphabets", () -> {
            String id = account.newId("java-Ä b 日本 ");
            account.client.createDatabase(id);
            equal(account.client.getDatabase(id).read().getProperties().getId(), id);
        });

        run.check("throughput: shared by the containers of a database", () -> {
            String id = account.newId("java-db");
            account.client.createDatabase(id, ThroughputProperties.createManualThroughput(700));
            CosmosDatabase database = account.client.getDatabase(id);
            equal(database.readThroughput().getProperties().getManualThroughput(), 700);
            database.replaceThroughput(ThroughputProperties.createManualThroughput(900));
            equal(database.readThroughput().getProperties().getManualThroughput(), 900);
            database.createContainer(new CosmosContainerProperties("c", Account.key("/pk")));
            refused(400, () -> database.getContainer("c").readThroughput());
        });
    }

    private static void containers(Runner run, Account account) {
        run.area("containers");

        run.check("create, read, delete: one after another", () -> {
            CosmosContainer container = account.container();
            equal(container.read().getProperties().getId(), container.getId());
            equal(container.delete().getStatusCode(), 204);
            refused(404, container::read);
        });

        run.check("create: twice is 409", () -> {
            CosmosContainerProperties properties = account.properties();
            account.database.createContainer(properties);
            refused(409, () -> account.database.createContainer(properties));
        });

        run.check("create if missing: 201, then 200", () -> {
            CosmosContainerProperties properties = account.properties();
            equal(account.database.createContainerIfNotExists(properties).getStatusCode(), 201);
            equal(account.database.createContainerIfNotExists(properties).getStatusCode(), 200);
        });

        run.check("delete, create: the new one of a name is empty", () -> {
            CosmosContainer container = account.container();
            container.createItem(Json.doc("id", "1", "pk", "a"));
            container.delete();
            account.database.createContainer(new CosmosContainerProperties(container.getId(), Account.key("/pk")));
            container.createItem(Json.doc("id", "2", "pk", "a"));
            equal(Account.all(container, "SELECT VALUE c.id FROM c"), List.of("2"));
        });

        run.check("list, query: the new one is found", () -> {
            CosmosContainer container = account.container();
            holds(account.database.readAllContainers().stream().anyMatch(c -> c.getId().equals(container.getId())), "not in the list");
            SqlQuerySpec query = new SqlQuerySpec("SELECT * FROM c WHERE c.id = @id", new SqlParameter("@id", container.getId()));
            equal(account.database.queryContainers(query).stream().count(), 1);
        });

        run.check("replace: the time to live", () -> {
            CosmosContainer container = account.container();
            CosmosContainerProperties properties = container.read().getProperties();
            container.replace(properties.setDefaultTimeToLiveInSeconds(60));
            equal(container.read().getProperties().getDefaultTimeToLiveInSeconds(), 60);
        });

        run.check("replace: on condition of an ETag", () -> {
            CosmosContainer container = account.container();
            CosmosContainerProperties properties = container.read().getProperties();
            CosmosContainerRequestOptions stale = new CosmosContainerRequestOptions().setIfMatchETag(properties.getETag());
            container.replace(properties.setDefaultTimeToLiveInSeconds(60), stale);
            refused(412, () -> container.replace(properties.setDefaultTimeToLiveInSeconds(61), stale));
        });

        run.check("replace: not the partition key", () -> {
            CosmosContainer container = account.container();
            CosmosContainerProperties properties = container.read().getProperties();
            refused(400, () -> container.replace(properties.setPartitionKeyDefinition(Account.key("/other"))));
        });
    }

    private static void definitions(Runner run, Account account) {
        run.check("hierarchical keys: the definition is told as it was sent", () -> {
            CosmosContainer container = account.container(c -> c.setPartitionKeyDefinition(Account.key("/a", "/b", "/c")));
            PartitionKeyDefinition read = container.read().getProperties().getPartitionKeyDefinition();
            equal(read.getPaths(), List.of("/a", "/b", "/c"));
            equal(read.getVersion(), PartitionKeyDefinitionVersion.V2);
        });

        run.check("feed ranges: one for each physical partition", () -> {
            CosmosContainer container = account.container();
            equal(container.getFeedRanges().size(), 4);
        });

        run.check("keys of version 1: as a client makes them without a version", () -> {
            String id = account.newId("c");
            account.database.createContainer(id, "/pk");
            CosmosContainer container = account.database.getContainer(id);
            Account.fill(container, 0, 40);
            String key = "ключ🔑".repeat(40);
            container.createItem(Json.doc("id", "long", "pk", key));
            equal(Account.read(container, "long", key).get("pk").asText(), key);
            equal(Account.all(container, "SELECT VALUE COUNT(1) FROM c"), List.of(41));
            equal(Account.all(container, "SELECT VALUE c.n FROM c WHERE c.pk = 'p3' ORDER BY c.n"), List.of(3, 10, 17, 24, 31, 38));
            CosmosItemOperation operation = CosmosBulkOperations.getCreateItemOperation(Json.doc("id", "bulk", "pk", key), Account.keyOf(key));
            container.executeBulkOperations(List.of(operation)).forEach(response -> equal(response.getResponse().getStatusCode(), 201));
        });

        run.check("unique keys: 409 within a partition key", () -> {
            CosmosContainer container = account.container(c ->
                c.setUniqueKeyPolicy(new UniqueKeyPolicy().setUniqueKeys(List.of(new UniqueKey(List.of("/mail"))))));
            container.createItem(Json.doc("id", "1", "pk", "a", "mail", "x"));
            refused(409, () -> container.createItem(Json.doc("id", "2", "pk", "a", "mail", "x")));
            container.createItem(Json.doc("id", "3", "pk", "b", "mail", "x"));
        });

        run.check("time to live: expired documents are gone", () -> {
            CosmosContainer container = account.container(c -> c.setDefaultTimeToLiveInSeconds(-1));
            container.createItem(Json.doc("id", "1", "pk", "a", "ttl", 1));
            container.createItem(Json.doc("id", "2", "pk", "a"));
            Thread.sleep(2100);
            refused(404, () -> Account.read(container, "1", "a"));
            equal(Account.all(container, "SELECT VALUE c.id FROM c"), List.of("2"));
        });

        run.check("indexing policy, composite indexes: told as they were sent", () -> {
            IndexingPolicy policy = new IndexingPolicy()
                .setIndexingMode(IndexingMode.CONSISTENT)
                .setIncludedPaths(List.of(new IncludedPath("/*")))
                .setExcludedPaths(List.of(new ExcludedPath("/blob/*")))
                .setCompositeIndexes(List.of(List.of(
                    new CompositePath().setPath("/a").setOrder(CompositePathSortOrder.ASCENDING),
                    new CompositePath().setPath("/b").setOrder(CompositePathSortOrder.DESCENDING))));
            CosmosContainer container = account.container(c -> c.setIndexingPolicy(policy));
            IndexingPolicy read = container.read().getProperties().getIndexingPolicy();
            equal(read.getCompositeIndexes().get(0).get(1).getOrder().toString(), "descending");
            holds(read.getExcludedPaths().stream().anyMatch(p -> p.getPath().equals("/blob/*")), "the excluded path is lost");
        });

        run.check("computed properties: found, and told as they were sent", () -> {
            CosmosContainer container = account.container(c -> c.setComputedProperties(List.of(new ComputedProperty("lowerName", "SELECT VALUE LOWER(c.name) FROM c"))));
            ComputedProperty read = container.read().getProperties().getComputedProperties().iterator().next();
            equal(read.getName(), "lowerName");
            equal(read.getQuery(), "SELECT VALUE LOWER(c.name) FROM c");
            container.createItem(Json.doc("id", "1", "pk", "a", "name", "Bob"));
            container.createItem(Json.doc("id", "2", "pk", "b", "name", "ADAM"));
            equal(Account.all(container, "SELECT VALUE c.id FROM c WHERE c.lowerName = 'adam'"), List.of("2"));
        });

        run.check("spatial indexes: those of one type have all", () -> {
            IndexingPolicy policy = new IndexingPolicy().setSpatialIndexes(List.of(
                new SpatialSpec().setPath("/at/*").setSpatialTypes(List.of(SpatialType.POINT))));
            CosmosContainer container = account.container(c -> c.setIndexingPolicy(policy));
            SpatialSpec read = container.read().getProperties().getIndexingPolicy().getSpatialIndexes().get(0);
            equal(read.getPath(), "/at/*");
            equal(read.getSpatialTypes(), List.of(SpatialType.POINT, SpatialType.LINE_STRING, SpatialType.POLYGON, SpatialType.MULTI_POLYGON));
        });

        run.check("composite indexes: ORDER BY of several properties needs one", () -> {
            CosmosContainer container = account.container();
            container.createItem(Json.doc("id", "1", "pk", "a"));
            refused(400, () -> Account.all(container, "SELECT * FROM c ORDER BY c.a, c.b"));
        });
    }

    private static void throughput(Runner run, Account account) {
        run.area("throughput");

        run.check("read, replace: manual", () -> {
            CosmosContainerProperties properties = account.properties();
            account.database.createContainer(properties, ThroughputProperties.createManualThroughput(500));
            CosmosContainer container = account.database.getContainer(properties.getId());
            ThroughputResponse read = container.readThroughput();
            equal(read.getProperties().getManualThroughput(), 500);
            equal(read.getMinThroughput(), 400);
            equal(read.isReplacePending(), false);
            equal(container.replaceThroughput(ThroughputProperties.createManualThroughput(800)).getProperties().getManualThroughput(), 800);
            equal(container.readThroughput().getProperties().getManualThroughput(), 800);
        });

        run.check("autoscale, replace: its maximum", () -> {
            CosmosContainerProperties properties = account.properties();
            account.database.createContainer(properties, ThroughputProperties.createAutoscaledThroughput(2000));
            CosmosContainer container = account.database.getContainer(properties.getId());
            equal(container.readThroughput().getProperties().getAutoscaleMaxThroughput(), 2000);
            container.replaceThroughput(ThroughputProperties.createAutoscaledThroughput(5000));
            equal(container.readThroughput().getProperties().getAutoscaleMaxThroughput(), 5000);
        });

        run.notInSdk("manual to autoscale, autoscale to manual: the SDK sends no header for them", () -> {
            CosmosContainer container = account.container();
            var refusal = refused(400, () -> container.replaceThroughput(ThroughputProperties.createAutoscaledThroughput(4000)));
            contains(refusal.getMessage(), "x-ms-cosmos-migrate-offer-to-autopilot");
            equal(container.readThroughput().getProperties().getManualThroughput(), 400);
        });

        run.check("replace: too little is 400", () -> {
            CosmosContainer container = account.container();
            refused(400, () -> container.replaceThroughput(ThroughputProperties.createManualThroughput(100)));
        });
    }
}
