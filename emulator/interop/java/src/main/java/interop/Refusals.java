package interop;

import static interop.Account.keyOf;
import static interop.Account.read;
import static interop.Failures.contains;
import static interop.Failures.equal;
import static interop.Failures.holds;
import static interop.Failures.refused;

import com.azure.cosmos.CosmosAsyncClient;
import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.ThrottlingRetryOptions;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.CosmosStoredProcedureProperties;
import com.azure.cosmos.models.CosmosStoredProcedureRequestOptions;
import com.azure.cosmos.models.CosmosTriggerProperties;
import com.azure.cosmos.models.CosmosUserDefinedFunctionProperties;
import com.azure.cosmos.models.CosmosUserProperties;
import com.azure.cosmos.models.ThroughputProperties;
import com.azure.cosmos.models.TriggerOperation;
import com.azure.cosmos.models.TriggerType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import reactor.core.publisher.Flux;

/** Checks of sessions, of clients, of errors, and of what the server has not. */
final class Refusals {
    private static final String BODY = "function () {}";

    private Refusals() {}

    static void add(Runner run, Account account, Emulator throttled) {
        sessions(run, account);
        errors(run, account, throttled);
        missing(run, account);
    }

    private static void sessions(Runner run, Account account) {
        run.area("sessions");
        run.check("session token: of a write serves a read by another client", () -> {
            CosmosContainer container = account.container();
            String token = container.createItem(Json.doc("id", "1", "pk", "a")).getSessionToken();
            holds(token != null && !token.isEmpty(), "no session token");
            CosmosItemRequestOptions options = new CosmosItemRequestOptions().setSessionToken(token);
            ObjectNode got = account.async(container).readItem("1", keyOf("a"), options, ObjectNode.class).block().getItem();
            equal(got.get("id").asText(), "1");
        });

        run.check("session token: of a write serves a query", () -> {
            CosmosContainer container = account.container();
            String token = container.createItem(Json.doc("id", "1", "pk", "a")).getSessionToken();
            CosmosQueryRequestOptions options = new CosmosQueryRequestOptions().setSessionToken(token);
            equal(container.queryItems("SELECT VALUE c.id FROM c", options, JsonNode.class).stream().toList(), List.of("1"));
        });

        run.area("account");
        run.check("read: by a client when it is made", () -> {
            try (CosmosClient client = Account.builder(account.emulator).buildClient()) {
                equal(client.getDatabase("java-interop").read().getStatusCode(), 200);
            }
        });

        run.area("clients");
        run.check("asynchronous, parallel: 200 writes and reads, 20 at a time", () -> {
            CosmosContainer container = account.container();
            var async = account.async(container);
            Long read = Flux.range(0, 200)
                .flatMap(n -> async.createItem(Json.doc("id", "" + n, "pk", "p" + n % 9)), 20)
                .flatMap(made -> async.readItem(made.getItem().get("id").asText(), keyOf(made.getItem().get("pk").asText()), ObjectNode.class), 20)
                .count().block(Duration.ofSeconds(30));
            equal(read, 200);
        });
    }

