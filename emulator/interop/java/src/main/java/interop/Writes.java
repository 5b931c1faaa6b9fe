package interop;

import static interop.Account.keyOf;
import static interop.Account.read;
import static interop.Failures.contains;
import static interop.Failures.equal;
import static interop.Failures.holds;
import static interop.Failures.refused;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosBatchItemRequestOptions;
import com.azure.cosmos.models.CosmosBatchOperationResult;
import com.azure.cosmos.models.CosmosBatchResponse;
import com.azure.cosmos.models.CosmosBulkItemRequestOptions;
import com.azure.cosmos.models.CosmosBulkOperationResponse;
import com.azure.cosmos.models.CosmosBulkOperations;
import com.azure.cosmos.models.CosmosBulkPatchItemRequestOptions;
import com.azure.cosmos.models.CosmosItemOperation;
import com.azure.cosmos.models.CosmosPatchItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Checks of patches, batches and bulk. */
final class Writes {
    private Writes() {}

    static void add(Runner run, Account account) {
        patches(run, account);
        batches(run, account);
        bulk(run, account);
    }

    private static JsonNode patch(CosmosContainer container, CosmosPatchOperations operations) {
        return container.patchItem("1", keyOf("a"), operations, ObjectNode.class).getItem();
    }

    private static void patches(Runner run, Account account) {
        run.area("patches");

        run.check("operations: add, set, replace, remove, increment, move", () -> {
            CosmosContainer container = account.container();
            container.createItem(Json.doc("id", "1", "pk", "a", "n", 1, "old", true, "from", "x", "list", List.of(1, 3)));
            JsonNode got = patch(container, CosmosPatchOperations.create()
                .add("/list/1", 2).add("/list/-", 4).set("/object", Map.of("k", List.of("v")))
                .replace("/n", 10).increment("/n", 5).increment("/n", 0.5).remove("/old").move("/from", "/to"));
            equal(got.get("list"), List.of(1, 2, 3, 4));
            equal(got.get("object"), Map.of("k", List.of("v")));
            equal(got.get("n"), 15.5);
            equal(got.get("to").asText(), "x");
            holds(!got.has("old") && !got.has("from"), "left: " + got);
        });

        run.check("operations: all or none", () -> {
            CosmosContainer container = account.container();
            container.createItem(Json.doc("id", "1", "pk", "a", "n", 1));
            refused(400, () -> patch(container, CosmosPatchOperations.create().increment("/n", 1).replace("/none/deep", 1)));
            equal(read(container, "1", "a").get("n"), 1);
        });

        run.check("operations: not the id nor the partition key", () -> {
            CosmosContainer container = account.container();
            container.createItem(Json.doc("id", "1", "pk", "a"));
            refused(400, () -> patch(container, CosmosPatchOperations.create().set("/id", "2")));
            refused(400, () -> patch(container, CosmosPatchOperations.create().set("/pk", "b")));
        });

        run.check("operations: of a missing document are 404", () -> {
            CosmosContainer container = account.container();
            refused(404, () -> patch(container, CosmosPatchOperations.create().set("/n", 1)));
        });

        run.check("condition: a filter predicate that holds, and then does not", () -> {
            CosmosContainer container = account.container();
            container.createItem(Json.doc("id", "1", "pk", "a", "n", 1));
            CosmosPatchItemRequestOptions options = new CosmosPatchItemRequestOptions().setFilterPredicate("FROM c WHERE c.n = 1");
            CosmosPatchOperations operations = CosmosPatchOperations.create().increment("/n", 1);
            equal(container.patchItem("1", keyOf("a"), operations, options, ObjectNode.class).getItem().get("n"), 2);
            refused(412, () -> container.patchItem("1", keyOf("a"), operations, options, ObjectNode.class));
        });

        run.check("condition: an ETag", () -> {
            CosmosContainer container = account.container();
            CosmosPatchItemRequestOptions options = new CosmosPatchItemRequestOptions();
            options.setIfMatchETag(container.createItem(Json.doc("id", "1", "pk", "a", "n", 1)).getETag());
            CosmosPatchOperations operations = CosmosPatchOperations.create().set("/n", 2);
            container.patchItem("1", keyOf("a"), operations, options, ObjectNode.class);
            refused(412, () -> container.patchItem("1", keyOf("a"), operations, options, ObjectNode.class));
        });
    }

