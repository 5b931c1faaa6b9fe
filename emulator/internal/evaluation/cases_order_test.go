package evaluation

var orderCases = []queryCase{
	{
		name: "types",
		docs: `{"v":[2]}
{"v":"b"}
{"v":10}
{"v":{"x":1}}
{"v":true}
{"w":0}
{"v":"B"}
{"v":-1}
{"v":null}
{"v":[1]}
{"v":false}
{"v":"é"}
{"v":"z"}`,
		query: `SELECT c.v FROM c ORDER BY c.v`,
		want: `{}
{"v":null}
{"v":false}
{"v":true}
{"v":-1}
{"v":10}
{"v":"B"}
{"v":"b"}
{"v":"z"}
{"v":"é"}
{"v":[2]}
{"v":[1]}
{"v":{"x":1}}`,
	},
	{
		name: "descending, and documents without the property last",
		docs: `{"id":"a","config":{}}
{"id":"b","config":{"enabled":false}}
{"id":"c","config":{"enabled":true}}`,
		query: `SELECT VALUE c.id FROM c ORDER BY c.config.enabled DESC`,
		want: `"c"
"b"
"a"`,
	},
	{
		name: "several keys, ties in the order of the documents",
		docs: `{"id":1,"a":1,"b":"x"}
{"id":2,"a":2,"b":"y"}
{"id":3,"a":1,"b":"y"}
{"id":4,"b":"y"}
{"id":5,"a":1,"b":"y"}`,
		query: `SELECT VALUE c.id FROM c ORDER BY c.a ASC, c["b"] DESC`,
		want: `4
3
5
1
2`,
	},
	{
		name: "top of an order",
		docs: `{"id":1}
{"id":3}
{"id":2}`,
		query: `SELECT TOP 2 VALUE c.id FROM c WHERE c.id > 0 ORDER BY c.id DESC`,
		want: `3
2`,
	},
	{
		name:   "a property named by a parameter",
		docs:   "{\"id\":2}\n{\"id\":1}",
		params: map[string]string{"@p": `"id"`},
		query:  `SELECT * FROM c ORDER BY c[@p] OFFSET 0 LIMIT 1`,
		want:   `{"id":1}`,
	},
	{
		name:  "undefined rows of an ordered query are left out",
		docs:  "{\"id\":2}\n{\"id\":1,\"v\":1}",
		query: `SELECT VALUE c.v FROM c ORDER BY c.id`,
		want:  `1`,
	},
}

// aggregateCases agree with the tests of the .NET SDK against the service
// (AggregateQueryTests and CosmosUndefinedQueryTests).
var aggregateCases = []queryCase{
	{
		name:  "over nothing",
		docs:  people,
		query: `SELECT COUNT(1), SUM(c.n), AVG(c.n), MIN(c.n), MAX(c.n) FROM c WHERE false`,
		want:  `{"$1":0,"$2":0}`,
	},
	{
		name:  "count over nothing",
		docs:  people,
		query: `SELECT VALUE COUNT(1) FROM c WHERE c.id = "none"`,
		want:  `0`,
	},
	{
		name:  "an undefined aggregate gives no row",
		docs:  people,
		query: `SELECT VALUE MAX(c.n) FROM c WHERE false`,
	},
	{
		name:  "undefined values do not count",
		docs:  people,
		query: `SELECT COUNT(1) AS all, COUNT(c.n) AS some, SUM(c.n) AS sum, AVG(c.n) AS avg, MIN(c.n) AS min, MAX(c.n) AS max FROM c`,
		want:  `{"all":3,"some":2,"sum":3.5,"avg":1.75,"min":1,"max":2.50}`,
	},
	{
		name:  "a null spoils sums, and is the minimum",
		docs:  "{\"n\":1}\n{\"n\":null}\n{\"n\":2}",
		query: `SELECT COUNT(c.n), SUM(c.n), AVG(c.n), MIN(c.n), MAX(c.n) FROM c`,
		want:  `{"$1":3,"$4":null,"$5":2}`,
	},
	{
		name:  "extremes of mixed types",
		docs:  "{\"n\":1}\n{\"n\":\"xyz\"}\n{\"n\":false}",
		query: `SELECT MIN(c.n) AS min, MAX(c.n) AS max FROM c`,
		want:  `{"min":false,"max":"xyz"}`,
	},
	{
		name:  "arrays have no extremes",
		docs:  "{\"n\":1}\n{\"n\":[]}",
		query: `SELECT MIN(c.n) AS min, MAX(c.n) AS max, COUNT(c.n) AS n FROM c`,
		want:  `{"n":2}`,
	},
	{
		name:  "expressions of aggregates",
		docs:  people,
		query: `SELECT VALUE SUM(c.n * 2) / COUNT(c.n) FROM c`,
		want:  `3.5`,
	},
	{
		name:  "order and top do not disturb",
		docs:  people,
		query: `SELECT TOP 1 VALUE COUNT(1) FROM c ORDER BY c.n`,
		want:  `3`,
	},
	{
		name:  "a window applies to the one row",
		docs:  people,
		query: `SELECT VALUE COUNT(1) FROM c OFFSET 1 LIMIT 1`,
	},
}
