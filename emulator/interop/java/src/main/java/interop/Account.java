package interop;

import com.azure.cosmos.ConsistencyLevel;
import com.azure.cosmos.CosmosAsyncClient;
import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.models.CompositePath;
import com.azure.cosmos.models.CompositePathSortOrder;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.IndexingPolicy;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.PartitionKeyBuilder;
import com.azure.cosmos.models.PartitionKeyDefinition;
import com.azure.cosmos.models.PartitionKeyDefinitionVersion;
import com.azure.cosmos.models.PartitionKind;
import com.azure.cosmos.models.SqlQuerySpec;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** The account that the checks share: clients in gateway mode, and containers. */
final class Account implements AutoCloseable {
    final Emulator emulator;
    final CosmosClient client;
    final CosmosAsyncClient async;
    final CosmosDatabase database;
    private final AtomicInteger count = new AtomicInteger();
    private CosmosContainer people;

    Account(Emulator emulator) {
        this.emulator = emulator;
        client = builder(emulator).buildClient();
        async = builder(emulator).buildAsyncClient();
        client.createDatabaseIfNotExists("java-interop");
        database = client.getDatabase("java-interop");
    }

    /** A client as a program would make it: {@code gatewayMode()} is the line that matters. */
    static CosmosClientBuilder builder(Emulator emulator) {
        return new CosmosClientBuilder()
            .endpoint(emulator.endpoint())
            .key(emulator.key())
            .gatewayMode()
            .consistencyLevel(ConsistencyLevel.SESSION)
            .contentResponseOnWriteEnabled(true);
    }

    /** An id that no other check uses. */
    String newId(String prefix) {
        return prefix + count.incrementAndGet();
    }

    /** The definition of a container with the partition key /pk and a new id. */
    CosmosContainerProperties properties() {
        return new CosmosContainerProperties(newId("c"), key("/pk"));
    }

    /** A definition of a partition key of version 2, hierarchical if it has several paths. */
    static PartitionKeyDefinition key(String... paths) {
        return new PartitionKeyDefinition().setPaths(List.of(paths)).setVersion(PartitionKeyDefinitionVersion.V2)
            .setKind(paths.length > 1 ? PartitionKind.MULTI_HASH : PartitionKind.HASH);
    }

    /** A new and empty container. */
    CosmosContainer container() {
        return container(properties -> {});
    }

    /** A new and empty container whose definition is completed first. */
    CosmosContainer container(Consumer<CosmosContainerProperties> complete) {
        CosmosContainerProperties properties = properties();
        complete.accept(properties);
        database.createContainer(properties);
        return database.getContainer(properties.getId());
    }

    /** The same container for asynchronous use, as change feed processors need it. */
    CosmosAsyncContainer async(CosmosContainer container) {
        return async.getDatabase(database.getId()).getContainer(container.getId());
    }

    /**
     * A container of 60 documents over 20 partition keys, made once. A document has n from 0 to
     * 59, a team of four, an age for all but each tenth, and a list of tags.
     */
    synchronized CosmosContainer people() {
        if (people == null) {
            people = container(properties -> properties.setIndexingPolicy(new IndexingPolicy().setCompositeIndexes(List.of(List.of(
                new CompositePath().setPath("/team").setOrder(CompositePathSortOrder.ASCENDING),
                new CompositePath().setPath("/n").setOrder(CompositePathSortOrder.DESCENDING))))));
            for (int n = 0; n < 60; n++) {
                ObjectNode doc = Json.doc("id", "d" + n, "pk", "p" + n % 20, "n", n,
                    "team", "abcd".substring(n % 4, n % 4 + 1), "tags", List.of(n % 3, n % 5));
                if (n % 10 != 0) {
                    doc.put("age", n * 7 % 50);
                }
                people.createItem(doc);
            }
        }
        return people;
    }

    /** Creates documents with n from one number to before another, over seven partition keys. */
    static void fill(CosmosContainer container, int from, int to) {
        for (int n = from; n < to; n++) {
            container.createItem(Json.doc("id", "" + n, "pk", "p" + n % 7, "n", n));
        }
    }

    /** All rows of a query. */
    static List<JsonNode> all(CosmosContainer container, String query) {
        return all(container, new SqlQuerySpec(query), new CosmosQueryRequestOptions());
    }

    /** All rows of a query with parameters and options. */
    static List<JsonNode> all(CosmosContainer container, SqlQuerySpec query, CosmosQueryRequestOptions options) {
        List<JsonNode> rows = new ArrayList<>();
        container.queryItems(query, options, JsonNode.class).forEach(rows::add);
        return rows;
    }

    /** Reads a document. */
    static JsonNode read(CosmosContainer container, String id, Object... key) {
        return container.readItem(id, keyOf(key), ObjectNode.class).getItem();
    }

    /** A partition key of one or several values. */
    static PartitionKey keyOf(Object... values) {
        if (values.length == 1) {
            return new PartitionKey(values[0]);
        }
        PartitionKeyBuilder builder = new PartitionKeyBuilder();
        for (Object value : values) {
            if (value instanceof String text) {
                builder.add(text);
            } else if (value instanceof Number number) {
                builder.add(number.doubleValue());
            } else if (value instanceof Boolean bool) {
                builder.add(bool);
            } else {
                builder.addNullValue();
            }
        }
        return builder.build();
    }

    /** Options of a write that happens only if the document still has an ETag. */
    static CosmosItemRequestOptions ifMatch(String etag) {
        return new CosmosItemRequestOptions().setIfMatchETag(etag);
    }

    @Override
    public void close() {
        client.close();
        async.close();
    }
}
