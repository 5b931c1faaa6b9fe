package interop;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where an emulator is that run.sh started. */
record Emulator(String endpoint, String key) {
    private static final Pattern CONNECTION = Pattern.compile("AccountEndpoint=([^;]+);AccountKey=([^;]+);");

    /** The emulator whose connection string a variable of the environment holds. */
    static Emulator of(String variable) {
        String connection = System.getenv(variable);
        if (connection == null) {
            throw new IllegalStateException(variable + " is not set: run emulator/interop/run.sh java");
        }
        Matcher found = CONNECTION.matcher(connection);
        if (!found.find()) {
            throw new IllegalStateException(variable + " is no connection string");
        }
        return new Emulator(found.group(1), found.group(2));
    }
}
