package interop;

import static interop.Account.keyOf;
import static interop.Failures.equal;
import static interop.Failures.holds;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosItemResponse;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks of accounts with two regions. One runs at a time, since they fail over. */
final class Regions {
    private static final String WEST = "West Europe";
    private static final String NORTH = "North Europe";
    private static final Pattern TOKEN = Pattern.compile("explorer-token\" content=\"([^\"]*)\"");

    private final Emulator emulator;

    private Regions(Emulator emulator) {
        // With preferred regions the SDK puts their names into the host name, so that must be one.
        this.emulator = new Emulator(emulator.endpoint().replace("127.0.0.1", "localhost"), emulator.key());
    }

    /** What a check does with a container. */
    private interface Use {
        void run(CosmosContainer container) throws Exception;
    }

    /** Adds the checks of an account with one write region, and of one with several. */
    static void add(Runner run, Emulator one, Emulator all) {
        Regions regions = new Regions(one);
        Regions several = new Regions(all);
        run.area("regions");
        run.check("preferred regions, reads go on while a region is offline", () -> regions.readsGoOn(() -> regions.change(NORTH, "online", false)));
        run.check("reads go on while a region answers 503", () -> regions.readsGoOn(() ->
            regions.call("POST", "faults", Json.doc("status", 503, "region", NORTH))));
        run.check("writes follow a planned failover", () -> regions.use(List.of(WEST, NORTH), container -> {
            Set<String> before = regionsOf(create(container, "1"));
            regions.change(NORTH, "failover", "planned");
            Set<String> after = regionsOf(create(container, "2"));
            holds(before.contains(WEST.toLowerCase()) && after.contains(NORTH.toLowerCase()), "the writes went to " + before + " and " + after);
            equal(read(container, "2").getItem().get("id").asText(), "2");
        }));
        // While the lost region refuses connections, the SDK gives up writes after a while.
        run.check("writes follow a forced failover", () -> regions.use(List.of(WEST, NORTH), container -> {
            create(container, "1");
            regions.change(NORTH, "failover", "forced");
            for (int attempt = 0; ; attempt++) {
                try {
                    create(container, "2");
                    break;
                } catch (CosmosException e) {
                    holds(attempt < 10, "writes do not follow: " + e.getMessage());
                }
            }
            equal(read(container, "1").getItem().get("id").asText(), "1");
        }));
        run.check("several write regions", () -> several.use(List.of(NORTH, WEST), container -> {
            equal(regionsOf(create(container, "1")), Set.of(NORTH.toLowerCase()));
            several.change(NORTH, "online", false);
            Set<String> after = regionsOf(create(container, "2"));
            holds(after.contains(WEST.toLowerCase()), "the writes went to " + after);
            equal(read(container, "2").getItem().get("id").asText(), "2");
        }));
    }

    private void readsGoOn(Runner.Check fail) throws Exception {
        use(List.of(NORTH, WEST), container -> {
            create(container, "1");
            holds(regionsOf(read(container, "1")).equals(Set.of(NORTH.toLowerCase())), "reads do not go to " + NORTH);
            fail.run();
            for (int n = 0; n < 2; n++) {
                CosmosItemResponse<ObjectNode> answer = read(container, "1");
                holds(regionsOf(answer).contains(WEST.toLowerCase()), "reads do not go to " + WEST);
            }
            equal(Account.all(container, "SELECT VALUE c.id FROM c WHERE c.pk = 'a'"), List.of("1"));
        });
    }

    private static CosmosItemResponse<ObjectNode> create(CosmosContainer container, String id) {
        return container.createItem(Json.doc("id", id, "pk", "a"), keyOf("a"), new CosmosItemRequestOptions());
    }

    private static CosmosItemResponse<ObjectNode> read(CosmosContainer container, String id) {
        return container.readItem(id, keyOf("a"), ObjectNode.class);
    }

    /** The regions that a request reached, in lower case. */
    private static Set<String> regionsOf(CosmosItemResponse<ObjectNode> answer) {
        return answer.getDiagnostics().getContactedRegionNames();
    }

    /** Runs a check with a client that prefers regions, and makes the regions as they were. */
    private synchronized void use(List<String> preferred, Use check) throws Exception {
        try (CosmosClient client = Account.builder(emulator).preferredRegions(preferred).buildClient()) {
            String database = "java-" + UUID.randomUUID();
            client.createDatabase(database);
            client.getDatabase(database).createContainer("c", "/pk");
            check.run(client.getDatabase(database).getContainer("c"));
        } finally {
            for (JsonNode fault : call("GET", "account", null).get("faults")) {
                call("DELETE", "faults?id=" + fault.get("id").asText(), null);
            }
            change(WEST, "online", true);
            change(NORTH, "online", true);
            change(WEST, "failover", "planned");
        }
    }

    private void change(String region, String what, Object value) throws Exception {
        call("POST", "regions", Json.doc("name", region, what, value));
    }

    /** Calls the explorer of the emulator. */
    private JsonNode call(String method, String path, ObjectNode body) throws Exception {
        HttpClient http = HttpClient.newHttpClient();
        URI explorer = URI.create(emulator.endpoint()).resolve("_explorer/");
        Matcher token = TOKEN.matcher(http.send(HttpRequest.newBuilder(explorer).build(), BodyHandlers.ofString()).body());
        holds(token.find(), "the explorer's page has no token");
        HttpRequest request = HttpRequest.newBuilder(explorer.resolve("api/" + path)).header("X-Explorer-Token", token.group(1))
            .method(method, body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body.toString())).build();
        HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
        holds(answer.statusCode() == 200, "the explorer answers " + answer.statusCode() + " " + answer.body());
        return Json.parse(answer.body());
    }
}
