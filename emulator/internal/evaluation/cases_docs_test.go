package evaluation

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
