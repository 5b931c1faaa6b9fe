package interop;

import static interop.Account.all;
import static interop.Failures.contains;
import static interop.Failures.equal;
import static interop.Failures.refused;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Checks of the results of queries over four physical partitions. */
final class Queries {
    private static final List<Integer> NUMBERS = where(n -> true);
    private static final List<Integer> AGES = where(n -> n % 10 != 0).stream().map(n -> n * 7 % 50).sorted().toList();
    private static final List<String> TEAMS = List.of("a", "b", "c", "d");

    private final Runner run;
    private final Account account;

    private Queries(Runner run, Account account) {
        this.run = run;
        this.account = account;
    }

    static void add(Runner run, Account account) {
        run.area("queries");
        Queries queries = new Queries(run, account);
        queries.selections();
        queries.orders();
        queries.aggregates();
        queries.groups();
        queries.scopes();
        queries.mistakes();
    }

    /** The numbers of people's n for which a condition holds. */
    private static List<Integer> where(IntPredicate condition) {
        return IntStream.range(0, 60).filter(condition).boxed().toList();
    }

    private static List<Integer> reversed(List<Integer> numbers) {
        List<Integer> list = new ArrayList<>(numbers);
        Collections.reverse(list);
        return list;
    }

    private static int sum(List<Integer> numbers) {
        return numbers.stream().mapToInt(n -> n).sum();
    }

    /** Adds a check of the rows of a query in their order. */
    private void rows(String name, String query, List<?> want, Object... parameters) {
        run.check(name, () -> equal(all(account.people(), spec(query, parameters), new CosmosQueryRequestOptions()), want));
    }

    /** Adds a check of the rows of a query in any order. */
    private void bag(String name, String query, List<?> want, Object... parameters) {
        run.check(name, () -> equal(Json.sorted(all(account.people(), spec(query, parameters), new CosmosQueryRequestOptions())), Json.sorted(want)));
    }

    /** Adds a check of the number of rows. */
    private void count(String name, String query, int want) {
        run.check(name, () -> equal(all(account.people(), query).size(), want));
    }

    private static SqlQuerySpec spec(String query, Object... parameters) {
        SqlQuerySpec spec = new SqlQuerySpec(query);
        List<SqlParameter> list = new ArrayList<>();
        for (int n = 0; n < parameters.length; n += 2) {
            list.add(new SqlParameter((String) parameters[n], parameters[n + 1]));
        }
        return spec.setParameters(list);
    }

    /** The advice of the first page of a query that has rows. The SDK drops the headers of one without. */
    private String advice(String query, CosmosQueryRequestOptions options) {
        return account.people().queryItems(query, options, JsonNode.class).iterableByPage().iterator().next().getQueryAdvice();
    }

