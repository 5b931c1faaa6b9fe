package interop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs named checks, a few at a time, and prints ok or FAIL for each in the order of the source.
 * The name of a check begins with the operations that it tries, as operations.txt names them:
 * {@code "ORDER BY, pages: every document once"}.
 */
final class Runner {
    /** A check fails if it throws, or takes longer than {@link #LIMIT}. */
    interface Check {
        void run() throws Exception;
    }

    private record Named(String area, String name, String result, Check check) {
        String full() {
            return area + ": " + name;
        }

        List<String> operations() {
            return List.of(name.split(": ", 2)[0].split(", "));
        }
    }

    /** The most seconds that a check may take. */
    private static final int LIMIT = 60;

    private final List<Named> checks = new ArrayList<>();
    private final String only;
    private String area = "";

    /** A runner of the checks whose names hold a text. */
    Runner(String only) {
        this.only = only;
    }

    /** Names the part of the SDK that the next checks use. */
    void area(String name) {
        area = name;
    }

    /** Adds a check that something works. */
    void check(String name, Check check) {
        add(name, "works", check);
    }

    /** Adds a check that the server refuses something by its name. */
    void refused(String name, Check check) {
        add(name, "refused", check);
    }

    /** Adds a check that the SDK itself cannot do something. */
    void notInSdk(String name, Check check) {
        add(name, "sdk", check);
    }

    private void add(String name, String result, Check check) {
        Named named = new Named(area, name, result, check);
        if (named.full().contains(only)) {
            checks.add(named);
        }
    }

    /** Runs the checks, and returns whether all passed and there was one. */
    boolean run(int threads) throws IOException {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        List<Future<?>> running = new ArrayList<>();
        for (Named named : checks) {
            running.add(pool.submit(() -> {
                named.check.run();
                return null;
            }));
        }
        List<String> lines = new ArrayList<>();
        int failed = 0;
        for (int n = 0; n < checks.size(); n++) {
            Named named = checks.get(n);
            String problem = problem(running.get(n));
            failed += problem == null ? 0 : 1;
            System.out.println(problem == null ? "ok " + named.full() : "FAIL " + named.full() + "\n    " + problem);
            lines.add(line(named, problem));
        }
        pool.shutdownNow();
        System.out.printf("%d of %d checks passed%n", checks.size() - failed, checks.size());
        String results = System.getenv("INTEROP_RESULTS");
        if (results != null) {
            Files.write(Path.of(results, "java.jsonl"), lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
        return failed == 0 && !checks.isEmpty();
    }

    /** The result of a check as a line of JSON, for the table of operations. */
    private static String line(Named named, String problem) {
        var line = Json.doc("sdk", "java", "area", named.area, "operations", named.operations(),
            "check", named.name, "result", problem == null ? named.result : "fail");
        if (problem != null) {
            line.put("error", problem);
        }
        return line.toString();
    }

    /** Waits for a check, and tells why it failed; null if it passed. */
    private static String problem(Future<?> check) {
        try {
            check.get(LIMIT, TimeUnit.SECONDS);
            return null;
        } catch (ExecutionException e) {
            return Failures.describe(e.getCause());
        } catch (TimeoutException e) {
            check.cancel(true);
            return "no end after " + LIMIT + " s";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return e.toString();
        }
    }
}
