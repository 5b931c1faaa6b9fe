package cosmossql

import (
	"fmt"
	"strings"
)

// documentationCases are the examples of Microsoft's reference for the query
// language, on the page that each name names, in the parts of the language that
// are evaluated here.
var documentationCases = []queryCase{
	{
		name: "Keywords/BETWEEN",
		docs: `{"name":"a","price":20.0}
{"name":"b","price":7.5}
{"name":"c","price":"fifteen"}`,
		query: `SELECT VALUE p.price FROM products p WHERE p.price BETWEEN 17.25 AND 25.50`,
		want:  `20.0`,
	},
	{
		name: "Keywords/BETWEEN in SELECT",
		docs: `{"price":20.0}
{"price":7.5}`,
		query: `SELECT (p.price BETWEEN 0 AND 10) AS booleanLessThanTen, p.price FROM products p`,
		want: `{"booleanLessThanTen":false,"price":20.0}
{"booleanLessThanTen":true,"price":7.5}`,
	},
	{
		name: "Keywords/TOP",
		docs: `{"id":1}
{"id":2}
{"id":3}`,
		query: `SELECT TOP 2 p.id FROM products p`,
		want: `{"id":1}
{"id":2}`,
	},
	{
		name:  "Equality and comparison operators/different types",
		docs:  `{"id":1}`,
		query: `SELECT * FROM products p WHERE 0 = "true"`,
	},
	{
		name: "ORDER BY/names",
		docs: `{"name":{"first":"Casey","last":"Jensen"},"team":"Human resources"}
{"name":{"first":"Amari","last":"Rivera"},"team":"Human resources"}
{"name":{"first":"Kayla","last":"Lewis"},"team":"Legal"}`,
		query: `SELECT VALUE e.name.last FROM employees e ORDER BY e.name.last DESC`,
		want: `"Rivera"
"Lewis"
"Jensen"`,
	},
	{
		name: "SUM/remarks",
		docs: `{"name":"Cosmoxy pack","quantity":35,"category":"hiking-bags"}
{"name":"Heliont pack","category":"hiking-bags"}
{"name":"Immery bag","quantity":15,"category":"hiking-bags"}`,
		query: `SELECT VALUE SUM(p.quantity) FROM products p WHERE p.category = "hiking-bags"`,
		want:  `50`,
	},
	{
		name: "MIN/example",
		docs: `{"price":87.66,"category":"fashion-bracelet"}
{"price":27.60,"category":"fashion-bracelet"}`,
		query: `SELECT MIN(p.price) AS minPrice FROM products p WHERE p.category = "fashion-bracelet"`,
		want:  `{"minPrice":27.60}`,
	},
	{
		name:   "ARRAY_CONTAINS/partial match",
		docs:   `{"items":[{"category":"shirts","color":"blue"}]}`,
		params: map[string]string{"@full": `{"color":"blue","category":"shirts"}`, "@part": `{"category":"shirts"}`, "@other": `{"category":"shorts","color":"blue"}`},
		query: `SELECT ARRAY_CONTAINS(c.items, @full) AS full, ARRAY_CONTAINS(c.items, @part) AS missing,
			ARRAY_CONTAINS(c.items, @part, true) AS part, ARRAY_CONTAINS(c.items, @other, true) AS other FROM c`,
		want: `{"full":true,"missing":false,"part":true,"other":false}`,
	},
	{
		name: "Parameterized queries/families",
		docs: `{"id":"AndersenFamily","lastName":"Andersen","address":{"state":"WA"}}
{"id":"WakefieldFamily","lastName":"Wakefield","address":{"state":"NY"}}`,
		params: map[string]string{"@lastName": `"Wakefield"`, "@addressState": `"NY"`},
		query:  `SELECT * FROM Families f WHERE f.lastName = @lastName AND f.address.state = @addressState`,
		want:   `{"id":"WakefieldFamily","lastName":"Wakefield","address":{"state":"NY"}}`,
	},
}

const people = `{"id":"1","pk":"a","n":1,"name":"Ann"}
{"id":"2","pk":"b","n":2.50,"name":"Bob"}
{"id":"3","pk":"a","name":"Cid"}`

