package interop;

import static interop.Failures.holds;
import static interop.Processors.await;
import static interop.Processors.range;

import com.azure.cosmos.ChangeFeedProcessor;
import com.azure.cosmos.ChangeFeedProcessorBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.ChangeFeedProcessorOptions;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Checks of processors in Java and of pkgen's that share a container of leases. */
final class Shared {
    private Shared() {}

    private static final String NAME = "shared";

    /** The two forms in which Java stores leases, under the names that the program in Go knows. */
    private enum Dialect {
        RANGE("of changes"),
        EPK("of latest versions");

        final String words;

        Dialect(String words) {
            this.words = words;
        }
    }

    /** A process of a processor, and the numbers that it has received. */
    private abstract static class Member {
        final Collection<Integer> numbers = new ConcurrentLinkedQueue<>();

        abstract void stop() throws Exception;

        Set<Integer> got() {
            return new HashSet<>(numbers);
        }
    }

    private static final class Java extends Member {
        private final ChangeFeedProcessor processor;

        Java(Account account, CosmosContainer feed, CosmosContainer leases, Dialect dialect) {
            ChangeFeedProcessorBuilder builder = new ChangeFeedProcessorBuilder()
                .hostName("java-" + System.nanoTime())
                .feedContainer(account.async(feed))
                .leaseContainer(account.async(leases))
                .options(new ChangeFeedProcessorOptions()
                    .setLeasePrefix(NAME)
                    .setStartFromBeginning(true)
                    .setMaxItemCount(5)
                    .setFeedPollDelay(Duration.ofMillis(100))
                    .setLeaseAcquireInterval(Duration.ofMillis(500))
                    .setLeaseRenewInterval(Duration.ofMillis(500))
                    .setLeaseExpirationInterval(Duration.ofSeconds(5)));
            Consumer<JsonNode> receive = doc -> numbers.add(doc.get("n").asInt());
            if (dialect == Dialect.RANGE) {
                builder.handleChanges(docs -> docs.forEach(receive));
            } else {
                builder.handleLatestVersionChanges(items -> items.forEach(item -> receive.accept(item.getCurrent())));
            }
            processor = builder.buildChangeFeedProcessor();
            processor.start().block(Duration.ofSeconds(20));
        }

        @Override
        void stop() {
            processor.stop().block(Duration.ofSeconds(20));
        }
    }

    private static final class Go extends Member {
        private final Process process;
        private final Thread reader;

        Go(Account account, CosmosContainer feed, CosmosContainer leases, Dialect dialect) throws IOException {
            ProcessBuilder builder = new ProcessBuilder(System.getenv("INTEROP_PROCESSOR"), dialect.name().toLowerCase(),
                NAME, account.database.getId(), feed.getId(), leases.getId())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
            builder.environment().put("SSL_CERT_FILE", System.getenv("INTEROP_CERTIFICATE"));
            process = builder.start();
            reader = new Thread(() -> {
                try (BufferedReader lines = new BufferedReader(new InputStreamReader(process.getInputStream()))) {
                    lines.lines().forEach(line -> numbers.add(Integer.valueOf(line)));
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            reader.start();
        }

        @Override
        void stop() throws Exception {
            process.getOutputStream().close();
            holds(process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0, "the process in Go did not end well");
            reader.join();
        }
    }

    private interface Maker {
        Member make(Account account, CosmosContainer feed, CosmosContainer leases, Dialect dialect) throws Exception;
    }

    static void add(Runner run, Account account) {
        run.area("change feed");
        for (Dialect dialect : Dialect.values()) {
            takesOver(run, account, dialect, "Java, pkgen and Java", List.of(Java::new, Go::new, Java::new));
            takesOver(run, account, dialect, "pkgen, Java and pkgen", List.of(Go::new, Java::new, Go::new));
            run.check("processor: " + dialect.words + ", Java and pkgen share the leases", () -> {
                CosmosContainer feed = account.container();
                CosmosContainer leases = Processors.leases(account);
                Member java = new Java(account, feed, leases, dialect);
                await("leases of Java", () -> owners(leases).size() == 4);
                Member pkgen = new Go(account, feed, leases, dialect);
                await("two leases each", () -> owners(leases).stream().filter(owner -> owner.startsWith("java-")).count() == 2
                    && owners(leases).size() == 4);
                Account.fill(feed, 0, 60);
                await("documents", () -> {
                    Set<Integer> got = java.got();
                    got.addAll(pkgen.got());
                    return got.equals(range(0, 60));
                });
                java.stop();
                pkgen.stop();
                holds(!java.numbers.isEmpty() && !pkgen.numbers.isEmpty(), "one of them received all");
            });
        }
    }

    /** Each member goes on where the one before it was, and receives little again. */
    private static void takesOver(Runner run, Account account, Dialect dialect, String who, List<Maker> makers) {
        run.check("processor: " + dialect.words + ", " + who + " take over from each other", () -> {
            CosmosContainer feed = account.container();
            CosmosContainer leases = Processors.leases(account);
            List<Member> all = new ArrayList<>();
            for (Maker maker : makers) {
                int from = 30 * all.size();
                Account.fill(feed, from, from + 30);
                all.add(maker.make(account, feed, leases, dialect));
                await("documents from " + from, () -> {
                    Set<Integer> got = new HashSet<>();
                    all.forEach(member -> got.addAll(member.numbers));
                    return got.equals(range(0, from + 30));
                });
                Member last = all.get(all.size() - 1);
                last.stop();
                Thread.sleep(500); // the stop of Java returns before the last polls end, which may receive what comes now
                // Progress that could not be saved at the stop is done again: a page of each lease.
                int received = last.got().size();
                holds(received > 0 && received <= 30 + 4 * 5, "received " + received + " of 30");
            }
        });
    }

    /** The owners of all leases. */
    private static List<String> owners(CosmosContainer leases) {
        return Account.all(leases, "SELECT VALUE c.Owner FROM c WHERE IS_DEFINED(c.LeaseToken) AND IS_STRING(c.Owner)")
            .stream().map(JsonNode::asText).toList();
    }
}
