"""Checks of queries over four physical partitions."""

from fixture import PEOPLE, all_of, holds, raises, same
from runner import area, check

area("queries")

NUMBERS = list(range(60))


def rows(c, query, **options):
    return all_of(c.people(), query, **options)


@check("all partitions, projection")
def _(c):
    same(len(rows(c, "SELECT * FROM c")), 60)
    same(sorted(rows(c, "SELECT VALUE c.n FROM c")), NUMBERS)
    got = rows(c, "SELECT c.id, c.address.city AS city, {'n': c.n, 'twice': c.n * 2} AS o, [c.n] AS a FROM c WHERE c.n=7")
    same(got, [{"id": "d7", "city": "c1", "o": {"n": 7, "twice": 14}, "a": [7]}])


@check("all partitions: without leave is 400")
def _(c):
    with raises(400):
        list(c.people().query_items("SELECT * FROM c"))


@check("one partition key")
def _(c):
    got = list(c.people().query_items("SELECT VALUE c.n FROM c ORDER BY c.n DESC", partition_key="p3"))
    same(got, [43, 23, 3])
    same(list(c.people().query_items("SELECT VALUE COUNT(1) FROM c", partition_key="p3")), [3])
    same(list(c.people().query_items("SELECT * FROM c", partition_key="none")), [])


@check("filter: comparisons, IN, BETWEEN, NOT, undefined, null")
def _(c):
    for where, wanted in {
        "c.n >= 10 AND c.n < 13": [10, 11, 12],
        "c.n IN (1, 59, 100)": [1, 59],
        "c.n BETWEEN 5 AND 7": [5, 6, 7],
        "NOT (c.n > 1)": [0, 1],
        "c.age = null": [],
        "NOT IS_DEFINED(c.age)": [0, 10, 20, 30, 40, 50],
        "c.team = 'a' AND c.n < 10 OR c.n = 11": [0, 4, 8, 11],
        "c.address.city != 'c0' AND c.n < 4": [1, 3],
        "c['address']['no'] = 5": [5],
        "c.n % 20 = 1 AND c.n / 2 > 20": [41],
        "(c.n = 3 ? true : false)": [3],
        "(c.nothing ?? c.n) = 4": [4],
        "c.id LIKE 'd1_' AND c.n > 17": [18, 19],
        "(c.team || c.id) = 'bd1'": [1],
    }.items():
        same((where, sorted(rows(c, f"SELECT VALUE c.n FROM c WHERE {where}"))), (where, wanted))


@check("functions")
def _(c):
    for where, wanted in {
        "STARTSWITH(c.id, 'd5') AND LENGTH(c.id) = 2": [5],
        "CONTAINS(UPPER(c.id), 'D58')": [58],
        "ARRAY_CONTAINS(c.tags, 4) AND c.n < 10": [4, 9],
        "ARRAY_LENGTH(c.tags) = 2 AND c.n < 1": [0],
        "IS_NUMBER(c.n) AND ABS(c.n - 30) < 2": [29, 30, 31],
        "ENDSWITH(c.pk, '19') AND IS_STRING(c.pk)": [19, 39, 59],
        "REGEXMATCH(c.id, '^d1?7$')": [7, 17],
        "IS_OBJECT(c.address) AND FLOOR(c.n / 10) = 5 AND c.n > 57": [58, 59],
    }.items():
        same((where, sorted(rows(c, f"SELECT VALUE c.n FROM c WHERE {where}"))), (where, wanted))