var selectionCases = []queryCase{
	{
		name:  "star keeps the stored bytes",
		docs:  `{ "b" : 1.0, "a":"\u00e9" , "a2":[ ] }`,
		query: `SELECT * FROM c`,
		want:  `{ "b" : 1.0, "a":"\u00e9" , "a2":[ ] }`,
	},
	{
		name:  "value of the alias keeps them too",
		docs:  `{ "b" : 1.0 }`,
		query: `SELECT VALUE c FROM c`,
		want:  `{ "b" : 1.0 }`,
	},
	{
		name:  "the alias is projected under its name",
		docs:  `{"id":"1"}`,
		query: `SELECT x, x.id FROM anything AS x`,
		want:  `{"x":{"id":"1"},"id":"1"}`,
	},
	{
		name:  "names",
		docs:  `{"a":{"b c":[1,2]},"n":1}`,
		query: `SELECT c.a["b c"], c.a["b c"][0], c.n + 1, (c.n), c.n = 1, c.n AS m FROM c`,
		want:  `{"b c":[1,2],"$1":1,"$2":2,"n":1,"$3":true,"m":1}`,
	},
	{
		name:  "undefined projections leave their property out",
		docs:  people,
		query: `SELECT c.id, c.n, c.none FROM c`,
		want: `{"id":"1","n":1}
{"id":"2","n":2.50}
{"id":"3"}`,
	},
	{
		name:  "numbers count undefined projections too",
		docs:  `{"n":1}`,
		query: `SELECT c.x = 1, c.n = 1 FROM c`,
		want:  `{"$2":true}`,
	},
	{
		name:  "undefined values give no row",
		docs:  people,
		query: `SELECT VALUE c.n FROM c`,
		want: `1
2.50`,
	},
	{
		name:  "a condition that is no boolean selects nothing",
		docs:  people,
		query: `SELECT * FROM c WHERE c.n`,
	},
	{
		name:  "keywords in any case, aliases and constants in one",
		docs:  people,
		query: `select Value C.id frOm c As C where C.n in (1) oR C.name = 'Cid' and not false`,
		want: `"1"
"3"`,
	},
	{
		name:  "reserved words in brackets",
		docs:  `{"value":1,"order":{"by":2},"Group":3}`,
		query: `SELECT c["value"], c["order"]["by"], c["Group"] FROM c WHERE c["value"] = 1`,
		want:  `{"value":1,"by":2,"Group":3}`,
	},
	{
		name:  "words that are keywords only in their place",
		docs:  `{"first":1,"last":2,"all":3,"rank":4,"count":5,"TRUE":6}`,
		query: `SELECT c.first, c.last, c.all, c.rank, c.count, c.TRUE FROM c`,
		want:  `{"first":1,"last":2,"all":3,"rank":4,"count":5,"TRUE":6}`,
	},
	{
		name:   "parameters",
		docs:   people,
		params: map[string]string{"@n": `1`, "@list": `["1","3"]`, "@top": `1`, "@unused": `null`, "@id": `"id"`},
		query:  `SELECT TOP @top VALUE c[@id] FROM c WHERE ARRAY_CONTAINS(@list, c.id) AND (c.n = @n OR c.name = @list)`,
		want:   `"1"`,
	},
	{
		name:   "a list in a parameter is one item of IN",
		docs:   people,
		params: map[string]string{"@list": `["1","3"]`},
		query:  `SELECT * FROM c WHERE c.id IN (@list)`,
	},
	{
		name:   "offset and limit",
		docs:   people,
		params: map[string]string{"@a": `1`, "@b": `1`},
		query:  `SELECT VALUE c.id FROM c OFFSET @a LIMIT @b`,
		want:   `"2"`,
	},
	{
		name:  "offset beyond the end",
		docs:  people,
		query: `SELECT VALUE c.id FROM c OFFSET 5 LIMIT 1`,
	},
	{
		name:  "nothing wanted",
		docs:  people,
		query: `SELECT TOP 0 * FROM c`,
	},
	{
		name:  "limit counts rows, not documents",
		docs:  people,
		query: `SELECT VALUE c.n FROM c OFFSET 1 LIMIT 5`,
		want:  `2.50`,
	},
}

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

// clientCases are queries as clients of the service write them.
var clientCases = []queryCase{
	{
		name:  "offers of a resource",
		docs:  "{\"offerResourceId\":\"rid1\"}\n{\"offerResourceId\":\"rid2\"}",
		query: `SELECT * FROM c WHERE c.offerResourceId='rid2'`,
		want:  `{"offerResourceId":"rid2"}`,
	},
	{
		name:   "databases by id",
		docs:   "{\"id\":\"db1\"}\n{\"id\":\"db2\"}",
		params: map[string]string{"@id": `"db2"`},
		query:  `SELECT * FROM root r WHERE r.id = @id`,
		want:   `{"id":"db2"}`,
	},
	{
		name:  "not null, as object mappers write it",
		docs:  "{\"id\":1,\"city\":\"Rome\"}\n{\"id\":2,\"city\":null}\n{\"id\":3}",
		query: `SELECT VALUE c["id"] FROM root c WHERE (c["city"] != null)`,
		want:  `1`,
	},
	{
		name:   "many documents by id and key",
		docs:   people,
		params: readManyParams(1000),
		query:  readManyQuery(1000),
		want: `{"id":"1","pk":"a","n":1,"name":"Ann"}
{"id":"3","pk":"a","name":"Cid"}`,
	},
}

// readManyQuery is the query that the SDKs send to read n documents at once.
func readManyQuery(n int) string {
	terms := make([]string, n)
	for i := range terms {
		terms[i] = fmt.Sprintf("(c.id = @param_id%d AND c.pk = @param_pk%d0)", i, i)
	}
	return "SELECT * FROM c WHERE " + strings.Join(terms, " OR ")
}

// readManyParams pairs the ids 0 to n-1 with the key "a".
func readManyParams(n int) map[string]string {
	params := map[string]string{}
	for i := range n {
		params[fmt.Sprintf("@param_id%d", i)] = fmt.Sprintf("%q", fmt.Sprint(i))
		params[fmt.Sprintf("@param_pk%d0", i)] = `"a"`
	}
	return params
}
