"""Checks of ORDER BY RANK over four physical partitions, against a ranking of all
documents."""

import math
import re

from fixture import all_of, raises, same
from runner import area, check

area("queries")

QUESTION = [3, 1]


def article(n):
    doc = {"id": f"d{n}", "pk": f"p{n % 20}", "n": n, "title": ["maple", "quartz"][n % 2] + " lamp" * (n % 5)}
    if n % 10:
        doc["body"] = "".join(f"{word} " * (n * (i + 3) % (5 + i)) for i, word in enumerate(["cedar", "stone", "river"])) + "x " * (n % 13)
        doc["vector"] = [n % 7, 1 + n % 11]
    return doc


ARTICLES = [article(n) for n in range(80)]
_containers = {}


def articles(c):
    """Returns a container of 80 documents over 20 partition keys, made once. A document has
    a title and a body of a few words, and a vector; each tenth lacks the body and the
    vector."""
    if "articles" not in _containers:
        container = _containers["articles"] = c.container(
            indexing_policy={
                "indexingMode": "consistent",
                "automatic": True,
                "includedPaths": [{"path": "/*"}],
                "excludedPaths": [{"path": '/"_etag"/?'}, {"path": "/vector/*"}],
                "vectorIndexes": [{"path": "/vector", "type": "flat"}],
                "fullTextIndexes": [{"path": "/body"}, {"path": "/title"}],
            },
            vector_embedding_policy={"vectorEmbeddings": [
                {"path": "/vector", "dataType": "float32", "dimensions": 2, "distanceFunction": "dotproduct"}]},
            full_text_policy={"defaultLanguage": "en-US", "fullTextPaths": [
                {"path": "/body", "language": "en-US"}, {"path": "/title", "language": "en-US"}]})
        for doc in ARTICLES:
            container.create_item(doc)
    return _containers["articles"]


def relevance(prop, *words):
    """Returns the score of a text by BM25, with the statistics of all documents."""

    def split(doc):
        return re.findall("[a-z]+", doc.get(prop, ""))

    average = sum(len(split(doc)) for doc in ARTICLES) / len(ARTICLES)

    def rarity(word):
        n = sum(word in split(doc) for doc in ARTICLES)
        return math.log(1 + (len(ARTICLES) - n + 0.5) / (n + 0.5))

    def score(doc):
        if prop not in doc:
            return -1.0
        text = split(doc)
        total = 0.0
        for word in words:
            n = text.count(word)
            total += rarity(word) * n * 2.2 / (n + 1.2 * (0.25 + 0.75 * len(text) / average))
        return total

    return score


def nearness(doc):
    if "vector" not in doc:
        return -math.inf
    return doc["vector"][0] * QUESTION[0] + doc["vector"][1] * QUESTION[1]


def fused(scores, weights=None):
    """Returns the sum of weight / (60 + rank) over some scores. Equal scores share a rank."""
    weights = weights or [1] * len(scores)
    orders = []
    for score, weight in zip(scores, weights):
        orders.append(sorted({round(score(doc), 9) for doc in ARTICLES}, reverse=weight > 0))

    def score_of(doc):
        return sum(abs(weight) / (61 + order.index(round(score(doc), 9)))
                   for score, weight, order in zip(scores, weights, orders))

    return score_of


def ranked(c, query, score, skip=0, take=10, where=lambda doc: True, **options):
    """Expects the rows of a query to be those of a score, the greatest first."""
    got = [ARTICLES[doc["n"]] for doc in all_of(articles(c), query, **options)]
    want = sorted((score(doc) for doc in ARTICLES if where(doc)), reverse=True)[skip:skip + take]
    same(len({doc["id"] for doc in got}), len(want))
    for row, (doc, value) in enumerate(zip(got, want)):
        if abs(score(doc) - value) > 1e-9:
            raise AssertionError(f"row {row}, {doc['id']}: {score(doc)}, want {value}")


BODY = relevance("body", "cedar", "river")
TITLE = relevance("title", "lamp")
TEXT_SCORE = "FullTextScore(c.body, 'cedar', 'river')"
TITLE_SCORE = "FullTextScore(c.title, 'lamp')"
DISTANCE = f"VectorDistance(c.vector, {QUESTION})"


