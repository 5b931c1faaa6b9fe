package evaluation

const team = `{"name":"John","age":11,"team":"A","scores":[88,88]}
{"name":"Mady","age":15,"team":"C","scores":[52,13]}
{"name":"John","age":13,"team":"A","address":{"city":"Rome"}}
{"name":"Fred","team":"C","address":{"city":"Rome"}}
{"name":null,"age":"old","team":"C"}
{"age":15}`

// groupCases agree with the tests of the .NET SDK against the service (GroupByQueryTests,
// CosmosUndefinedQueryTests, QueryBaselineTest). The order of groups is not documented: here
// groups have the order of their first documents.
var groupCases = []queryCase{
	{
		name:  "a property; undefined and null are groups of their own",
		docs:  team,
		query: `SELECT c.name FROM c GROUP BY c.name`,
		want: `{"name":"John"}
{"name":"Mady"}
{"name":"Fred"}
{"name":null}
{}`,
	},
	{
		name:  "an aggregate over nothing, with a property of the outer query",
		docs:  `{"id":"1","sizes":[]}`,
		query: `SELECT VALUE (SELECT p.id, COUNT(1) AS n FROM s IN p.sizes) FROM p`,
		want:  `{"id":"1","n":0}`,
	},
	{
		name:  "an undefined value of a group gives no row",
		docs:  team,
		query: `SELECT VALUE c.name FROM c GROUP BY c.name`,
		want: `"John"
"Mady"
"Fred"
null`,
	},
	{
		name:  "several keys and aggregates",
		docs:  team,
		query: `SELECT c.team, COUNT(1) AS count, c.name, AVG(c.age) AS avg_age, MIN(c.age), MAX(c.age) AS max_age FROM c GROUP BY c.team, c.name`,
		want: `{"team":"A","count":2,"name":"John","avg_age":12,"$1":11,"max_age":13}
{"team":"C","count":1,"name":"Mady","avg_age":15,"$1":15,"max_age":15}
{"team":"C","count":1,"name":"Fred"}
{"team":"C","count":1,"name":null,"$1":"old","max_age":"old"}
{"count":1,"avg_age":15,"$1":15,"max_age":15}`,
	},
	{
		name:  "aggregates alone; sums and counts of nothing are 0",
		docs:  team,
		query: `SELECT VALUE SUM(c.none) FROM c WHERE c.team = "C" GROUP BY c.name`,
		want: `0
0
0`,
	},
	{
		name:  "undefined aggregates leave their property out",
		docs:  team,
		query: `SELECT c.team, AVG(c.none) AS a, COUNT(c.none) AS n, SUM(c.age) AS s FROM c GROUP BY c.team`,
		want: `{"team":"A","n":0,"s":24}
{"team":"C","n":0}
{"n":0,"s":15}`,
	},
	{
		name:  "expressions, and functions of grouped ones",
		docs:  team,
		query: `SELECT UPPER(c.address.city) AS city, LOWER(UPPER(c.address.city)), "x" AS x, LENGTH(c["team"]) AS n FROM c WHERE IS_DEFINED(c.address) GROUP BY UPPER(c.address.city), c.team`,
		want: `{"city":"ROME","$1":"rome","x":"x","n":1}
{"city":"ROME","$1":"rome","x":"x","n":1}`,
	},
	{
		name: "a key of every kind of expression, written in another way",
		docs: team,
		query: `SELECT VALUE (c["age"] + 1 > 12 ? c.team IN ("A", "B") : c.age BETWEEN 1 and 12) FROM c WHERE IS_NUMBER(c.age) GROUP BY
			c.age+1>12?(c.team in('A',"B")):c.age BETWEEN 1 AND (12)`,
		want: `true
false`,
	},
	{
		name: "and of the other kinds",
		docs: team,
		query: `SELECT VALUE [NOT (c.team LIKE "A!%" ESCAPE "!") OR -c.age = @p, {"a": c.scores[0] ?? null}] FROM c WHERE c.name = "John" GROUP BY
			[(NOT (c.team LIKE 'A!%' ESCAPE '!')) or -c["age"] = @p, {a: c.scores[0] ?? null}]`,
		params: map[string]string{"@p": "1"},
		want: `[true,{"a":88}]
[true,{"a":null}]`,
	},
	{
		name:  "an object as the key, and as the value",
		docs:  team,
		query: `SELECT VALUE {"team": c.team} FROM c GROUP BY {"team": c.team}`,
		want: `{"team":"A"}
{"team":"C"}
{}`,
	},
	{
		name:  "a property of the key",
		docs:  team,
		query: `SELECT c.address.city, COUNT(1) AS n FROM c GROUP BY c.address`,
		want: `{"n":4}
{"city":"Rome","n":2}`,
	},
	{
		name:  "numbers are equal however they are written, objects whatever their order",
		docs:  "{\"k\":{\"a\":1,\"b\":[2]}}\n{\"k\":{\"b\":[2.0],\"a\":1e0}}",
		query: `SELECT COUNT(1) AS n FROM c GROUP BY c.k`,
		want:  `{"n":2}`,
	},
	{
		name:  "compositions of aggregates, as one partition serves them",
		docs:  team,
		query: `SELECT VALUE {team: c.team, span: MAX(c.age) - MIN(c.age), list: [COUNT(1)]} FROM c WHERE c.team IN ("A") GROUP BY c.team`,
		want:  `{"team":"A","span":2,"list":[2]}`,
	},
	{
		name:  "groups of joins",
		docs:  team,
		query: `SELECT s, COUNT(1) AS n FROM c JOIN s IN c.scores GROUP BY s`,
		want: `{"s":88,"n":2}
{"s":52,"n":1}
{"s":13,"n":1}`,
	},
	{
		name:  "groups of nothing",
		docs:  team,
		query: `SELECT c.team, COUNT(1) FROM c WHERE false GROUP BY c.team`,
	},
	{
		name:  "a window of groups",
		docs:  team,
		query: `SELECT VALUE c.team FROM c GROUP BY c.team OFFSET 1 LIMIT 1`,
		want:  `"C"`,
	},
	{
		name:   "a key by a parameter",
		docs:   team,
		params: map[string]string{"@p": `"team"`},
		query:  `SELECT TOP 1 c[@p] AS t, COUNT(1) AS n FROM c GROUP BY c[@p]`,
		want:   `{"t":"A","n":2}`,
	},
	{
		name:  "aggregates over a grouping subquery",
		docs:  team,
		query: `SELECT VALUE MAX(g.n) FROM (SELECT c.team, COUNT(1) AS n FROM c GROUP BY c.team) g`,
		want:  `3`,
	},
}

