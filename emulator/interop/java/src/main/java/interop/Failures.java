package interop;

import com.azure.cosmos.CosmosException;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;
import reactor.core.Exceptions;

/** What checks assert, and how a failure is told. */
final class Failures {
    private Failures() {}

    /** Something that may fail. */
    interface Action {
        void run() throws Exception;
    }

    /** Fails unless two values are equal. Numbers of JSON are equal if their values are. */
    static void equal(Object got, Object want) {
        if (!Objects.equals(Json.comparable(got), Json.comparable(want))) {
            throw new AssertionError("got " + shorten(String.valueOf(got)) + ", want " + shorten(String.valueOf(want)));
        }
    }

    /** Fails unless a condition holds. */
    static void holds(boolean condition, String otherwise) {
        if (!condition) {
            throw new AssertionError(otherwise);
        }
    }

    /** Fails unless a text holds another. */
    static void contains(String text, String part) {
        holds(text != null && text.contains(part), shorten(text + " does not hold " + part));
    }

    /** Fails unless an action fails with a status; returns its error. */
    static CosmosException refused(int status, Action action) throws Exception {
        try {
            action.run();
        } catch (Exception e) {
            // The requests of a query run side by side, and all of them may fail.
            for (Throwable each : Exceptions.unwrapMultiple(e)) {
                if (each instanceof CosmosException refusal && refusal.getStatusCode() == status) {
                    return refusal;
                }
            }
            throw e;
        }
        throw new AssertionError("no error, want " + status);
    }

    /** Tells the status and the message of the service, or the place of a failure. */
    static String describe(Throwable problem) {
        if (problem instanceof CosmosException e) {
            return e.getStatusCode() + "/" + e.getSubStatusCode() + " " + shorten(String.valueOf(e.getShortMessage())) + place(problem);
        }
        String others = Exceptions.isMultiple(problem)
            ? Exceptions.unwrapMultiple(problem).stream().map(Failures::describe).collect(Collectors.joining("; ")) : "";
        return shorten(problem + " " + others) + place(problem);
    }

    private static String place(Throwable problem) {
        return Arrays.stream(problem.getStackTrace())
            .filter(frame -> frame.getClassName().startsWith("interop.") && !frame.getClassName().endsWith("Failures"))
            .limit(2).map(frame -> "\n    at " + frame).collect(Collectors.joining());
    }

    private static String shorten(String text) {
        return text.length() > 900 ? text.substring(0, 900) + "…" : text;
    }
}
