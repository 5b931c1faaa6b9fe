package interop;

import static interop.Account.all;
import static interop.Failures.contains;
import static interop.Failures.equal;
import static interop.Failures.holds;
import static interop.Failures.refused;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosFullTextIndex;
import com.azure.cosmos.models.CosmosFullTextPath;
import com.azure.cosmos.models.CosmosFullTextPolicy;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.CosmosVectorDataType;
import com.azure.cosmos.models.CosmosVectorDistanceFunction;
import com.azure.cosmos.models.CosmosVectorEmbedding;
import com.azure.cosmos.models.CosmosVectorEmbeddingPolicy;
import com.azure.cosmos.models.CosmosVectorIndexSpec;
import com.azure.cosmos.models.ExcludedPath;
import com.azure.cosmos.models.IncludedPath;
import com.azure.cosmos.models.IndexingPolicy;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Checks of ORDER BY RANK over four physical partitions, against a ranking of all documents. */
final class Ranking {
    private static final String TEXT_SCORE = "FullTextScore(c.body, 'cedar', 'river')";
    private static final String TITLE_SCORE = "FullTextScore(c.title, 'lamp')";
    private static final String DISTANCE = "VectorDistance(c.vector, [3, 1])";
    private static final Predicate<Article> ANY = article -> true;

    /**
     * A document: a title and a body of a few words, and a vector. No two have an equal score,
     * since the SDK gives them ranks of their own.
     */
    private record Article(int n, String key, String title, String body, List<Integer> vector) {
        static Article of(int n) {
            String title = "lamp ".repeat(1 + n % 5) + "x ".repeat(n);
            String body = "cedar ".repeat(1 + n * 3 % 5) + "stone ".repeat(n % 4) + "river ".repeat(n * 5 % 7) + "x ".repeat(97 * n % 80);
            return new Article(n, "p" + n % 20, title, body, List.of(n * 7 % 80, 1));
        }

        ObjectNode document() {
            return Json.doc("id", "d" + n, "pk", key, "n", n, "title", title, "body", body, "vector", vector);
        }

        double nearness() {
            return 3 * vector.get(0) + vector.get(1);
        }
    }

    private static final List<Article> ARTICLES = IntStream.range(0, 80).mapToObj(Article::of).toList();

    private final Runner run;
    private final Account account;
    private CosmosContainer articles;

    private Ranking(Runner run, Account account) {
        this.run = run;
        this.account = account;
    }

    static void add(Runner run, Account account) {
        run.area("queries");
        new Ranking(run, account).checks();
    }

    private synchronized CosmosContainer articles() {
        if (articles == null) {
            CosmosVectorEmbeddingPolicy vectors = new CosmosVectorEmbeddingPolicy();
            vectors.setCosmosVectorEmbeddings(List.of(new CosmosVectorEmbedding().setPath("/vector").setDataType(CosmosVectorDataType.FLOAT32)
                .setEmbeddingDimensions(2).setDistanceFunction(CosmosVectorDistanceFunction.DOT_PRODUCT)));
            articles = account.container(properties -> properties
                .setVectorEmbeddingPolicy(vectors)
                .setFullTextPolicy(new CosmosFullTextPolicy().setDefaultLanguage("en-US").setPaths(Stream.of("/body", "/title")
                    .map(path -> new CosmosFullTextPath().setPath(path).setLanguage("en-US")).toList()))
                .setIndexingPolicy(new IndexingPolicy().setIncludedPaths(List.of(new IncludedPath("/*")))
                    .setExcludedPaths(List.of(new ExcludedPath("/vector/*")))
                    .setVectorIndexes(List.of(new CosmosVectorIndexSpec().setPath("/vector").setType("flat")))
                    .setCosmosFullTextIndexes(Stream.of("/body", "/title").map(path -> new CosmosFullTextIndex().setPath(path)).toList())));
            ARTICLES.forEach(article -> articles.createItem(article.document()));
        }
        return articles;
    }

    private static List<String> words(String text) {
        return Arrays.asList(text.split(" +"));
    }

