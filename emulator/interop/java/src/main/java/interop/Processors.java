package interop;

import static interop.Account.all;
import static interop.Failures.holds;

import com.azure.cosmos.ChangeFeedProcessor;
import com.azure.cosmos.ChangeFeedProcessorBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.ChangeFeedProcessorOptions;
import com.azure.cosmos.models.ChangeFeedProcessorState;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Checks of change feed processors with a container of leases. */
final class Processors {
    private Processors() {}

    /** A host of a processor, and the numbers that it has received. */
    static final class Host {
        final Collection<Integer> numbers = new ConcurrentLinkedQueue<>();
        final ChangeFeedProcessor processor;

        /** A host of the feed of changes, by the lease of each physical partition as older programs have it. */
        static Host ofRanges(Account account, CosmosContainer feed, CosmosContainer leases, String name) {
            return new Host(account, feed, leases, name, (builder, receive) -> builder.handleChanges(docs -> docs.forEach(receive)));
        }

        /** A host of the feed of latest versions, by leases of parts of the key space. */
        static Host ofLatest(Account account, CosmosContainer feed, CosmosContainer leases, String name) {
            return new Host(account, feed, leases, name, (builder, receive) ->
                builder.handleLatestVersionChanges(items -> items.forEach(item -> receive.accept(item.getCurrent()))));
        }

        private interface Mode {
            void set(ChangeFeedProcessorBuilder builder, Consumer<JsonNode> receive);
        }

        private Host(Account account, CosmosContainer feed, CosmosContainer leases, String name, Mode mode) {
            ChangeFeedProcessorBuilder builder = builder(account, feed, leases, name, true);
            mode.set(builder, doc -> numbers.add(doc.get("n").asInt()));
            processor = builder.buildChangeFeedProcessor();
        }

        /** A processor without its handler, quick enough for a check. */
        static ChangeFeedProcessorBuilder builder(Account account, CosmosContainer feed, CosmosContainer leases, String name, boolean fromBeginning) {
            return new ChangeFeedProcessorBuilder()
                .hostName(name)
                .feedContainer(account.async(feed))
                .leaseContainer(account.async(leases))
                .options(new ChangeFeedProcessorOptions()
                    .setStartFromBeginning(fromBeginning)
                    .setMaxItemCount(5)
                    .setFeedPollDelay(Duration.ofMillis(100))
                    .setLeaseAcquireInterval(Duration.ofMillis(500))
                    .setLeaseRenewInterval(Duration.ofMillis(500))
                    .setLeaseExpirationInterval(Duration.ofSeconds(10)));
        }

        void start() {
            processor.start().block(Duration.ofSeconds(20));
        }

        void stop() {
            processor.stop().block(Duration.ofSeconds(20));
        }
    }

    private interface Maker {
        Host make(Account account, CosmosContainer feed, CosmosContainer leases, String name);
    }

    static CosmosContainer leases(Account account) {
        return account.container(c -> c.setPartitionKeyDefinition(Account.key("/id")));
    }

    /** Waits until a condition holds, and fails after 30 seconds. */
    static void await(String what, BooleanSupplier condition) throws InterruptedException {
        for (int n = 0; n < 300; n++) {
            if (condition.getAsBoolean()) {
                return;
            }
            Thread.sleep(100);
        }
        throw new AssertionError("no " + what + " within 30 s");
    }

    static Set<Integer> range(int from, int to) {
        return new HashSet<>(IntStream.range(from, to).boxed().toList());
    }

    static void add(Runner run, Account account) {
        run.area("change feed");
        both(run, account, "of changes", Host::ofRanges);
        both(run, account, "of latest versions", Host::ofLatest);

        run.check("processor: its state and estimated lag", () -> {
            CosmosContainer feed = account.container();
            Account.fill(feed, 0, 20);
            Host host = Host.ofLatest(account, feed, leases(account), "one");
            host.start();
            await("documents", () -> new HashSet<>(host.numbers).equals(range(0, 20)));
            await("end of the lag", () -> lag(host) == 0);
            host.stop();
            // A poll that was under way when stop returned may still receive the next documents.
            AtomicInteger stored = new AtomicInteger(20);
            await("lag", () -> {
                int from = stored.getAndAdd(14);
                Account.fill(feed, from, from + 14);
                return lag(host) > 0;
            });
        });
    }

    private static int lag(Host host) {
        List<ChangeFeedProcessorState> states = host.processor.getCurrentState().block(Duration.ofSeconds(20));
        return states.stream().mapToInt(state -> Math.max(0, state.getEstimatedLag())).sum();
    }

    private static void both(Runner run, Account account, String kind, Maker maker) {
        run.check("processor: " + kind + ", receives all, and goes on where it was stopped", () -> {
            CosmosContainer feed = account.container();
            CosmosContainer leases = leases(account);
            Account.fill(feed, 0, 40);
            Host first = maker.make(account, feed, leases, "first");
            first.start();
            await("documents", () -> new HashSet<>(first.numbers).equals(range(0, 40)));
            Account.fill(feed, 40, 50);
            await("later documents", () -> new HashSet<>(first.numbers).equals(range(0, 50)));
            first.stop();
            holds(!first.processor.isStarted(), "still started");
            Account.fill(feed, 50, 60);
            // What the first host has not written into its leases is done again: at least once.
            Host second = maker.make(account, feed, leases, "second");
            second.start();
            await("documents after the stop", () -> {
                Set<Integer> got = new HashSet<>(first.numbers);
                got.addAll(second.numbers);
                return got.equals(range(0, 60));
            });
            second.stop();
            holds(new HashSet<>(second.numbers).size() < 60, "the second host began at the beginning");
        });

        run.check("processor: " + kind + ", two hosts share the leases", () -> {
            CosmosContainer feed = account.container();
            CosmosContainer leases = leases(account);
            Host one = maker.make(account, feed, leases, "one");
            one.start();
            await("leases of the first host", () -> owners(leases).size() == 4 && Set.copyOf(owners(leases)).equals(Set.of("one")));
            Host two = maker.make(account, feed, leases, "two");
            two.start();
            await("two leases each", () -> owners(leases).stream().filter("two"::equals).count() == 2);
            Account.fill(feed, 0, 60);
            List<Integer> got = new ArrayList<>();
            await("documents", () -> {
                got.clear();
                got.addAll(one.numbers);
                got.addAll(two.numbers);
                return new HashSet<>(got).equals(range(0, 60));
            });
            one.stop();
            two.stop();
            holds(!one.numbers.isEmpty() && !two.numbers.isEmpty(), "one host received all");
        });
    }

    /** The owners of all leases. */
    private static List<String> owners(CosmosContainer leases) {
        return all(leases, "SELECT VALUE c.Owner FROM c WHERE IS_DEFINED(c.LeaseToken) AND IS_STRING(c.Owner)").stream().map(JsonNode::asText).toList();
    }
}