    private void selections() {
        count("all partitions: every document once", "SELECT * FROM c", 60);
        bag("filter, parameters: a number", "SELECT VALUE c.n FROM c WHERE c.n < @n", List.of(0, 1, 2, 3), "@n", 4);
        bag("parameters: texts with quotes, arrays and null", "SELECT VALUE c.n FROM c WHERE ARRAY_CONTAINS(@list, c.n) AND @text = 'it\\'s \"' AND @none = null",
            List.of(5, 6), "@list", List.of(5, 6), "@text", "it's \"", "@none", null);
        bag("projection: objects, arrays and names", "SELECT c.n, [c.team, c.n + 1] AS pair, {\"deep\": c.tags[0]} AS object FROM c WHERE c.n = 7",
            List.of(Map.of("n", 7, "pair", List.of("d", 8), "object", Map.of("deep", 1))));
        bag("filter: LIKE, BETWEEN, IN and ??", "SELECT VALUE c.n FROM c WHERE c.id LIKE 'd1_' AND c.n BETWEEN 12 AND 14 OR (c.age ?? -1) IN (-1) AND c.n < 5", List.of(0, 12, 13, 14));
        bag("functions: of texts, arrays and types", "SELECT VALUE CONCAT(UPPER(c.team), TOSTRING(ARRAY_LENGTH(c.tags)), LEFT(c.id, 2)) FROM c WHERE IS_DEFINED(c.age) AND c.n = 9", List.of("B2d9"));
        bag("JOIN: an array within the document", "SELECT VALUE t FROM c JOIN t IN c.tags WHERE c.n = 7", List.of(1, 2));
        rows("JOIN, COUNT: over all partitions", "SELECT VALUE COUNT(1) FROM c JOIN t IN c.tags", List.of(120));
        rows("JOIN, ORDER BY: each row of a document", "SELECT VALUE t FROM c JOIN t IN c.tags WHERE c.n < 2 ORDER BY c.n", List.of(0, 0, 1, 1));
        bag("subquery: EXISTS", "SELECT VALUE c.n FROM c WHERE EXISTS(SELECT VALUE t FROM t IN c.tags WHERE t = 4) AND c.n < 20", List.of(4, 9, 14, 19));
        bag("subquery: ARRAY", "SELECT ARRAY(SELECT VALUE t * 2 FROM t IN c.tags) AS twice FROM c WHERE c.n = 7", List.of(Map.of("twice", List.of(2, 4))));
        rows("subquery: in FROM, with ORDER BY and OFFSET LIMIT", "SELECT VALUE x.n FROM (SELECT VALUE c FROM c) x ORDER BY x.n OFFSET 1 LIMIT 2", List.of(1, 2));
        bag("DISTINCT: objects", "SELECT DISTINCT c.team FROM c", TEAMS.stream().map(team -> Map.of("team", team)).toList());
        bag("DISTINCT: values", "SELECT DISTINCT VALUE c.team FROM c", TEAMS);
        rows("DISTINCT, ORDER BY: of the same property", "SELECT DISTINCT VALUE c.team FROM c ORDER BY c.team", TEAMS);
        rows("DISTINCT, TOP, ORDER BY: all three", "SELECT DISTINCT TOP 2 VALUE c.team FROM c ORDER BY c.team", List.of("a", "b"));
        count("DISTINCT, OFFSET LIMIT: both", "SELECT DISTINCT VALUE c.team FROM c OFFSET 1 LIMIT 2", 2);
    }

    private void orders() {
        rows("ORDER BY: numbers", "SELECT VALUE c.n FROM c ORDER BY c.n", NUMBERS);
        rows("ORDER BY DESC: numbers", "SELECT VALUE c.n FROM c ORDER BY c.n DESC", reversed(NUMBERS));
        rows("ORDER BY, filter: both", "SELECT VALUE c.n FROM c WHERE c.n > 10 OR c.n = 2 ORDER BY c.n", where(n -> n > 10 || n == 2));
        rows("ORDER BY, projection: names of their own", "SELECT c.n, c.n + 1 AS m FROM c WHERE c.n < 2 ORDER BY c.n",
            List.of(Map.of("n", 0, "m", 1), Map.of("n", 1, "m", 2)));
        rows("ORDER BY: texts", "SELECT VALUE c.id FROM c WHERE c.n < 12 ORDER BY c.id", IntStream.range(0, 12).mapToObj(n -> "d" + n).sorted().toList());
        rows("ORDER BY: a property that some documents lack", "SELECT VALUE c.age FROM c WHERE IS_DEFINED(c.age) ORDER BY c.age", AGES);
        rows("ORDER BY several: one up, one down", "SELECT VALUE c.n FROM c ORDER BY c.team ASC, c.n DESC",
            Stream.of(0, 1, 2, 3).flatMap(team -> reversed(where(n -> n % 4 == team)).stream()).toList());
        rows("TOP, ORDER BY: both", "SELECT TOP 5 VALUE c.n FROM c ORDER BY c.n", List.of(0, 1, 2, 3, 4));
        count("TOP: without ORDER BY", "SELECT TOP 7 * FROM c", 7);
        rows("TOP, parameters: both", "SELECT TOP @n VALUE c.n FROM c ORDER BY c.n", List.of(0, 1), "@n", 2);
        rows("OFFSET LIMIT, ORDER BY: both", "SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 10 LIMIT 3", List.of(10, 11, 12));
        count("OFFSET LIMIT: beyond the end", "SELECT * FROM c OFFSET 55 LIMIT 10", 5);
    }