    private static List<Integer> statuses(CosmosBatchResponse response) {
        return response.getResults().stream().map(CosmosBatchOperationResult::getStatusCode).toList();
    }

    private static void batches(Runner run, Account account) {
        run.area("batches");

        run.check("all or nothing: operations of all kinds", () -> {
            CosmosContainer container = account.container();
            container.createItem(Json.doc("id", "0", "pk", "a"));
            CosmosBatch batch = CosmosBatch.createCosmosBatch(keyOf("a"));
            batch.createItemOperation(Json.doc("id", "1", "pk", "a"));
            batch.upsertItemOperation(Json.doc("id", "2", "pk", "a"));
            batch.patchItemOperation("1", CosmosPatchOperations.create().add("/n", 1));
            batch.replaceItemOperation("2", Json.doc("id", "2", "pk", "a", "n", 2));
            batch.readItemOperation("1");
            batch.deleteItemOperation("0");
            CosmosBatchResponse response = container.executeCosmosBatch(batch);
            holds(response.isSuccessStatusCode() && response.getStatusCode() == 200, "status " + response.getStatusCode());
            equal(statuses(response), List.of(201, 201, 200, 200, 200, 204));
            equal(response.getResults().get(4).getItem(ObjectNode.class).get("n"), 1);
            holds(response.getRequestCharge() > 0 && response.getResults().get(0).getETag() != null, "no charge or no ETag");
        });

        run.check("all or nothing: a batch that fails leaves nothing", () -> {
            CosmosContainer container = account.container();
            CosmosBatch batch = CosmosBatch.createCosmosBatch(keyOf("a"));
            batch.createItemOperation(Json.doc("id", "1", "pk", "a"));
            batch.deleteItemOperation("none");
            batch.createItemOperation(Json.doc("id", "2", "pk", "a"));
            CosmosBatchResponse response = container.executeCosmosBatch(batch);
            holds(!response.isSuccessStatusCode(), "a success");
            equal(statuses(response), List.of(424, 404, 424));
            equal(Account.all(container, "SELECT * FROM c"), List.of());
        });

        run.check("all or nothing: an ETag of an operation", () -> {
            CosmosContainer container = account.container();
            String etag = container.createItem(Json.doc("id", "1", "pk", "a")).getETag();
            container.upsertItem(Json.doc("id", "1", "pk", "a", "n", 1));
            CosmosBatch batch = CosmosBatch.createCosmosBatch(keyOf("a"));
            batch.createItemOperation(Json.doc("id", "2", "pk", "a"));
            batch.replaceItemOperation("1", Json.doc("id", "1", "pk", "a"), new CosmosBatchItemRequestOptions().setIfMatchETag(etag));
            equal(statuses(container.executeCosmosBatch(batch)), List.of(424, 412));
        });

        run.check("all or nothing: in a hierarchical partition", () -> {
            CosmosContainer container = account.container(c -> c.setPartitionKeyDefinition(Account.key("/a", "/b")));
            CosmosBatch batch = CosmosBatch.createCosmosBatch(keyOf("x", "y"));
            batch.createItemOperation(Json.doc("id", "1", "a", "x", "b", "y"));
            batch.createItemOperation(Json.doc("id", "2", "a", "x", "b", "y"));
            equal(statuses(container.executeCosmosBatch(batch)), List.of(201, 201));
        });

        run.check("all or nothing: at most 100 operations", () -> {
            CosmosContainer container = account.container();
            CosmosBatch batch = CosmosBatch.createCosmosBatch(keyOf("a"));
            for (int n = 0; n < 101; n++) {
                batch.createItemOperation(Json.doc("id", "" + n, "pk", "a"));
            }
            contains(refused(400, () -> container.executeCosmosBatch(batch)).getMessage(), "100");
        });
    }

    /** Runs bulk operations, and returns the statuses by the context of each, which is its name. */
    private static Map<String, Integer> execute(CosmosContainer container, List<CosmosItemOperation> operations) {
        Map<String, Integer> statuses = new TreeMap<>();
        for (CosmosBulkOperationResponse<Object> response : container.executeBulkOperations(operations)) {
            if (response.getException() != null && response.getResponse() == null) {
                throw new IllegalStateException(response.getException());
            }
            statuses.put(String.valueOf((Object) response.getOperation().getContext()), response.getResponse().getStatusCode());
        }
        return statuses;
    }

