package evaluation

const products = `{"id":"1","name":"Raiot Jacket","sizes":[{"key":"s","order":1},{"key":"m","order":2}],"colors":["blue","red"],"tags":{"fabric":["wool","silk"]}}
{"id":"2","name":"Elecy Jacket","sizes":[{"key":"l","order":3}],"colors":["blue"]}
{"id":"3","name":"Tresko Pack","sizes":[],"colors":"none"}`

// fromCases agree with Microsoft's pages "FROM" and "JOIN" and with the tests of
// the reference interpreter (DataSourceEvaluatorTests of the .NET SDK).
var fromCases = []queryCase{
	{
		name:  "no FROM gives one row, whatever the documents",
		docs:  products,
		query: `SELECT 1 AS a, "b"`,
		want:  `{"a":1,"$1":"b"}`,
	},
	{
		name:  "no FROM with WHERE",
		query: `SELECT VALUE 1 WHERE 1 > 2`,
	},
	{
		name:  "elements of an array",
		docs:  products,
		query: `SELECT VALUE c FROM c IN p.colors`,
		want: `"blue"
"red"
"blue"`,
	},
	{
		name:  "star of elements",
		docs:  products,
		query: `SELECT * FROM s IN p.sizes WHERE s["order"] > 1`,
		want: `{"key":"m","order":2}
{"key":"l","order":3}`,
	},
	{
		name:  "a path goes by its last name, and documents without it are left out",
		docs:  products,
		query: `SELECT tags.fabric[1] AS second FROM p.tags`,
		want:  `{"second":"silk"}`,
	},
	{
		name:  "a path to an element, with an alias",
		docs:  products,
		query: `SELECT VALUE first.key FROM p.sizes[0] AS first`,
		want: `"s"
"l"`,
	},
	{
		name:  "a path in brackets",
		docs:  products,
		query: `SELECT * FROM p["tags"]['fabric'][0]`,
		want:  `"wool"`,
	},
	{
		name:  "join",
		docs:  products,
		query: `SELECT p.id, s.key FROM products p JOIN s IN p.sizes`,
		want: `{"id":"1","key":"s"}
{"id":"1","key":"m"}
{"id":"2","key":"l"}`,
	},
	{
		name:  "a cross product, the last source fastest",
		docs:  products,
		query: `SELECT VALUE s.key || "-" || c FROM p JOIN s IN p.sizes JOIN c IN p.colors`,
		want: `"s-blue"
"s-red"
"m-blue"
"m-red"
"l-blue"`,
	},
	{
		name:  "a join along a nested path, then from the joined name",
		docs:  `{"f":{"children":[{"pets":[{"n":"Fluffy"},{"n":"Rex"}]},{"pets":[]},{}]}}`,
		query: `SELECT VALUE pet.n FROM r JOIN c IN r.f.children JOIN pet IN c["pets"]`,
		want: `"Fluffy"
"Rex"`,
	},
	{
		name:  "a join with a value instead of its elements",
		docs:  products,
		query: `SELECT VALUE t.fabric FROM p JOIN p.tags t`,
		want:  `["wool","silk"]`,
	},
	{
		name:  "join and WHERE, the document more than once",
		docs:  products,
		query: `SELECT p.id FROM p JOIN c IN p.colors WHERE c LIKE "%e%" AND p.name != "x"`,
		want: `{"id":"1"}
{"id":"1"}
{"id":"2"}`,
	},
	{
		name:  "order of documents with joins",
		docs:  products,
		query: `SELECT p.id, c FROM p JOIN c IN p.colors ORDER BY p.id DESC`,
		want: `{"id":"2","c":"blue"}
{"id":"1","c":"blue"}
{"id":"1","c":"red"}`,
	},
	{
		name:  "top counts rows of joins",
		docs:  products,
		query: `SELECT TOP 2 VALUE c FROM p JOIN c IN p.colors`,
		want: `"blue"
"red"`,
	},
	{
		name:  "a subquery over the container",
		docs:  products,
		query: `SELECT VALUE s.n FROM (SELECT p.name AS n, p.id FROM p WHERE p.id > "1") AS s WHERE s.id < "3"`,
		want:  `"Elecy Jacket"`,
	},
	{
		name:  "a subquery that passes documents on can be ordered",
		docs:  products,
		query: `SELECT VALUE s.id FROM (SELECT * FROM c WHERE c.id != "2") s ORDER BY s.name`,
		want: `"1"
"3"`,
	},
	{
		name:  "a subquery that passes a part on can be ordered",
		docs:  "{\"id\":1,\"a\":{\"b\":2}}\n{\"id\":2,\"a\":{\"b\":1}}",
		query: `SELECT VALUE s FROM (SELECT VALUE c.a FROM c) s ORDER BY s.b`,
		want: `{"b":1}
{"b":2}`,
	},
	{
		name:  "elements of the rows of a subquery",
		docs:  products,
		query: `SELECT VALUE x FROM x IN (SELECT VALUE p.colors FROM p) WHERE x != "red"`,
		want: `"blue"
"blue"`,
	},
	{
		name:  "a join over a constant table (page Subqueries)",
		docs:  products,
		query: `SELECT s.key, m.cm FROM p JOIN s IN p.sizes JOIN m IN (SELECT VALUE [{size: 's', cm: 64.5}, {size: 'l', cm: 67.5}]) WHERE s.key = m.size`,
		want: `{"key":"s","cm":64.5}
{"key":"l","cm":67.5}`,
	},
	{
		name:  "joins over filtered subqueries, without names (page Subqueries)",
		docs:  products,
		query: `SELECT VALUE COUNT(1) FROM p JOIN (SELECT VALUE s FROM s IN p.sizes WHERE s["order"] >= 2) JOIN (SELECT VALUE c FROM c IN p.colors WHERE c LIKE "%blue%")`,
		want:  `2`,
	},
	{
		name:  "a value that is computed once (page Subqueries)",
		docs:  "{\"price\":15}\n{\"price\":100}\n{}",
		query: `SELECT VALUE {subtotal: p.price, total: totalPrice} FROM p JOIN (SELECT VALUE p.price * 1.25) totalPrice WHERE totalPrice < 22.25`,
		want:  `{"subtotal":15,"total":18.75}`,
	},
	{
		name:  "a subquery sees the names before it only, its own first",
		docs:  products,
		query: `SELECT VALUE s FROM p JOIN s IN p.sizes JOIN (SELECT VALUE s FROM s IN p.colors WHERE s = "red") x WHERE s.key = "m"`,
		want:  `{"key":"m","order":2}`,
	},
}