    private static void errors(Runner run, Account account, Emulator throttled) {
        run.area("errors");
        run.check("401: a wrong key", () -> {
            String wrong = Base64.getEncoder().encodeToString("wrong".getBytes(StandardCharsets.UTF_8));
            try {
                Account.builder(account.emulator).key(wrong).buildClient().close();
            } catch (RuntimeException e) { // the client reads the account at once
                contains(e.getMessage(), "Unauthorized");
                return;
            }
            throw new AssertionError("no error");
        });

        run.check("404: of an item, a container and a database", () -> {
            equal(refused(404, () -> read(account.people(), "none", "a")).getSubStatusCode(), 0);
            CosmosContainer none = account.database.getContainer("none");
            refused(404, () -> none.createItem(Json.doc("id", "1", "pk", "a")));
            contains(refused(404, none::read).getMessage(), "ResourceType: Collection");
            refused(404, () -> account.client.getDatabase("java-none").read());
        });

        run.check("413: a document of more than 2 MB", () -> {
            CosmosContainer container = account.container();
            refused(413, () -> container.createItem(Json.doc("id", "1", "pk", "a", "text", "x".repeat(2 << 20))));
            container.createItem(Json.doc("id", "1", "pk", "a", "text", "x".repeat(2_000_000)));
        });

        run.check("400: a partition key of too few or too many levels", () -> {
            CosmosContainer container = account.container(c -> c.setPartitionKeyDefinition(Account.key("/a", "/b")));
            refused(400, () -> container.upsertItem(Json.doc("id", "1", "a", "x", "b", "y"), keyOf("x"), null));
            CosmosContainer simple = account.container();
            refused(400, () -> simple.upsertItem(Json.doc("id", "1", "pk", "x"), keyOf("x", "y"), null));
        });

        run.check("429: with a time to wait, and passed over by the SDK's retries", () -> {
            try (CosmosClient client = Account.builder(throttled).throttlingRetryOptions(
                    new ThrottlingRetryOptions().setMaxRetryAttemptsOnThrottledRequests(0)).buildClient();
                    CosmosAsyncClient patient = Account.builder(throttled).throttlingRetryOptions(
                    new ThrottlingRetryOptions().setMaxRetryAttemptsOnThrottledRequests(20)).buildAsyncClient()) {
                client.createDatabaseIfNotExists("java-429");
                client.getDatabase("java-429").createContainerIfNotExists(
                    new CosmosContainerProperties("c", Account.key("/pk")), ThroughputProperties.createManualThroughput(400));
                CosmosContainer container = client.getDatabase("java-429").getContainer("c");
                CosmosException refusal = refused(429, () -> {
                    for (int n = 0; n < 500; n++) {
                        container.upsertItem(Json.doc("id", "" + n, "pk", "a"));
                    }
                });
                equal(refusal.getSubStatusCode(), 3200);
                holds(refusal.getRetryAfterDuration().toMillis() > 0, "no time to wait");
                equal(patient.getDatabase("java-429").getContainer("c").upsertItem(Json.doc("id", "late", "pk", "a")).block().getStatusCode() / 100, 2);
            }
        });
    }

    private static void missing(Runner run, Account account) {
        run.area("refused with 400");
        run.refused("stored procedures: made, listed and executed", () -> {
            var scripts = account.people().getScripts();
            named("stored procedures", () -> scripts.createStoredProcedure(new CosmosStoredProcedureProperties("s", BODY)));
            named("stored procedures", () -> scripts.readAllStoredProcedures().stream().count());
            named("stored procedures", () -> scripts.getStoredProcedure("s").execute(List.of(),
                new CosmosStoredProcedureRequestOptions().setPartitionKey(keyOf("a"))));
        });
        run.refused("triggers: made and listed", () -> {
            var scripts = account.people().getScripts();
            CosmosTriggerProperties trigger = new CosmosTriggerProperties("t", BODY)
                .setTriggerType(TriggerType.PRE).setTriggerOperation(TriggerOperation.ALL);
            named("triggers", () -> scripts.createTrigger(trigger));
            named("triggers", () -> scripts.readAllTriggers().stream().count());
        });
        run.refused("user-defined functions: made and listed", () -> {
            var scripts = account.people().getScripts();
            named("user-defined functions", () -> scripts.createUserDefinedFunction(new CosmosUserDefinedFunctionProperties("u", BODY)));
            named("user-defined functions", () -> scripts.readAllUserDefinedFunctions().stream().count());
        });
        run.refused("users: made and listed", () -> {
            named("users", () -> account.database.createUser(new CosmosUserProperties().setId("u")));
            named("users", () -> account.database.readAllUsers().stream().count());
        });
        run.refused("permissions: listed", () ->
            named("permissions", () -> account.async.getDatabase("java-interop").getUser("u").readAllPermissions().collectList().block()));
        run.refused("conflicts: listed", () ->
            named("conflicts", () -> account.async(account.people()).readAllConflicts(new CosmosQueryRequestOptions()).collectList().block()));
    }

    private static void named(String what, Failures.Action action) throws Exception {
        contains(refused(400, action).getMessage(), what);
    }
}
