package interop;

import static interop.Account.keyOf;
import static interop.Failures.contains;
import static interop.Failures.equal;
import static interop.Failures.holds;
import static interop.Failures.refused;

import com.azure.cosmos.ChangeFeedProcessor;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.ChangeFeedOperationType;
import com.azure.cosmos.models.ChangeFeedProcessorItem;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.FeedResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Checks of the change feed of all versions and deletes, on an account that has it, over plain HTTP. */
final class Versions {
    private Versions() {}

    /** Reads the feed until it has nothing new, and returns the continuation. */
    private static String drain(CosmosContainer container, CosmosChangeFeedRequestOptions options, List<ChangeFeedProcessorItem> items) {
        String continuation = null;
        for (FeedResponse<ChangeFeedProcessorItem> page :
                container.queryChangeFeed(options.allVersionsAndDeletes(), ChangeFeedProcessorItem.class).iterableByPage()) {
            items.addAll(page.getResults());
            continuation = page.getContinuationToken();
        }
        return continuation;
    }

    /** Creates, replaces twice and deletes one document, and creates another. */
    private static void write(CosmosContainer container) {
        container.createItem(Json.doc("id", "1", "pk", "a", "n", 1));
        container.upsertItem(Json.doc("id", "1", "pk", "a", "n", 2));
        container.upsertItem(Json.doc("id", "1", "pk", "a", "n", 3));
        container.deleteItem("1", keyOf("a"), null);
        container.createItem(Json.doc("id", "2", "pk", "b", "n", 4));
    }

    /** Fails unless changes are those of {@link #write}, in the order of each document's writes. */
    private static void check(Collection<ChangeFeedProcessorItem> items) {
        List<ChangeFeedOperationType> types = new ArrayList<>();
        List<Integer> numbers = new ArrayList<>();
        for (ChangeFeedProcessorItem item : items) {
            ChangeFeedOperationType type = item.getChangeFeedMetaData().getOperationType();
            holds(item.getChangeFeedMetaData().getLogSequenceNumber() > 0, "no number in the log");
            holds(item.getChangeFeedMetaData().getConflictResolutionTimestamp() != null, "no time");
            if (type != ChangeFeedOperationType.DELETE && item.getCurrent().get("id").asText().equals("2")) {
                continue;
            }
            types.add(type);
            if (type != ChangeFeedOperationType.DELETE) {
                numbers.add(item.getCurrent().get("n").asInt());
            }
        }
        equal(items.size(), 5);
        equal(types, List.of(ChangeFeedOperationType.CREATE, ChangeFeedOperationType.REPLACE, ChangeFeedOperationType.REPLACE, ChangeFeedOperationType.DELETE));
        equal(numbers, List.of(1, 2, 3));
    }

    static void add(Runner run, Account account) {
        run.area("change feed");

        run.check("all versions, now, continuation: each version and deletion once", () -> {
            CosmosContainer container = account.container();
            container.createItem(Json.doc("id", "0", "pk", "a", "n", 0));
            List<ChangeFeedProcessorItem> items = new ArrayList<>();
            String continuation = drain(container, CosmosChangeFeedRequestOptions.createForProcessingFromNow(FeedRange.forFullRange()), items);
            equal(items.size(), 0);
            write(container);
            continuation = drain(container, CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(continuation), items);
            check(items);
            drain(container, CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(continuation), items);
            equal(items.size(), 5);
        });

        run.check("all versions: not from the beginning, as the SDK itself says", () -> {
            CosmosContainer container = account.container();
            try {
                CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(FeedRange.forFullRange()).allVersionsAndDeletes();
            } catch (IllegalStateException e) {
                contains(e.getMessage(), "createForProcessingFromNow");
                return;
            }
            throw new AssertionError("no error");
        });

        run.check("all versions, processor: receives each version and deletion", () -> {
            CosmosContainer feed = account.container();
            CosmosContainer leases = Processors.leases(account);
            Collection<ChangeFeedProcessorItem> items = new ConcurrentLinkedQueue<>();
            ChangeFeedProcessor processor = Processors.Host.builder(account, feed, leases, "one", false)
                .handleAllVersionsAndDeletesChanges((received, context) -> {
                    holds(!context.getLeaseToken().isEmpty(), "no lease");
                    items.addAll(received);
                }).buildChangeFeedProcessor();
            processor.start().block(Duration.ofSeconds(20));
            Processors.await("leases with a place in the feed", () -> Account.all(leases, "SELECT VALUE c.id FROM c WHERE IS_STRING(c.ContinuationToken)").size() == 4);
            write(feed);
            Processors.await("changes", () -> items.size() >= 5);
            processor.stop().block(Duration.ofSeconds(20));
            check(items);
        });

        run.area("clients");
        run.check("over plain HTTP: writes, reads and queries", () -> {
            CosmosContainer container = account.container();
            Account.fill(container, 0, 10);
            equal(Account.read(container, "3", "p3").get("n"), 3);
            equal(Account.all(container, "SELECT VALUE c.n FROM c ORDER BY c.n DESC OFFSET 0 LIMIT 2"), List.of(9, 8));
        });
    }

    /** Adds a check that an account without the option refuses the feed. */
    static void addWithout(Runner run, Account account) {
        run.area("errors");
        run.check("400: the feed of all versions on an account without it", () -> contains(refused(400, () -> drain(account.container(),
            CosmosChangeFeedRequestOptions.createForProcessingFromNow(FeedRange.forFullRange()), new ArrayList<>())).getMessage(), "All Versions and Deletes"));
    }
}
