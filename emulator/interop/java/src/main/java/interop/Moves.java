package interop;

import static interop.Failures.equal;
import static interop.Failures.holds;
import static interop.Feeds.range;
import static interop.Feeds.same;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks of what clients see when physical partitions split and merge. */
final class Moves {
    private static final Pattern TOKEN = Pattern.compile("explorer-token\" content=\"([^\"]*)\"");

    private Moves() {}

    /** What moves the physical partitions of a container. */
    private interface Move {
        void run(CosmosContainer container) throws Exception;
    }

    static void add(Runner run, Account account) {
        run.area("partitions move");
        checks(run, account, "split", Moves::split);
        checks(run, account, "merge", container -> merge(account, container));
    }

    /** Makes the four physical partitions of a container more, by throughput. */
    private static void split(CosmosContainer container) {
        container.replaceThroughput(ThroughputProperties.createManualThroughput(60_000));
    }

    /** Merges two physical partitions of a container, by the explorer of the emulator. */
    private static void merge(Account account, CosmosContainer container) throws IOException, InterruptedException {
        HttpClient http = HttpClient.newHttpClient();
        URI explorer = URI.create(account.emulator.endpoint()).resolve("_explorer/");
        Matcher token = TOKEN.matcher(http.send(HttpRequest.newBuilder(explorer).build(), BodyHandlers.ofString()).body());
        holds(token.find(), "the explorer's page has no token");
        String body = Json.doc("db", account.database.getId(), "c", container.getId(), "ranges", List.of("1", "2")).toString();
        HttpRequest request = HttpRequest.newBuilder(explorer.resolve("api/merge")).header("X-Explorer-Token", token.group(1))
            .POST(HttpRequest.BodyPublishers.ofString(body)).build();
        equal(http.send(request, BodyHandlers.ofString()).statusCode() / 100, 2);
    }

    private static void checks(Runner run, Account account, String name, Move move) {
        run.check(name + ": reads, writes, queries and bulk go on", () -> {
            CosmosContainer container = account.container();
            Account.fill(container, 0, 40);
            equal(Account.all(container, "SELECT VALUE c.n FROM c ORDER BY c.n"), range(0, 40));
            move.run(container);
            for (int n = 0; n < 40; n++) {
                equal(Account.read(container, "" + n, "p" + n % 7).get("n"), n);
            }
            Account.fill(container, 40, 50);
            equal(Account.all(container, "SELECT VALUE c.n FROM c ORDER BY c.n"), range(0, 50));
            equal(Account.all(container, "SELECT VALUE COUNT(1) FROM c"), List.of(50));
        });

        for (String query : List.of("SELECT VALUE c.n FROM c", "SELECT VALUE c.n FROM c ORDER BY c.n")) {
            run.check(name + ": between two pages of " + query, () -> {
                CosmosContainer container = account.container();
                Account.fill(container, 0, 40);
                FeedResponse<JsonNode> first =
                    container.queryItems(query, new CosmosQueryRequestOptions(), JsonNode.class).iterableByPage(6).iterator().next();
                move.run(container);
                List<JsonNode> rows = new ArrayList<>(first.getResults());
                container.queryItems(query, new CosmosQueryRequestOptions(), JsonNode.class)
                    .iterableByPage(first.getContinuationToken(), 6).forEach(page -> rows.addAll(page.getResults()));
                equal(Json.sorted(rows), Json.sorted(range(0, 40)));
            });
        }

        run.check(name + ": the change feed goes on from a continuation", () -> {
            CosmosContainer container = account.container();
            Account.fill(container, 0, 30);
            Feeds.Read first = Feeds.drain(container, CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(FeedRange.forFullRange()));
            same(first.numbers(), range(0, 30));
            move.run(container);
            Account.fill(container, 30, 50);
            same(Feeds.next(container, first).numbers(), range(30, 50));
        });

        run.check(name + ": a change feed processor of latest versions receives all", () -> {
            CosmosContainer feed = account.container();
            Processors.Host host = Processors.Host.ofLatest(account, feed, Processors.leases(account), "one");
            Account.fill(feed, 0, 30);
            host.start();
            Processors.await("documents", () -> new HashSet<>(host.numbers).equals(Processors.range(0, 30)));
            move.run(feed);
            Account.fill(feed, 30, 60);
            Processors.await("documents after the " + name, () -> new HashSet<>(host.numbers).equals(Processors.range(0, 60)));
            host.stop();
        });
    }
}