@check("geography")
def _(c):
    container = c.container()
    shapes = {
        "office": {"type": "Point", "coordinates": [-122.11758113953535, 47.66901087006131]},
        "road": {"type": "LineString", "coordinates": [[-122.13, 47.63], [-122.12, 47.67]]},
        "park": {"type": "Polygon", "coordinates": [[[-122.2, 47.6], [-122.1, 47.6], [-122.1, 47.65], [-122.2, 47.65], [-122.2, 47.6]]]},
        "open": {"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 1]]]},
    }
    for name, shape in shapes.items():
        container.create_item({"id": name, "pk": name, "at": shape})
    compass = {"type": "Point", "coordinates": [-122.12826822304672, 47.63980239335718]}

    def where(condition):
        parameters = [{"name": "@park", "value": shapes["park"]}, {"name": "@compass", "value": compass}]
        return sorted(all_of(container, f"SELECT VALUE c.id FROM c WHERE {condition}", parameters=parameters))

    # The distance is that of Microsoft's page ST_DISTANCE.
    same(where("c.id = 'office' AND ABS(ST_DISTANCE(c.at, @compass) - 3345.269817267368) < 0.001"), ["office"])
    same(where("ST_INTERSECTS(c.at, @park)"), ["park", "road"])
    same(where("ST_WITHIN(c.at, @park)"), ["park"])
    same(where("ST_WITHIN(@compass, c.at)"), ["park"])
    same(where("NOT ST_ISVALID(c.at)"), ["open"])
    reason = all_of(container, "SELECT VALUE ST_ISVALIDDETAILED(c.at) FROM c WHERE c.id = 'open'")[0]
    holds(reason["valid"] is False and "start and end points" in reason["reason"])
    with raises(400):
        where("ST_AREA(c.at) > 1")


@check("query advice")
def _(c):
    def advice(query, **options):
        list(next(c.people().query_items(query, populate_query_advice=True, **options).by_page()))  # no other page has any
        return c.people().client_connection.last_response_headers.get("x-ms-cosmos-query-advice")

    for options in ({"partition_key": "p3"}, {"enable_cross_partition_query": True}):
        told = advice("SELECT * FROM c WHERE CONTAINS(c.id, 'd') OR UPPER(c.team) = 'A'", **options)
        holds("QA1002" in told and "QA1006" in told and told.count("https://") == 2, told)
        holds(not advice("SELECT * FROM c WHERE STARTSWITH(c.id, 'd')", **options))


@check("parameters: of all types, and hostile texts")
def _(c):
    query = "SELECT VALUE c.n FROM c WHERE c.n < @n AND ARRAY_CONTAINS(@teams, c.team) AND c.address = @address"
    same(rows(c, query, parameters=[
        {"name": "@n", "value": 3.5}, {"name": "@teams", "value": ["b", "c"]},
        {"name": "@address", "value": {"city": "c1", "no": 1}},
    ]), [1])
    for text in ["' OR 1=1 --", '" OR true', "@n", "é日本🙂", "\\", "\u0000"]:
        got = rows(c, "SELECT VALUE @t FROM c WHERE c.id='d1' AND c.id != @t", parameters=[{"name": "@t", "value": text}])
        same(got, [text])


@check("ORDER BY")
def _(c):
    same(rows(c, "SELECT VALUE c.n FROM c ORDER BY c.n"), NUMBERS)
    same([r["n"] for r in rows(c, "SELECT c.n FROM c ORDER BY c.n ASC")], NUMBERS)
    same([d["n"] for d in rows(c, "SELECT * FROM c ORDER BY c.address.no")], NUMBERS)


@check("ORDER BY DESC")
def _(c):
    same(rows(c, "SELECT VALUE c.n FROM c ORDER BY c.n DESC"), NUMBERS[::-1])
    texts = sorted((p["id"] for p in PEOPLE), reverse=True)
    same(rows(c, "SELECT VALUE c.id FROM c ORDER BY c.id DESC"), texts)


@check("ORDER BY: a filter, and equal values")
def _(c):
    got = rows(c, "SELECT VALUE c.n FROM c WHERE c.age >= 0 ORDER BY c.age")
    same(len(got), 54)
    ages = [PEOPLE[n]["age"] for n in got]
    same(ages, sorted(ages))


@check("ORDER BY several")
def _(c):
    got = rows(c, "SELECT c.team, c.n FROM c ORDER BY c.team ASC, c.n DESC")
    same([(r["team"], r["n"]) for r in got], sorted(((p["team"], p["n"]) for p in PEOPLE), key=lambda r: (r[0], -r[1])))
    with raises(400):
        rows(c, "SELECT * FROM c ORDER BY c.n ASC, c.team ASC")  # no composite index


@check("TOP")
def _(c):
    same(rows(c, "SELECT TOP 3 VALUE c.n FROM c ORDER BY c.n DESC"), [59, 58, 57])
    same(len(rows(c, "SELECT TOP 7 * FROM c")), 7)
    same(rows(c, "SELECT TOP @n VALUE c.n FROM c ORDER BY c.n", parameters=[{"name": "@n", "value": 2}]), [0, 1])
    same(rows(c, "SELECT TOP 0 * FROM c"), [])


@check("OFFSET LIMIT")
def _(c):
    same(rows(c, "SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 5 LIMIT 3"), [5, 6, 7])
    same(rows(c, "SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 58 LIMIT 10"), [58, 59])
    same(len(rows(c, "SELECT * FROM c OFFSET 10 LIMIT 20")), 20)
    same(rows(c, "SELECT * FROM c OFFSET 100 LIMIT 20"), [])


@check("DISTINCT")
def _(c):
    same(sorted(rows(c, "SELECT DISTINCT VALUE c.team FROM c")), list("abcd"))
    same(rows(c, "SELECT DISTINCT VALUE c.team FROM c ORDER BY c.team DESC"), list("dcba"))
    got = rows(c, "SELECT DISTINCT c.team, c.address.city FROM c")
    same(len(got), 4)
    same(len(rows(c, "SELECT DISTINCT TOP 3 VALUE c.team FROM c")), 3)


@check("COUNT")
def _(c):
    same(rows(c, "SELECT VALUE COUNT(1) FROM c"), [60])
    same(rows(c, "SELECT VALUE COUNT(c.age) FROM c"), [54])
    same(rows(c, "SELECT VALUE COUNT(1) FROM c WHERE c.n > 100"), [0])


@check("SUM")
def _(c):
    same(rows(c, "SELECT VALUE SUM(c.n) FROM c"), [sum(NUMBERS)])


@check("AVG")
def _(c):
    same(rows(c, "SELECT VALUE AVG(c.n) FROM c WHERE c.n < 10"), [4.5])


@check("MIN, MAX")
def _(c):
    same(rows(c, "SELECT VALUE MIN(c.n) FROM c WHERE c.n > 3"), [4])
    same(rows(c, "SELECT VALUE MAX(c.n) FROM c"), [59])
    same(rows(c, "SELECT VALUE MAX(c.id) FROM c"), ["d9"])


@check("GROUP BY: the SDK does not say that it can combine groups", result="sdk")
def _(c):
    with raises(400):
        rows(c, "SELECT c.team, COUNT(1) AS n FROM c GROUP BY c.team")


@check("GROUP BY of one partition key")
def _(c):
    got = list(c.people().query_items(
        "SELECT c.team, COUNT(1) AS n, MAX(c.n) AS most FROM c GROUP BY c.team", partition_key="p3"))
    same(got, [{"team": "d", "n": 3, "most": 43}])


@check("JOIN")
def _(c):
    got = rows(c, "SELECT c.n, t FROM c JOIN t IN c.tags WHERE c.n < 2 ORDER BY c.n")
    same([(r["n"], r["t"]) for r in got], [(0, 0), (0, 0), (1, 1), (1, 1)])
    same(rows(c, "SELECT VALUE COUNT(1) FROM c JOIN t IN c.tags"), [120])
    same(len(rows(c, "SELECT VALUE t FROM t IN c.tags")), 120)


@check("subquery: EXISTS, ARRAY, a scalar, and in FROM")
def _(c):
    for query, wanted in {
        "SELECT VALUE c.n FROM c WHERE EXISTS(SELECT VALUE t FROM t IN c.tags WHERE t = 4) AND c.n < 10": [4, 9],
        "SELECT VALUE ARRAY(SELECT VALUE t + 1 FROM t IN c.tags) FROM c WHERE c.n = 4": [[2, 5]],
        "SELECT VALUE (SELECT VALUE COUNT(1) FROM t IN c.tags) FROM c WHERE c.n = 1": [2],
        "SELECT VALUE s.m FROM (SELECT c.n AS m FROM c WHERE c.n > 58) AS s": [59],
        "SELECT VALUE twice FROM c JOIN (SELECT VALUE c.n * 2) AS twice WHERE c.n = 21": [42],
    }.items():
        same((query, sorted(rows(c, query))), (query, wanted))


@check("filter: a query that is wrong is 400")
def _(c):
    for query in ("SELECT", "SELECT * FROM c WHERE", "SELECT * FROM c WHERE NOFUNCTION(c.n)", "DELETE FROM c", "SELECT c.n, FROM c"):
        with raises(400):
            rows(c, query)


@check("parameters: one that is missing is undefined or 400")
def _(c):
    try:
        same(rows(c, "SELECT * FROM c WHERE c.n = @none"), [])
    except Exception as err:  # the service refuses it
        holds(getattr(err, "status_code", 0) == 400, err)