@check("full-text score, TOP, OFFSET LIMIT, filter")
def _(c):
    ranked(c, f"SELECT TOP 10 * FROM c ORDER BY RANK {TEXT_SCORE}", BODY)
    ranked(c, f"SELECT c.id, c.n FROM c ORDER BY RANK {TEXT_SCORE} OFFSET 5 LIMIT 12", BODY, skip=5, take=12)
    ranked(c, f"SELECT TOP 10 * FROM c WHERE c.n > 30 ORDER BY RANK {TEXT_SCORE}", BODY, where=lambda doc: doc["n"] > 30)


@check("full-text score, projection: a value")
def _(c):
    got = all_of(articles(c), f"SELECT TOP 3 VALUE c.n FROM c WHERE c.n < 4 AND c.n > 0 ORDER BY RANK {TEXT_SCORE}")
    same(got, sorted([1, 2, 3], key=lambda n: -BODY(ARTICLES[n])))


@check("full-text score, parameters")
def _(c):
    ranked(c, "SELECT TOP 10 * FROM c ORDER BY RANK FullTextScore(c.body, @first, @second)", BODY,
           parameters=[{"name": "@first", "value": "cedar"}, {"name": "@second", "value": "River"}])


@check("full-text score, one partition key")
def _(c):
    ranked(c, f"SELECT TOP 10 * FROM c WHERE c.pk = 'p3' ORDER BY RANK {TEXT_SCORE}", BODY, where=lambda doc: doc["pk"] == "p3")
    with raises(400, text="Name the key in the WHERE clause"):
        list(articles(c).query_items(f"SELECT TOP 10 * FROM c ORDER BY RANK {TEXT_SCORE}", partition_key="p3"))


@check("rank fusion of texts")
def _(c):
    ranked(c, f"SELECT TOP 10 * FROM c ORDER BY RANK RRF({TEXT_SCORE}, {TITLE_SCORE})", fused([BODY, TITLE]))
    ranked(c, f"SELECT * FROM c ORDER BY RANK RRF({TEXT_SCORE}, {TITLE_SCORE}) OFFSET 3 LIMIT 7", fused([BODY, TITLE]), skip=3, take=7)


@check("rank fusion with vectors, parameters")
def _(c):
    ranked(c, f"SELECT TOP 10 * FROM c ORDER BY RANK RRF({DISTANCE}, {TEXT_SCORE}, {TITLE_SCORE})", fused([nearness, BODY, TITLE]))
    ranked(c, f"SELECT TOP 10 * FROM c ORDER BY RANK RRF({TEXT_SCORE}, VectorDistance(c.vector, @question))", fused([BODY, nearness]),
           parameters=[{"name": "@question", "value": QUESTION}])


@check("rank fusion with vectors: without texts, the SDK leaves a placeholder in the query", result="sdk")
def _(c):
    with raises(400, text="incorrect syntax"):
        all_of(articles(c), f"SELECT TOP 10 * FROM c ORDER BY RANK RRF({DISTANCE}, VectorDistance(c.vector, [-1, 2]))")


@check("rank fusion with weights")
def _(c):
    ranked(c, f"SELECT TOP 10 * FROM c ORDER BY RANK RRF({TEXT_SCORE}, {DISTANCE}, [2, 0.5])", fused([BODY, nearness], [2, 0.5]))
    ranked(c, f"SELECT TOP 10 * FROM c ORDER BY RANK RRF({TEXT_SCORE}, {TITLE_SCORE}, [1, -0.3])", fused([BODY, TITLE], [1, -0.3]))


@check("full-text score: the SDK refuses it without TOP and LIMIT", result="sdk")
def _(c):
    try:
        all_of(articles(c), f"SELECT * FROM c ORDER BY RANK {TEXT_SCORE}")
    except ValueError as err:
        same("without TOP or LIMIT" in str(err), True)
    else:
        raise AssertionError("no error")


@check("full-text score: refused outside of ORDER BY RANK, and a direction")
def _(c):
    with raises(400, text="only allowed in the ORDER BY RANK clause"):
        all_of(articles(c), "SELECT FullTextScore(c.body, 'cedar') FROM c")
    with raises(400, text="Specifying a sort order"):
        all_of(articles(c), f"SELECT TOP 3 * FROM c ORDER BY RANK {TEXT_SCORE} DESC")
