package interop;

import static interop.Failures.equal;
import static interop.Failures.holds;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.FeedResponse;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Checks of the change feed as a program pulls it. */
final class Feeds {
    private Feeds() {}

    /** What a feed had, and where it goes on. */
    record Read(List<Integer> numbers, String continuation) {}

    /** Reads a feed until it has nothing new. */
    static Read drain(CosmosContainer container, CosmosChangeFeedRequestOptions options) {
        List<Integer> numbers = new ArrayList<>();
        String continuation = null;
        for (FeedResponse<JsonNode> page : container.queryChangeFeed(options.setMaxItemCount(3), JsonNode.class).iterableByPage()) {
            page.getResults().forEach(doc -> numbers.add(doc.get("n").asInt()));
            continuation = page.getContinuationToken();
        }
        holds(continuation != null, "no continuation");
        return new Read(numbers, continuation);
    }

    static Read next(CosmosContainer container, Read read) {
        return drain(container, CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(read.continuation));
    }

    static void same(List<Integer> got, List<Integer> want) {
        equal(Json.sorted(got), Json.sorted(want));
    }

    static List<Integer> range(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }

    static void add(Runner run, Account account) {
        run.area("change feed");

        run.check("beginning, continuation: every document once, then the new ones", () -> {
            CosmosContainer container = account.container();
            Account.fill(container, 0, 40);
            Read first = drain(container, CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(FeedRange.forFullRange()));
            same(first.numbers, range(0, 40));
            same(next(container, first).numbers, List.of());
            Account.fill(container, 40, 50);
            Read second = next(container, first);
            same(second.numbers, range(40, 50));
            same(next(container, second).numbers, List.of());
        });

        run.check("beginning: only the latest version of each document, in the order of writes", () -> {
            CosmosContainer container = account.container();
            for (int n = 0; n < 5; n++) {
                container.createItem(Json.doc("id", "" + n, "pk", "a", "n", n));
            }
            container.upsertItem(Json.doc("id", "1", "pk", "a", "n", 11));
            container.deleteItem("2", Account.keyOf("a"), null);
            equal(drain(container, CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(FeedRange.forFullRange())).numbers, List.of(0, 3, 4, 11));
        });

        run.check("now, continuation: only what comes later", () -> {
            CosmosContainer container = account.container();
            Account.fill(container, 0, 10);
            Read first = drain(container, CosmosChangeFeedRequestOptions.createForProcessingFromNow(FeedRange.forFullRange()));
            same(first.numbers, List.of());
            Account.fill(container, 10, 24);
            same(next(container, first).numbers, range(10, 24));
        });

        run.check("time: from a point between two writes", () -> {
            CosmosContainer container = account.container();
            Account.fill(container, 0, 10);
            Thread.sleep(1500);
            Instant between = Instant.now();
            Thread.sleep(1500);
            Account.fill(container, 10, 20);
            same(drain(container, CosmosChangeFeedRequestOptions.createForProcessingFromPointInTime(between, FeedRange.forFullRange())).numbers, range(10, 20));
        });

        run.check("partition key, continuation: one logical partition in the order of its writes", () -> {
            CosmosContainer container = account.container();
            Account.fill(container, 0, 21);
            FeedRange key = FeedRange.forLogicalPartition(Account.keyOf("p3"));
            Read first = drain(container, CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(key));
            equal(first.numbers, List.of(3, 10, 17));
            Account.fill(container, 21, 28);
            equal(next(container, first).numbers, List.of(24));
        });

        run.check("feed range, continuation: the ranges of a container hold every document once", () -> {
            CosmosContainer container = account.container();
            Account.fill(container, 0, 40);
            List<Integer> numbers = new ArrayList<>();
            List<Read> reads = new ArrayList<>();
            for (FeedRange range : container.getFeedRanges()) {
                Read read = drain(container, CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(range));
                numbers.addAll(read.numbers);
                reads.add(read);
            }
            equal(reads.size(), 4);
            same(numbers, range(0, 40));
            Account.fill(container, 40, 60);
            List<Integer> later = new ArrayList<>();
            reads.forEach(read -> later.addAll(next(container, read).numbers));
            same(later, range(40, 60));
        });

        run.check("feed range: kept as a text", () -> {
            CosmosContainer container = account.container();
            Account.fill(container, 0, 14);
            List<Integer> numbers = new ArrayList<>();
            for (FeedRange range : container.getFeedRanges()) {
                FeedRange again = FeedRange.fromString(range.toString());
                numbers.addAll(drain(container, CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(again)).numbers);
            }
            same(numbers, range(0, 14));
        });

        run.check("partition key: a hierarchical one", () -> {
            CosmosContainer container = account.container(c -> c.setPartitionKeyDefinition(Account.key("/a", "/b")));
            for (int n = 0; n < 12; n++) {
                container.createItem(Json.doc("id", "" + n, "a", "a" + n % 2, "b", n % 3, "n", n));
            }
            FeedRange key = FeedRange.forLogicalPartition(Account.keyOf("a1", 2));
            equal(drain(container, CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(key)).numbers, List.of(5, 11));
        });
    }
}