    private void aggregates() {
        rows("COUNT: of documents", "SELECT VALUE COUNT(1) FROM c", List.of(60));
        rows("COUNT: of a property that some lack", "SELECT VALUE COUNT(c.age) FROM c", List.of(AGES.size()));
        rows("COUNT, filter: both", "SELECT VALUE COUNT(1) FROM c WHERE c.team = 'a'", List.of(15));
        rows("COUNT: of nothing", "SELECT VALUE COUNT(1) FROM c WHERE false", List.of(0));
        rows("SUM: of numbers", "SELECT VALUE SUM(c.n) FROM c", List.of(sum(NUMBERS)));
        rows("AVG: not the average of averages", "SELECT VALUE AVG(c.n) FROM c WHERE c.n < 4 OR c.n = 59", List.of((6 + 59) / 5.0));
        rows("MIN: of numbers", "SELECT VALUE MIN(c.age) FROM c", List.of(AGES.get(0)));
        rows("MAX: of texts", "SELECT VALUE MAX(c.team) FROM c", List.of("d"));
        rows("MIN: of an expression", "SELECT VALUE MIN(c.n + 1) FROM c", List.of(1));
        rows("COUNT: without VALUE", "SELECT COUNT(1) AS count FROM c", List.of(Map.of("count", 60)));
        rows("COUNT, MAX, AVG: at once", "SELECT COUNT(1) AS count, MAX(c.n) AS most, AVG(c.n) AS mean FROM c",
            List.of(Map.of("count", 60, "most", 59, "mean", 29.5)));
    }

    private void groups() {
        bag("GROUP BY, COUNT, SUM: of each team", "SELECT c.team, COUNT(1) AS count, SUM(c.n) AS total FROM c GROUP BY c.team",
            Stream.of(0, 1, 2, 3).map(team -> Map.of("team", TEAMS.get(team), "count", 15, "total", sum(where(n -> n % 4 == team)))).toList());
        bag("GROUP BY, AVG, MIN, MAX: of each team", "SELECT c.team, AVG(c.n) AS mean, MIN(c.n) AS least, MAX(c.n) AS most FROM c GROUP BY c.team",
            Stream.of(0, 1, 2, 3).map(team -> Map.of("team", TEAMS.get(team), "mean", 28 + team, "least", team, "most", 56 + team)).toList());
        bag("GROUP BY: an expression", "SELECT UPPER(c.team) AS team, COUNT(1) AS count FROM c GROUP BY UPPER(c.team)",
            TEAMS.stream().map(team -> Map.of("team", team.toUpperCase(), "count", 15)).toList());
        bag("GROUP BY: two properties", "SELECT c.team, c.pk, COUNT(1) AS count FROM c GROUP BY c.team, c.pk",
            IntStream.range(0, 20).mapToObj(n -> Map.of("team", TEAMS.get(n % 4), "pk", "p" + n, "count", 3)).toList());
        bag("GROUP BY: without aggregates", "SELECT c.team FROM c GROUP BY c.team", TEAMS.stream().map(team -> Map.of("team", team)).toList());
        bag("GROUP BY: with VALUE", "SELECT VALUE COUNT(1) FROM c GROUP BY c.team", List.of(15, 15, 15, 15));
    }