// distinctCases agree with Microsoft's page "DISTINCT" and DistinctQueryTests of
// the .NET SDK.
var distinctCases = []queryCase{
	{
		name:  "values; undefined gives no row",
		docs:  team,
		query: `SELECT DISTINCT VALUE c.name FROM c`,
		want: `"John"
"Mady"
"Fred"
null`,
	},
	{
		name:  "objects; the empty one is one",
		docs:  team,
		query: `SELECT DISTINCT c.address.city FROM c`,
		want: `{}
{"city":"Rome"}`,
	},
	{
		name:  "documents",
		docs:  "{\"a\":1}\n{ \"a\": 1.0 }\n{\"a\":2}",
		query: `SELECT DISTINCT * FROM c`,
		want: `{"a":1}
{"a":2}`,
	},
	{
		name:  "ordered",
		docs:  team,
		query: `SELECT DISTINCT VALUE c.team FROM c ORDER BY c.team DESC`,
		want: `"C"
"A"`,
	},
	{
		name:  "top counts what is left",
		docs:  team,
		query: `SELECT DISTINCT TOP 2 VALUE c.name FROM c`,
		want: `"John"
"Mady"`,
	},
	{
		name:  "with an aggregate",
		docs:  team,
		query: `SELECT DISTINCT VALUE COUNT(1) FROM c`,
		want:  `6`,
	},
	{
		name:  "of joins and groups",
		docs:  team,
		query: `SELECT DISTINCT VALUE COUNT(1) FROM c JOIN s IN c.scores GROUP BY s`,
		want: `2
1`,
	},
	{
		name:  "counted",
		docs:  team,
		query: `SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE c.team FROM c)`,
		want:  `2`,
	},
	{
		name:  "counted with a name",
		docs:  team,
		query: `SELECT COUNT(t) AS n, MIN(t.team) AS first FROM (SELECT DISTINCT c.team FROM c) AS t`,
		want:  `{"n":3,"first":"A"}`,
	},
	{
		name:  "without documents",
		docs:  team,
		query: `SELECT DISTINCT VALUE null`,
		want:  `null`,
	},
	{
		name:  "joined with a subquery that is constant",
		docs:  team,
		query: `SELECT DISTINCT r.age, s FROM r JOIN (SELECT DISTINCT VALUE c FROM (SELECT 1 a) c) s WHERE r.age >= 15`,
		want:  `{"age":15,"s":{"a":1}}`,
	},
}
