package evaluation

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
		name:  "names in quotes of both kinds",
		docs:  people,
		query: `SELECT TOP 1 c.id AS 'Item', c.n AS "the n", 1+1 AS 'order', c.n = 1 AS '$1', 'a' AS 'it\'s "é\u0041"' FROM c`,
		want:  `{"Item":"1","the n":1,"order":2,"$1":true,"it's \"éA\"":"a"}`,
	},
	{
		name:  "a quoted name of a value has no effect",
		docs:  people,
		query: `SELECT VALUE c.id AS 'Item' FROM c`,
		want: `"1"
"2"
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
