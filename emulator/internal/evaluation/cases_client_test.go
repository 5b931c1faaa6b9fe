package evaluation

import (
	"fmt"
	"strings"
)

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