    /** Scores a text by BM25, with the statistics of all documents. */
    private static ToDoubleFunction<Article> relevance(Function<Article, String> property, String... wanted) {
        List<List<String>> texts = ARTICLES.stream().map(article -> words(property.apply(article))).toList();
        double average = texts.stream().mapToInt(List::size).average().orElseThrow();
        double[] scores = new double[texts.size()];
        for (String word : wanted) {
            double hits = texts.stream().filter(text -> text.contains(word)).count();
            double rarity = Math.log(1 + (texts.size() - hits + 0.5) / (hits + 0.5));
            for (int n = 0; n < scores.length; n++) {
                double count = Collections.frequency(texts.get(n), word);
                scores[n] += rarity * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * texts.get(n).size() / average));
            }
        }
        return article -> scores[article.n];
    }

    /** The sum of weight / (60 + rank) over some scores. */
    private static ToDoubleFunction<Article> fused(List<ToDoubleFunction<Article>> scores, double... weights) {
        return article -> IntStream.range(0, scores.size()).mapToDouble(i -> {
            double own = scores.get(i).applyAsDouble(article);
            long better = ARTICLES.stream().mapToDouble(scores.get(i)).filter(other -> weights[i] < 0 ? other < own : other > own).count();
            return Math.abs(weights[i]) / (61 + better);
        }).sum();
    }

    /** Adds a check of a ranking. Documents of equal scores may come in any order. */
    private void ranked(String name, SqlQuerySpec query, ToDoubleFunction<Article> score, int skip, int take, Predicate<Article> where) {
        run.check(name, () -> {
            List<Article> got = all(articles(), query, new CosmosQueryRequestOptions()).stream().map(doc -> ARTICLES.get(doc.get("n").asInt())).toList();
            List<Double> want = ARTICLES.stream().filter(where).map(score::applyAsDouble).sorted(Comparator.reverseOrder()).skip(skip).limit(take).toList();
            equal(got.stream().distinct().count(), want.size());
            for (int row = 0; row < want.size(); row++) {
                double value = score.applyAsDouble(got.get(row));
                holds(Math.abs(value - want.get(row)) < 1e-9, "row " + row + ", d" + got.get(row).n + ": " + value + ", want " + want.get(row));
            }
        });
    }

    private void ranked(String name, String query, ToDoubleFunction<Article> score) {
        ranked(name, new SqlQuerySpec(query), score, 0, 10, ANY);
    }

    private void checks() {
        ToDoubleFunction<Article> body = relevance(Article::body, "cedar", "river");
        ToDoubleFunction<Article> title = relevance(Article::title, "lamp");
        ranked("full-text score, TOP: both", "SELECT TOP 10 * FROM c ORDER BY RANK " + TEXT_SCORE, body);
        ranked("full-text score, OFFSET LIMIT: both", new SqlQuerySpec("SELECT c.id, c.n FROM c ORDER BY RANK " + TEXT_SCORE + " OFFSET 5 LIMIT 12"), body, 5, 12, ANY);
        ranked("full-text score, filter: both", new SqlQuerySpec("SELECT TOP 10 * FROM c WHERE c.n > 30 ORDER BY RANK " + TEXT_SCORE), body, 0, 10, article -> article.n > 30);
        ranked("full-text score, parameters: both", new SqlQuerySpec("SELECT TOP 10 * FROM c ORDER BY RANK FullTextScore(c.body, @first, @second)",
            new SqlParameter("@first", "cedar"), new SqlParameter("@second", "River")), body, 0, 10, ANY);
        ranked("full-text score, one partition key: by the filter, with the statistics of all documents",
            new SqlQuerySpec("SELECT TOP 10 * FROM c WHERE c.pk = 'p3' ORDER BY RANK " + TEXT_SCORE), body, 0, 10, article -> article.key.equals("p3"));
        ranked("rank fusion of texts: two", "SELECT TOP 10 * FROM c ORDER BY RANK RRF(" + TEXT_SCORE + ", " + TITLE_SCORE + ")", fused(List.of(body, title), 1, 1));
        ranked("rank fusion with vectors: and two texts", "SELECT TOP 10 * FROM c ORDER BY RANK RRF(" + DISTANCE + ", " + TEXT_SCORE + ", " + TITLE_SCORE + ")",
            fused(List.of(Article::nearness, body, title), 1, 1, 1));
        ranked("rank fusion with weights: of a text and a vector", "SELECT TOP 10 * FROM c ORDER BY RANK RRF(" + TEXT_SCORE + ", " + DISTANCE + ", [2, 0.5])",
            fused(List.of(body, Article::nearness), 2, 0.5));
        ranked("rank fusion with weights: one is negative", "SELECT TOP 10 * FROM c ORDER BY RANK RRF(" + TEXT_SCORE + ", " + TITLE_SCORE + ", [1, -0.3])",
            fused(List.of(body, title), 1, -0.3));
        run.check("full-text score: refused outside of ORDER BY RANK", () -> contains(
            refused(400, () -> all(articles(), "SELECT FullTextScore(c.body, 'cedar') FROM c")).getMessage(), "only allowed in the ORDER BY RANK clause"));
    }
}
