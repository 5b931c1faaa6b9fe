package interop;

/** The checks of Microsoft's SDK for Java against the emulator. */
public final class Checks {
    private Checks() {}

    /** Runs the checks whose names hold the first argument, or all. */
    public static void main(String[] args) throws Exception {
        Runner runner = new Runner(args.length > 0 ? args[0] : "");
        boolean passed;
        try (Account account = new Account(Emulator.of("COSMOS_CONNECTION_STRING"));
                Account versions = new Account(Emulator.of("COSMOS_VERSIONS_CONNECTION_STRING"))) {
            Resources.add(runner, account);
            Items.add(runner, account);
            Writes.add(runner, account);
            Queries.add(runner, account);
            Ranking.add(runner, account);
            Pages.add(runner, account);
            Feeds.add(runner, account);
            Processors.add(runner, account);
            Shared.add(runner, account);
            Moves.add(runner, account);
            Versions.add(runner, versions);
            Versions.addWithout(runner, account);
            Keys.add(runner, account);
            Regions.add(runner, Emulator.of("COSMOS_REGIONS_CONNECTION_STRING"), Emulator.of("COSMOS_WRITE_REGIONS_CONNECTION_STRING"));
            Refusals.add(runner, account, Emulator.of("COSMOS_THROTTLED_CONNECTION_STRING"));
            passed = runner.run(8);
        }
        System.exit(passed ? 0 : 1);
    }
}