// subqueryCases agree with Microsoft's page "Subqueries".
var subqueryCases = []queryCase{
	{
		name:  "a value",
		docs:  products,
		query: `SELECT p.id, (SELECT VALUE COUNT(1) FROM s IN p.sizes) AS sizes FROM p`,
		want: `{"id":"1","sizes":2}
{"id":"2","sizes":1}
{"id":"3","sizes":0}`,
	},
	{
		name:  "a filtered value, and a property of it",
		docs:  products,
		query: `SELECT p.id, (SELECT p.name WHERE CONTAINS(p.name, "Jacket")).name FROM p`,
		want: `{"id":"1","name":"Raiot Jacket"}
{"id":"2","name":"Elecy Jacket"}
{"id":"3"}`,
	},
	{
		name:  "a value in WHERE",
		docs:  products,
		query: `SELECT VALUE p.id FROM p WHERE (SELECT VALUE COUNT(1) FROM c IN p.colors) >= 2`,
		want:  `"1"`,
	},
	{
		name:  "the document itself",
		docs:  `{"a":1}`,
		query: `SELECT VALUE (SELECT VALUE SUM(x.a) FROM c x) FROM c`,
		want:  `1`,
	},
	{
		name:  "exists",
		docs:  products,
		query: `SELECT VALUE p.id FROM p WHERE EXISTS(SELECT VALUE s FROM s IN p.sizes WHERE s.key = "l" AND s["order"] = 3)`,
		want:  `"2"`,
	},
	{
		name:  "exists as a value, and of undefined",
		docs:  products,
		query: `SELECT VALUE [EXISTS(SELECT VALUE c FROM c IN p.colors), EXISTS(SELECT VALUE undefined), EXISTS(SELECT undefined), NOT EXISTS(SELECT 1 WHERE false)] FROM p WHERE p.id > "1"`,
		want: `[true,false,true,true]
[false,false,true,true]`,
	},
	{
		name:  "array",
		docs:  products,
		query: `SELECT p.id, ARRAY(SELECT VALUE s.key FROM s IN p.sizes WHERE s["order"] > 1) AS keys FROM p`,
		want: `{"id":"1","keys":["m"]}
{"id":"2","keys":["l"]}
{"id":"3","keys":[]}`,
	},
	{
		name:  "array of distinct objects",
		docs:  `{"t":[{"a":1},{"b":2},{"a":1.0},{"b":2,"c":null}]}`,
		query: `SELECT VALUE ARRAY(SELECT DISTINCT t.a, t.b FROM t IN c.t) FROM c`,
		want:  `[{"a":1},{"b":2}]`,
	},
	{
		name:  "elements of an array expression",
		docs:  products,
		query: `SELECT p.id, z.s.key FROM p JOIN z IN (SELECT VALUE ARRAY(SELECT s FROM s IN p.sizes))`,
		want: `{"id":"1","key":"s"}
{"id":"1","key":"m"}
{"id":"2","key":"l"}`,
	},
	{
		name:  "groups of an array",
		docs:  `{"id":1,"scores":[3,5,3]}`,
		query: `SELECT c.id, s FROM c JOIN (SELECT x AS score, COUNT(1) AS n FROM x IN c.scores GROUP BY x) s`,
		want: `{"id":1,"s":{"score":3,"n":2}}
{"id":1,"s":{"score":5,"n":1}}`,
	},
	{
		name:  "subqueries in subqueries",
		docs:  `{"a":[{"b":[1,2]},{"b":[3]}]}`,
		query: `SELECT VALUE ARRAY(SELECT VALUE (SELECT VALUE SUM(y) FROM y IN x.b WHERE EXISTS(SELECT VALUE z FROM z IN c.a WHERE ARRAY_CONTAINS(z.b, y))) FROM x IN c.a) FROM c`,
		want:  `[3,3]`,
	},
	{
		name:   "parameters in subqueries",
		docs:   products,
		params: map[string]string{"@c": `"red"`, "@f": `"key"`},
		query:  `SELECT VALUE ARRAY(SELECT VALUE s[@f] FROM s IN p.sizes) FROM p WHERE EXISTS(SELECT VALUE c FROM c IN p.colors WHERE c = @c)`,
		want:   `["s","m"]`,
	},
	{
		name:  "as object mappers write them (LINQ baselines of the .NET SDK)",
		docs:  products,
		query: `SELECT VALUE root["id"] FROM root JOIN (SELECT VALUE EXISTS(SELECT VALUE c0 FROM root JOIN c0 IN root["colors"] WHERE (c0 = "red"))) AS v0 WHERE v0`,
		want:  `"1"`,
	},
}
