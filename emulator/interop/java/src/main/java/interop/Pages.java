package interop;

import static interop.Failures.contains;
import static interop.Failures.equal;
import static interop.Failures.holds;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.FeedResponse;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;

/** Checks of pages, continuations and feed ranges of queries: every document once. */
final class Pages {
    private static final List<Integer> NUMBERS = IntStream.range(0, 60).boxed().toList();

    private Pages() {}

    /** Reads one page, and goes on from its continuation with a new query, until there is none. */
    private static List<JsonNode> pages(CosmosContainer container, String query, int size, CosmosQueryRequestOptions options) {
        List<JsonNode> rows = new ArrayList<>();
        String continuation = null;
        do {
            Iterator<FeedResponse<JsonNode>> pages =
                container.queryItems(query, options, JsonNode.class).iterableByPage(continuation, size).iterator();
            FeedResponse<JsonNode> page = pages.next();
            holds(page.getResults().size() <= size, "a page of " + page.getResults().size());
            rows.addAll(page.getResults());
            continuation = page.getContinuationToken();
        } while (continuation != null);
        return rows;
    }

    static void add(Runner run, Account account) {
        run.area("queries");
        for (int size : List.of(1, 7, 100)) {
            run.check("pages, continuation: of " + size + " without an order", () -> equal(
                Json.sorted(pages(account.people(), "SELECT VALUE c.n FROM c", size, new CosmosQueryRequestOptions())), Json.sorted(NUMBERS)));
        }

        run.check("ORDER BY, pages, continuation: of 7", () -> equal(
            pages(account.people(), "SELECT VALUE c.n FROM c ORDER BY c.n", 7, new CosmosQueryRequestOptions()), NUMBERS));

        run.check("ORDER BY, pages, continuation: of 7 whole documents with equal values", () -> equal(
            Json.sorted(pages(account.people(), "SELECT * FROM c ORDER BY c.team", 7, new CosmosQueryRequestOptions())
                .stream().map(doc -> doc.get("n")).toList()), Json.sorted(NUMBERS)));

        run.check("ORDER BY several, pages, continuation: of 7", () -> equal(
            Json.sorted(pages(account.people(), "SELECT VALUE c.n FROM c ORDER BY c.team ASC, c.n DESC", 7, new CosmosQueryRequestOptions())),
            Json.sorted(NUMBERS)));

        run.check("OFFSET LIMIT, pages, continuation: of 4", () -> equal(
            pages(account.people(), "SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 5 LIMIT 20", 4, new CosmosQueryRequestOptions()),
            NUMBERS.subList(5, 25)));

        run.check("TOP, pages, continuation: of 4", () -> equal(
            pages(account.people(), "SELECT TOP 11 VALUE c.n FROM c ORDER BY c.n", 4, new CosmosQueryRequestOptions()),
            NUMBERS.subList(0, 11)));

        // The SDK forgets the last value when a page has no new one, so its continuations repeat values.
        run.check("DISTINCT, ORDER BY, pages: of 3 by one query", () -> {
            List<JsonNode> rows = new ArrayList<>();
            account.people().queryItems("SELECT DISTINCT VALUE c.team FROM c ORDER BY c.team", new CosmosQueryRequestOptions(), JsonNode.class)
                .iterableByPage(3).forEach(page -> rows.addAll(page.getResults()));
            equal(rows, List.of("a", "b", "c", "d"));
        });

        run.check("ORDER BY DESC, pages, continuation: of 7", () -> equal(
            pages(account.people(), "SELECT VALUE c.n FROM c ORDER BY c.n DESC", 7, new CosmosQueryRequestOptions()), IntStream.range(0, 60).map(n -> 59 - n).boxed().toList()));

        run.check("JOIN, pages, continuation: of 7", () -> equal(
            pages(account.people(), "SELECT VALUE c.id FROM c JOIN t IN c.tags", 7, new CosmosQueryRequestOptions()).size(), 120));

        run.check("one partition key, pages, continuation: of 2", () -> equal(
            Json.sorted(pages(account.people(), "SELECT VALUE c.n FROM c", 2, new CosmosQueryRequestOptions().setPartitionKey(Account.keyOf("p3")))),
            Json.sorted(List.of(3, 23, 43))));

        run.check("feed range: the ranges of a container hold every document once", () -> {
            List<JsonNode> rows = new ArrayList<>();
            for (FeedRange range : account.people().getFeedRanges()) {
                rows.addAll(pages(account.people(), "SELECT VALUE c.n FROM c", 9, new CosmosQueryRequestOptions().setFeedRange(range)));
            }
            equal(Json.sorted(rows), Json.sorted(NUMBERS));
        });

        run.check("feed range: of a logical partition, and as a text", () -> {
            FeedRange range = FeedRange.fromString(FeedRange.forLogicalPartition(Account.keyOf("p3")).toString());
            equal(Json.sorted(pages(account.people(), "SELECT VALUE c.n FROM c", 9, new CosmosQueryRequestOptions().setFeedRange(range))),
                Json.sorted(List.of(3, 23, 43)));
        });

        run.check("metrics: a page has a charge and metrics", () -> {
            CosmosQueryRequestOptions options = new CosmosQueryRequestOptions().setQueryMetricsEnabled(true);
            FeedResponse<JsonNode> page = account.people().queryItems("SELECT * FROM c", options, JsonNode.class).iterableByPage(10).iterator().next();
            holds(page.getRequestCharge() > 0, "no charge");
            contains(page.getCosmosDiagnostics().toString(), "retrievedDocumentCount");
        });
    }
}