    private void scopes() {
        run.check("one partition key, ORDER BY: by an option", () -> {
            CosmosQueryRequestOptions options = new CosmosQueryRequestOptions().setPartitionKey(Account.keyOf("p3"));
            equal(all(account.people(), spec("SELECT VALUE c.n FROM c ORDER BY c.n"), options), List.of(3, 23, 43));
            equal(all(account.people(), spec("SELECT VALUE COUNT(1) FROM c"), options), List.of(3));
        });
        rows("one partition key, ORDER BY: by the filter", "SELECT VALUE c.n FROM c WHERE c.pk = 'p3' ORDER BY c.n", List.of(3, 23, 43));
        rows("filter, ORDER BY: several partition keys", "SELECT VALUE c.n FROM c WHERE c.pk IN ('p1', 'p2') ORDER BY c.n", List.of(1, 2, 21, 22, 41, 42));

        run.check("geography: points, a polygon, and what is invalid", () -> {
            CosmosContainer container = account.container();
            for (int n = 0; n < 12; n++) {
                container.createItem(Json.doc("id", "" + n, "pk", "p" + n % 5, "n", n, "at", Map.of("type", "Point", "coordinates", List.of(n, 45))));
            }
            container.createItem(Json.doc("id", "lost", "pk", "p1", "n", 12, "at", Map.of("type", "Point", "coordinates", List.of(0, 91))));
            List<List<Double>> ring = List.of(List.of(2.5, 44.0), List.of(6.0, 44.0), List.of(6.0, 46.0), List.of(2.5, 46.0), List.of(2.5, 44.0));
            Map<String, Object> area = Map.of("type", "Polygon", "coordinates", List.of(ring));
            Map<String, Object> at = Map.of("type", "Point", "coordinates", List.of(7, 45));
            for (Map.Entry<String, List<Integer>> test : Map.of(
                "ST_WITHIN(c.at, @area)", List.of(3, 4, 5),
                "ST_INTERSECTS(c.at, @area)", List.of(3, 4, 5, 6),
                "ST_DISTANCE(c.at, @at) < 100000", List.of(6, 7, 8),
                "NOT ST_ISVALID(c.at)", List.of(12),
                "ST_ISVALIDDETAILED(c.at).reason = 'Latitude values must be between -90 and 90 degrees.'", List.of(12)).entrySet()) {
                SqlQuerySpec query = spec("SELECT VALUE c.n FROM c WHERE " + test.getKey() + " ORDER BY c.n", "@area", area, "@at", at);
                equal(all(container, query, new CosmosQueryRequestOptions()), test.getValue());
            }
        });

        run.check("query advice: as the SDK reads it", () -> {
            CosmosQueryRequestOptions options = new CosmosQueryRequestOptions().setQueryAdviceEnabled(true).setPartitionKey(Account.keyOf("p3"));
            String advice = advice("SELECT * FROM c WHERE CONTAINS(c.id, 'd') OR UPPER(c.team) = 'A'", options);
            contains(advice, "QA1002");
            contains(advice, "QA1006");
            equal(advice("SELECT * FROM c WHERE STARTSWITH(c.id, 'd')", options), null);
        });

        run.check("prefix of a hierarchical key: by the filter and by an option", () -> {
            CosmosContainer container = account.container(c -> c.setPartitionKeyDefinition(Account.key("/a", "/b", "/c")));
            for (int n = 0; n < 24; n++) {
                container.createItem(Json.doc("id", "" + n, "a", "a" + n % 3, "b", "b" + n % 4, "c", n, "n", n));
            }
            equal(all(container, "SELECT VALUE c.n FROM c WHERE c.a = 'a1' ORDER BY c.n"), List.of(1, 4, 7, 10, 13, 16, 19, 22));
            equal(all(container, "SELECT VALUE c.n FROM c WHERE c.a = 'a1' AND c.b = 'b1' ORDER BY c.n"), List.of(1, 13));
            CosmosQueryRequestOptions one = new CosmosQueryRequestOptions().setPartitionKey(Account.keyOf("a1"));
            equal(all(container, spec("SELECT VALUE COUNT(1) FROM c"), one), List.of(8));
            CosmosQueryRequestOptions two = new CosmosQueryRequestOptions().setPartitionKey(Account.keyOf("a1", "b1"));
            equal(all(container, spec("SELECT VALUE c.n FROM c ORDER BY c.n DESC"), two), List.of(13, 1));
        });
    }

    private void mistakes() {
        run.area("errors");
        run.check("400: a query that is no SQL, with the service's code", () -> contains(
            refused(400, () -> all(account.people(), "SELECT VALUE c.n FROM c ORDER")).getMessage(), "SC1001"));
        run.check("400: a composition of aggregates", () ->
            refused(400, () -> all(account.people(), "SELECT VALUE ABS(AVG(c.n)) FROM c")));
        run.check("400: a function that does not exist", () ->
            contains(refused(400, () -> all(account.people(), "SELECT VALUE NOSUCH(c.n) FROM c")).getMessage(), "NOSUCH"));
    }
}