    private static void bulk(Runner run, Account account) {
        run.check("bulk: 500 documents over 50 partition keys", () -> {
            CosmosContainer container = account.container();
            List<CosmosItemOperation> operations = new ArrayList<>();
            for (int n = 0; n < 500; n++) {
                operations.add(CosmosBulkOperations.getCreateItemOperation(Json.doc("id", "" + n, "pk", "p" + n % 50), keyOf("p" + n % 50), "" + n));
            }
            Map<String, Integer> statuses = execute(container, operations);
            equal(statuses.size(), 500);
            holds(statuses.values().stream().allMatch(status -> status == 201), "not all were created: " + statuses);
            equal(Account.all(container, "SELECT VALUE COUNT(1) FROM c"), List.of(500));
        });

        run.check("bulk: each operation has a status of its own", () -> {
            CosmosContainer container = account.container();
            String etag = container.createItem(Json.doc("id", "1", "pk", "a", "n", 1)).getETag();
            container.createItem(Json.doc("id", "2", "pk", "b"));
            container.createItem(Json.doc("id", "3", "pk", "c"));
            container.createItem(Json.doc("id", "4", "pk", "d", "n", 1));
            container.upsertItem(Json.doc("id", "1", "pk", "a", "n", 2));
            CosmosPatchOperations patch = CosmosPatchOperations.create().increment("/n", 1);
            equal(execute(container, List.of(
                CosmosBulkOperations.getCreateItemOperation(Json.doc("id", "1", "pk", "a"), keyOf("a"), "create"),
                CosmosBulkOperations.getUpsertItemOperation(Json.doc("id", "5", "pk", "e"), keyOf("e"), "upsert"),
                CosmosBulkOperations.getReadItemOperation("2", keyOf("b"), "read"),
                CosmosBulkOperations.getReadItemOperation("none", keyOf("b"), "read none"),
                CosmosBulkOperations.getDeleteItemOperation("3", keyOf("c"), "delete"),
                CosmosBulkOperations.getPatchItemOperation("4", keyOf("d"), patch, "patch"),
                CosmosBulkOperations.getPatchItemOperation("4", keyOf("d"), patch,
                    new CosmosBulkPatchItemRequestOptions().setFilterPredicate("FROM c WHERE c.n = 99"), "patch if"),
                CosmosBulkOperations.getReplaceItemOperation("1", Json.doc("id", "1", "pk", "a"), keyOf("a"),
                    new CosmosBulkItemRequestOptions().setIfMatchETag(etag), "replace if"))),
                Map.of("create", 409, "upsert", 201, "read", 200, "read none", 404, "delete", 204, "patch", 200, "patch if", 412, "replace if", 412));
        });

        run.check("bulk: keys of all types and levels", () -> {
            CosmosContainer container = account.container(c -> c.setPartitionKeyDefinition(Account.key("/a", "/b")));
            List<CosmosItemOperation> operations = new ArrayList<>();
            for (int n = 0; n < 40; n++) {
                Object second = n % 4 == 0 ? null : n % 4 == 1 ? (Object) true : n % 4 == 2 ? (Object) (n + 0.5) : "ü" + n;
                operations.add(CosmosBulkOperations.getCreateItemOperation(
                    Json.doc("id", "" + n, "a", "t" + n % 5, "b", second), keyOf("t" + n % 5, second), "" + n));
            }
            holds(execute(container, operations).values().stream().allMatch(status -> status == 201), "not all were created");
            equal(Account.all(container, "SELECT VALUE COUNT(1) FROM c"), List.of(40));
        });

        run.check("bulk: documents of 100 KB, which the SDK divides", () -> {
            CosmosContainer container = account.container();
            List<CosmosItemOperation> operations = new ArrayList<>();
            for (int n = 0; n < 40; n++) {
                operations.add(CosmosBulkOperations.getUpsertItemOperation(Json.doc("id", "" + n, "pk", "a", "text", "x".repeat(100_000)), keyOf("a"), "" + n));
            }
            holds(execute(container, operations).values().stream().allMatch(status -> status == 201), "not all were created");
        });
    }
}
