package annotations

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// golden is a text with the errors that it gives, in order.
type golden struct {
	text string
	want []wrong
}

// wrong is what an Error says.
type wrong struct {
	start, end int
	message    string
}

// checkGolden compares positions and full messages.
func checkGolden(t *testing.T, parse func(string) []*Error, tests []golden) {
	t.Helper()
	for _, tt := range tests {
		var got []wrong
		for _, err := range parse(tt.text) {
			got = append(got, wrong{err.Offset, err.End, err.Message})
		}
		if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(wrong{})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, diff)
		}
	}
}

// TestInstead has the word that was meant for a misspelt one, if it is allowed in
// its place.
func TestInstead(t *testing.T) {
	for text, want := range map[string]string{
		"pk,hashsufix=VIN,buckets=4": "hashsuffix",
		"pk,format=dya":              "day",
		"containr=x":                 "", // it belongs elsewhere
		"foo":                        "",
	} {
		errs := fieldErrors(text)
		if len(errs) == 0 || errs[0].Instead != want {
			t.Errorf("%q: %v, want %q instead", text, errs, want)
		}
	}
	if errs := templateErrors("{a|Lower}"); len(errs) != 1 || errs[0].Instead != "lower" {
		t.Errorf("lower: %v", errs)
	}
}

func TestFieldErrors(t *testing.T) {
	checkGolden(t, fieldErrors, []golden{
		{"hashsufix=VIN", []wrong{{0, 9, `unknown word "hashsufix": did you mean "hashsuffix"?`}}},
		{"pk,hashsufix=VIN,buckets=4", []wrong{{3, 12, `unknown word "hashsufix": did you mean "hashsuffix"?`}}},
		{"pk,hashsuffix=VIN,bucket=4", []wrong{{18, 24, `unknown word "bucket": did you mean "buckets"?`}}},
		{"PK", []wrong{{0, 2, `unknown word "PK": did you mean "pk"?`}}},
		{"foo", []wrong{{0, 3, `unknown word "foo": a field may have id, pk, synthetic, etag, ttl, ts, created, updated, version, deleted, schema, rest, prefix, purge, concat, order, hashsuffix, randomsuffix, buckets, was, next, format, lower, level, field, later, tenant, unique, vector, cosine, dotproduct, euclidean, index, float16, quantizer, quantizationbytes, searchlist, shardkey, text, elements, computed, note`}}},
		{"computed", []wrong{{0, 8, `"computed" needs a value, as in "computed=LOWER(c.email)"`}}},
		{"computed=", []wrong{{0, 8, `"computed" needs a value, as in "computed=LOWER(c.email)"`}}},
		{"computed=LOWER(c.email", []wrong{{22, 22, `expression "LOWER(c.email": the expression ends where ) was expected`}}},
		{"computed=LOWER(c.email,note=time", []wrong{{32, 32, `expression "LOWER(c.email,note=time": the expression ends where ) was expected`}}},
		{"computed=c.a,c.b", []wrong{{13, 16, `unknown word "c.b": a comma outside of parentheses, brackets and quotes ends the expression before it`}}},
		{"computed=LOWER(email)", []wrong{{15, 20, `expression "LOWER(email)": identifier "email" could not be resolved; properties are written c.email`}}},
		{"computed=RAND()", []wrong{{9, 13, `expression "RAND()": a computed property cannot call RAND: it changes without the document; compare with a parameter in the query`}}},
		{"computed=c.a,later", []wrong{{13, 18, `"computed" and "later" exclude each other: documents do not store a computed property; remove the other word`}}},
		{"unique,computed=c.a", []wrong{{7, 15, `"unique" and "computed" exclude each other: documents do not store a computed property; remove the other word`}}},
		{"containr=x", []wrong{{0, 8, "unknown word \"containr\": did you mean \"container\"? It belongs on the blank field: _ struct{} `cosmos:\"container=readings\"`"}}},
		{"=5", []wrong{{0, 2, `no word before "=": write word=value, for example "buckets=400"`}}},
		{"buckets:4", []wrong{{0, 9, `unknown word "buckets:4": did you mean "buckets"?`}}},
		{"pk,pk", []wrong{{3, 5, `duplicate word "pk": say it once`}}},
		{"pk,buckets=2,randomsuffix,buckets=3", []wrong{{26, 33, `duplicate word "buckets": say it once`}}},
		{"", []wrong{{0, 0, `empty tag: write at least one word, for example "pk", or remove the tag`}}},
		{" ", []wrong{{0, 1, `empty tag: write at least one word, for example "pk", or remove the tag`}}},
		{"pk,", []wrong{{3, 3, "empty word after the last comma: remove the comma"}}},
		{"pk,,concat", []wrong{{3, 3, "empty word before a comma: remove the comma"}}},
		{",", []wrong{
			{0, 0, "empty word before a comma: remove the comma"},
			{1, 1, "empty word after the last comma: remove the comma"},
		}},
		{"pk, ,concat", []wrong{{3, 4, "empty word before a comma: remove the comma"}}},
		{"pk, concat", []wrong{{3, 10, `spaces around "concat": a comma alone separates words, as in "pk,concat"`}}},
		{"pk ,concat", []wrong{{0, 3, `spaces around "pk": a comma alone separates words, as in "pk,concat"`}}},
		{"pk\t", []wrong{{0, 3, `spaces around "pk": a comma alone separates words, as in "pk,concat"`}}},
		{"pk,randomsuffix,buckets= 400", []wrong{{24, 28, `spaces around "400": write the value right after the "="`}}},
		{"pk,randomsuffix,buckets =400", []wrong{{16, 24, `spaces around "buckets": a comma alone separates words, as in "pk,concat"`}}},
		{"pk,randomsuffix,buckets", []wrong{{16, 23, `"buckets" needs a value, as in "pk,hashsuffix=VIN,buckets=400"`}}},
		{"pk,randomsuffix,buckets=", []wrong{{16, 23, `"buckets" needs a value, as in "pk,hashsuffix=VIN,buckets=400"`}}},
		{"pk,randomsuffix,buckets= ", []wrong{{16, 23, `"buckets" needs a value, as in "pk,hashsuffix=VIN,buckets=400"`}}},
		{"pk,format", []wrong{{3, 9, `"format" needs a value, as in "pk,format=day"`}}},
		{"pk,hashsuffix,buckets=4", []wrong{{3, 13, `"hashsuffix" needs a value, as in "pk,hashsuffix=VIN,buckets=400"`}}},
		{"pk=true", []wrong{{2, 7, `"pk" takes no value: write "pk" alone`}}},
		{"id=,pk", []wrong{{2, 3, `"id" takes no value: write "id" alone`}}},
		{"concat", []wrong{{0, 6, `"concat" needs "pk": it joins components of the partition key; write "pk,concat"`}}},
		{"id,concat", []wrong{{3, 9, `"concat" needs "pk": it joins components of the partition key; write "pk,concat"`}}},
		{"hashsuffix=VIN,buckets=4", []wrong{{0, 10, `"hashsuffix" needs "pk": a suffix is a part of the partition key; write "pk," before it`}}},
		{"randomsuffix,buckets=4", []wrong{{0, 12, `"randomsuffix" needs "pk": a suffix is a part of the partition key; write "pk," before it`}}},
		{"format=day", []wrong{{0, 6, `"format" needs "pk": it formats a component of the partition key; write "pk," before it`}}},
		{"synthetic,format=day", []wrong{{10, 16, `"format" needs "pk": it formats a component of the partition key; write "pk," before it`}}},
		{"buckets=4", []wrong{{0, 7, `"buckets" needs "hashsuffix" or "randomsuffix": it is the number of buckets; write "hashsuffix=FIELD" for a computed suffix or "randomsuffix" for a random one`}}},
		{"pk,buckets=4", []wrong{{3, 10, `"buckets" needs "hashsuffix" or "randomsuffix": it is the number of buckets; write "hashsuffix=FIELD" for a computed suffix or "randomsuffix" for a random one`}}},
		{"pk,hashsuffix=VIN", []wrong{{3, 13, `"hashsuffix" needs "buckets": say how many suffixes there are, for example "buckets=400"`}}},
		{"pk,randomsuffix", []wrong{{3, 15, `"randomsuffix" needs "buckets": say how many suffixes there are, for example "buckets=400"`}}},
		{"concat,randomsuffix", []wrong{
			{0, 6, `"concat" needs "pk": it joins components of the partition key; write "pk,concat"`},
			{7, 19, `"randomsuffix" needs "buckets": say how many suffixes there are, for example "buckets=400"`},
		}},
		{"id,etag", []wrong{{3, 7, `a field cannot be both "id" and "etag": give each role a field of its own; only "id,pk" can be combined`}}},
		{"etag,ts", []wrong{{5, 7, `a field cannot be both "etag" and "ts": give each role a field of its own; only "id,pk" can be combined`}}},
		{"ttl,rest", []wrong{{4, 8, `a field cannot be both "ttl" and "rest": give each role a field of its own; only "id,pk" can be combined`}}},
		{"purge=720h", []wrong{{0, 5, `"purge" needs "deleted": it sets how long a deleted document is kept; write "deleted,purge=720h"`}}},
		{"deleted,purge=30d", []wrong{{14, 17, `"30d" is not a time until removal: write whole seconds, minutes or hours, from 1s to 2147483647s, such as 720h for 30 days`}}},
		{"deleted,purge=1500ms", []wrong{{14, 20, `"1500ms" is not a time until removal: write whole seconds, minutes or hours, from 1s to 2147483647s, such as 720h for 30 days`}}},
		{"deleted,purge=0s", []wrong{{14, 16, `"0s" is not a time until removal: write whole seconds, minutes or hours, from 1s to 2147483647s, such as 720h for 30 days`}}},
		{"deleted,updated", []wrong{{8, 15, `a field cannot be both "deleted" and "updated": give each role a field of its own; only "id,pk" can be combined`}}},
		{"schema", []wrong{{0, 6, `"schema" needs a value, as in "schema=3"`}}},
		{"schema=0", []wrong{{7, 8, `"0" is not a schema number: write a whole number from 1 to 1000000 in digits; documents without a number have form 1`}}},
		{"schema=03", []wrong{{7, 9, `"03" is not a schema number: write a whole number from 1 to 1000000 in digits; documents without a number have form 1`}}},
		{"schema=1,next=3", []wrong{{14, 15, `the form after 1 is 2, and not 3: write "next=2", or remove "next"`}}},
		{"schema=2,version", []wrong{{9, 16, `a field cannot be both "schema" and "version": give each role a field of its own; only "id,pk" can be combined`}}},
		{"schema=2,later", []wrong{{9, 14, `"schema" and "later" exclude each other: predicates already treat documents without the number as the first form; remove "later"`}}},
		{"created,updated", []wrong{{8, 15, `a field cannot be both "created" and "updated": give each role a field of its own; only "id,pk" can be combined`}}},
		{"ttl=60", []wrong{{3, 6, "\"ttl\" takes no value on a field: write \"ttl\" alone; \"ttl=SECONDS\" belongs on the blank field: _ struct{} `cosmos:\"ttl=86400\"`"}}},
		{"prefix=order-", []wrong{{0, 6, `"prefix" needs "id": every id begins with it; write "id,prefix=order-"`}}},
		{"id,prefix=a/", []wrong{{11, 12, `prefix "a/" may not hold "/": Cosmos DB refuses control characters and / \ ? # in ids`}}},
		{"id,prefx=order-", []wrong{{3, 8, `unknown word "prefx": did you mean "prefix"?`}}},
		{"type=x", []wrong{{0, 4, "\"type\" belongs on the blank field: _ struct{} `cosmos:\"type=reading\"`"}}},
		{"orders=A+B", []wrong{{0, 6, "\"orders\" belongs on the blank field: _ struct{} `cosmos:\"orders=Speed:desc+At;Date+At\"`"}}},
		{"ress", []wrong{{0, 4, `unknown word "ress": did you mean "rest"?`}}},
		{"etag,pk", []wrong{{5, 7, `a field cannot be both "etag" and "pk": give each role a field of its own; only "id,pk" can be combined`}}},
		{"pk,synthetic", []wrong{{3, 12, `a field cannot be both "pk" and "synthetic": give each role a field of its own; only "id,pk" can be combined`}}},
		{"id,synthetic,pk", []wrong{
			{3, 12, `a field cannot be both "id" and "synthetic": give each role a field of its own; only "id,pk" can be combined`},
			{13, 15, `a field cannot be both "synthetic" and "pk": give each role a field of its own; only "id,pk" can be combined`},
		}},
		{"synthetic,etag", []wrong{{10, 14, `a field cannot be both "synthetic" and "etag": give each role a field of its own; only "id,pk" can be combined`}}},
		{"pk,hashsuffix=VIN,randomsuffix,buckets=4", []wrong{{18, 30, `"hashsuffix" and "randomsuffix" exclude each other: a key has one suffix; keep "hashsuffix" if queries know the field that is hashed, else "randomsuffix"`}}},
		{"pk,randomsuffix,hashsuffix=VIN,buckets=4", []wrong{{16, 26, `"randomsuffix" and "hashsuffix" exclude each other: a key has one suffix; keep "hashsuffix" if queries know the field that is hashed, else "randomsuffix"`}}},
		{"pk,randomsuffix,buckets=x", []wrong{{24, 25, `"x" is not a bucket count: write a whole number from 2 to 10000 in digits`}}},
		{"pk,randomsuffix,buckets=-4", []wrong{{24, 26, `"-4" is not a bucket count: write a whole number from 2 to 10000 in digits`}}},
		{"pk,randomsuffix,buckets=4.0", []wrong{{24, 27, `"4.0" is not a bucket count: write a whole number from 2 to 10000 in digits`}}},
		{"pk,randomsuffix,buckets=1", []wrong{{24, 25, `"1" buckets are too few: fewer than 2 spread nothing; write 2 to 10000, or leave the suffix out`}}},
		{"pk,randomsuffix,buckets=0", []wrong{{24, 25, `"0" buckets are too few: fewer than 2 spread nothing; write 2 to 10000, or leave the suffix out`}}},
		{"pk,randomsuffix,buckets=010", []wrong{{24, 27, `"010" begins with a zero: write the number of buckets without it`}}},
		{"pk,randomsuffix,buckets=10001", []wrong{{24, 29, `"10001" buckets are too many: buckets help only up to the number of physical partitions, and reads without the suffix go through all of them; use at most 10000`}}},
		{"pk,randomsuffix,buckets=99999999999999999999", []wrong{{24, 44, `"99999999999999999999" buckets are too many: buckets help only up to the number of physical partitions, and reads without the suffix go through all of them; use at most 10000`}}},
		{"container=x", []wrong{{0, 9, "\"container\" belongs on the blank field: _ struct{} `cosmos:\"container=readings\"`"}}},
		{"pk,sep=-", []wrong{{3, 6, "\"sep\" belongs on the blank field: _ struct{} `cosmos:\"sep=-\"`"}}},
		{"sepp=3", []wrong{{0, 4, "unknown word \"sepp\": did you mean \"sep\"? It belongs on the blank field: _ struct{} `cosmos:\"sep=-\"`"}}},
		{"pk,hashsuffix=VIN+,buckets=4", []wrong{{18, 18, `empty field path: write fields joined by "+", for example "hashsuffix=VIN+Region"`}}},
		{"pk,hashsuffix=+,buckets=4", []wrong{
			{14, 14, `empty field path: write fields joined by "+", for example "hashsuffix=VIN+Region"`},
			{15, 15, `empty field path: write fields joined by "+", for example "hashsuffix=VIN+Region"`},
		}},
		{"pk,hashsuffix=A + B,buckets=4", []wrong{
			{14, 16, `spaces around "A": write fields and "+" without spaces`},
			{17, 19, `spaces around "B": write fields and "+" without spaces`},
		}},
		{"pk,hashsuffix=A..B,buckets=4", []wrong{{16, 16, `field path "A..B" lacks a name before or after a point: write Go field names joined by "."`}}},
		{"pk,hashsuffix=.A,buckets=4", []wrong{{14, 14, `field path ".A" lacks a name before or after a point: write Go field names joined by "."`}}},
		{"pk,hashsuffix=A.type,buckets=4", []wrong{{16, 20, `field path "A.type": "type" is a Go keyword, and cannot be a field: name a field of the struct`}}},
		{"pk,hashsuffix=1x,buckets=4", []wrong{{14, 16, `field path "1x": "1x" is not a Go field name: write the name as in the struct, not as in JSON`}}},
		{"pk,hashsuffix=A-b,buckets=4", []wrong{{14, 17, `field path "A-b": "A-b" is not a Go field name: write the name as in the struct, not as in JSON`}}},
		{"pk,hashsuffix=A._,buckets=4", []wrong{{16, 17, `field path "A._" names the blank field, which holds nothing: name another field`}}},
		{"pk,hashsuffix=A+A,buckets=4", []wrong{{16, 17, `field path "A" occurs here twice: hashing a field again adds nothing; remove one`}}},
		{"pk,format=dya", []wrong{{10, 13, `unknown format "dya": did you mean "day"?`}}},
		{"pk,format=200612", []wrong{{14, 15, `format "200612": Go reads "1" as a month without padding, whose digits run into its neighbours: write 01, or text between them`}}},
		{"pk,format=2006-01-02T15:04:05,000", []wrong{{30, 33, `unknown word "000": a comma ends the value before it; write fractions of a second with a point, as in 05.000`}}},
		{"note", []wrong{{0, 4, `"note" needs a value, as in "note=int64"`}}},
		{"note=int46", []wrong{{5, 10, `unknown note "int46": did you mean "int64"?`}}},
		{"note=everything", []wrong{{5, 15, `unknown note "everything": the notes are int64, etag, ttl, hashedid, renamed, retyped`}}},
		{"note=ambiguous", []wrong{{5, 14, "note \"ambiguous\" applies to the type: acknowledge it on the blank field, _ struct{} `cosmos:\"note=ambiguous\"`"}}},
		{"note=int64+", []wrong{{11, 11, `empty name of a note: write names joined by "+", for example "note=ambiguous+synthetic"`}}},
		{"note=int64+int64", []wrong{{11, 16, `note "int64" occurs here twice: say it once`}}},
		{"note=int64 +ttl", []wrong{{5, 11, `spaces around "int64": write names and "+" without spaces`}}},
		{"pk,later", []wrong{{3, 8, `"pk" and "later" exclude each other: either every document has this property from the start, or none has; remove "later"`}}},
	})
}

func TestTypeErrors(t *testing.T) {
	checkGolden(t, typeErrors, []golden{
		{"", []wrong{{0, 0, `empty tag: write at least one word, for example "container=readings", or remove the tag`}}},
		{"container=readings,", []wrong{{19, 19, "empty word after the last comma: remove the comma"}}},
		{"container=a,container=b", []wrong{{12, 21, `duplicate word "container": say it once`}}},
		{"container", []wrong{{0, 9, `"container" needs a value, as in "container=readings"`}}},
		{"container=", []wrong{{0, 9, `"container" needs a value, as in "container=readings"`}}},
		{"sep= ", []wrong{{0, 3, `"sep" needs a value, as in "sep=-"`}}},
		{"methods", []wrong{{0, 7, `"methods" needs a value, as in "methods=none"`}}},
		{"container= a", []wrong{{10, 12, `spaces around "a": write the value right after the "="`}}},
		{"pk", []wrong{{0, 2, `"pk" belongs on a field of the document: the blank field holds the options of the type`}}},
		{"container=a,concat", []wrong{{12, 18, `"concat" belongs on a field of the document: the blank field holds the options of the type`}}},
		{"pkk", []wrong{{0, 3, `unknown word "pkk": did you mean "pk"? It belongs on a field of the document: the blank field holds the options of the type`}}},
		{"containr=x", []wrong{{0, 8, `unknown word "containr": did you mean "container"?`}}},
		{"colour=x", []wrong{{0, 6, `unknown word "colour": the blank field may have api, row, edge, from, to, container, own, leases, directory, path, sep, suffixsep, key, was, next, escape, type, gone, formerly, prefix, ttl, conflict, orders, index, select, later, methods, note`}}},
		{"api=tabel", []wrong{{4, 9, `unknown API "tabel": did you mean "table"?`}}},
		{"api=cassandra", []wrong{{4, 13, `unknown API "cassandra": write nosql, table, mongo or gremlin`}}},
		{"api=Table", []wrong{{4, 9, `unknown API "Table": did you mean "table"?`}}},
		{"api=tabel,row={ID}", []wrong{{4, 9, `unknown API "tabel": did you mean "table"?`}}},
		{"api", []wrong{{0, 3, `"api" needs a value, as in "api=table"`}}},
		{"row={ID}", []wrong{{0, 3, `"row" is the row key of a table, and the NoSQL API has none: write "api=table,row=…", or remove it`}}},
		{"api=mongo,row={ID}", []wrong{{10, 13, `"row" is the row key of a table, and the MongoDB API has none: write "api=table,row=…", or remove it`}}},
		{"api=table,row={At|newst}-{ID}", []wrong{{18, 23, `unknown format "newst": did you mean "newest"?`}}},
		{"api=table,row={At|newest%4}-{ID}", []wrong{{14, 27, `{At|newest%4} is a bucket: buckets spread documents over partition keys, and a row key only sorts the rows of one; remove it`}}},
		{"api=table,row={At|newest}{ID}", []wrong{{25, 29, `{ID} follows the field before it directly, so their texts run together: write text between them, such as "-"`}}},
		{"api=table,row={ID}-{ID}", []wrong{{19, 23, `field "ID" occurs here twice: its text is in the row key already; remove one`}}},
		{"api=table,row=id", []wrong{{14, 16, `template "id" has no field, so all documents get the same key: name one in braces, as in {date}`}}},
		{"api=table,row={1}-{ID}", []wrong{{15, 16, `field path "1": "1" is not a Go field name: write the name as in the struct, not as in JSON`}}},
		{"key={At|newest}", []wrong{{8, 14, `"newest" is for the row keys of tables, which sort: write year, month, day, hour, or a Go layout`}}},
		{"edge,from=A,to=B", []wrong{{0, 4, `"edge" is for the edges of a graph, and the NoSQL API has none: write "api=gremlin,edge", or remove it`}}},
		{"api=gremlin,edge", []wrong{
			{12, 16, `"edge" needs "from": an edge leads from a vertex of one type to a vertex of another; write "edge,from=Device,to=Site"`},
			{12, 16, `"edge" needs "to": an edge leads from a vertex of one type to a vertex of another; write "edge,from=Device,to=Site"`},
		}},
		{"api=gremlin,from=Device", []wrong{{12, 16, `"from" needs "edge": an edge leads from a vertex of one type to a vertex of another; write "edge,from=Device,to=Site"`}}},
		{"api=gremlin,edge,from=a.B,to=C", []wrong{{22, 25, `"a.B" is not the name of a type: write the Go name of a struct type of this package`}}},
		{"typ=x", []wrong{{0, 3, `unknown word "typ": did you mean "type"?`}}},
		{"type", []wrong{{0, 4, `"type" needs a value, as in "type=reading"`}}},
		{"formerly=old.Reading", []wrong{{9, 20, `"old.Reading" is not the name of a type: write the Go name of a struct type of this package`}}},
		{"prefix", []wrong{{0, 6, `"prefix" needs a value, as in "prefix=order-"`}}},
		{"prefix=a#b", []wrong{{8, 9, `prefix "a#b" may not hold "#": Cosmos DB refuses control characters and / \ ? # in ids`}}},
		{"prefix=\xff", []wrong{{7, 8, `prefix "\xff" holds bytes that are not UTF-8: save the file as UTF-8`}}},
		{"prefix=" + strings.Repeat("x", 256), []wrong{{7, 263, "prefix has 256 bytes, which leaves little of the 1,023 of an id: use 255 at most"}}},
		{"type=a\x00b", []wrong{{6, 7, `type "a\x00b" holds a control character, which is invisible in a document: remove it`}}},
		{"type=\xff", []wrong{{5, 6, `type "\xff" holds bytes that are not UTF-8: save the file as UTF-8`}}},
		{"ttl", []wrong{{0, 3, `"ttl" needs a value, as in "ttl=86400"`}}},
		{"conflict", []wrong{{0, 8, `"conflict" needs a value, as in "conflict=lww:/revision"`}}},
		{"conflict=lwww", []wrong{{9, 13, `unknown conflict resolution "lwww": did you mean "lww"?`}}},
		{"conflict=first", []wrong{{9, 14, `unknown conflict resolution "first": the last writer wins by "conflict=lww", or "conflict=lww:/revision" for a number of the document`}}},
		{"conflict=lww:", []wrong{{13, 13, `no path after ":": write "conflict=lww", or "conflict=lww:/revision" for a number of the document`}}},
		{"conflict=lww:/a/", []wrong{{16, 16, `path "/a/" has no name after a "/": write it as "/partitionKey" or "/address/zip"`}}},
		{"conflict=lww:/größe", []wrong{{16, 18, `path "/größe" may not hold "ö": use ASCII letters, digits and "_", nested with "/"`}}},
		{"ttl=0", []wrong{{4, 5, `"0" is not a time to live: write a whole number of seconds from 1 to 2147483647, or -1 if only documents with their own ttl expire`}}},
		{"ttl=-2", []wrong{{4, 6, `"-2" is not a time to live: write a whole number of seconds from 1 to 2147483647, or -1 if only documents with their own ttl expire`}}},
		{"ttl=24h", []wrong{{4, 7, `"24h" is not a time to live: write a whole number of seconds from 1 to 2147483647, or -1 if only documents with their own ttl expire`}}},
		{"ttl=2147483648", []wrong{{4, 14, `"2147483648" is not a time to live: write a whole number of seconds from 1 to 2147483647, or -1 if only documents with their own ttl expire`}}},
		{"ts", []wrong{{0, 2, `"ts" belongs on a field of the document: the blank field holds the options of the type`}}},
		{"rest", []wrong{{0, 4, `"rest" belongs on a field of the document: the blank field holds the options of the type`}}},
		{"container=a/b", []wrong{{11, 12, `container id "a/b" may not hold "/": Cosmos DB refuses control characters and / \ ? #`}}},
		{`container=a\b`, []wrong{{11, 12, `container id "a\\b" may not hold "\\": Cosmos DB refuses control characters and / \ ? #`}}},
		{"container=a?", []wrong{{11, 12, `container id "a?" may not hold "?": Cosmos DB refuses control characters and / \ ? #`}}},
		{"container=a#", []wrong{{11, 12, `container id "a#" may not hold "#": Cosmos DB refuses control characters and / \ ? #`}}},
		{"container=a\a", []wrong{{11, 12, `container id "a\a" may not hold "\a": Cosmos DB refuses control characters and / \ ? #`}}},
		{"container=\xff", []wrong{{10, 11, `container id "\xff" holds bytes that are not UTF-8: save the file as UTF-8`}}},
		{"container=" + strings.Repeat("é", 256), []wrong{{10, 522, "container id has 256 characters: Cosmos DB allows 255"}}},
		{"path=partitionKey", []wrong{{5, 17, `path "partitionKey" must begin with "/": write "/partitionKey"`}}},
		{"path=/", []wrong{{6, 6, `path "/" has no name after a "/": write it as "/partitionKey" or "/address/zip"`}}},
		{"path=/a/", []wrong{{8, 8, `path "/a/" has no name after a "/": write it as "/partitionKey" or "/address/zip"`}}},
		{"path=/a//b", []wrong{{8, 8, `path "/a//b" has no name after a "/": write it as "/partitionKey" or "/address/zip"`}}},
		{"path=//a", []wrong{{6, 6, `path "//a" has no name after a "/": write it as "/partitionKey" or "/address/zip"`}}},
		{"path=/a-b", []wrong{{7, 8, `path "/a-b" may not hold "-": use ASCII letters, digits and "_", nested with "/"`}}},
		{`path=/"a"`, []wrong{{6, 7, `path "/\"a\"" may not hold "\"": use ASCII letters, digits and "_", nested with "/"`}}},
		{"path=/é", []wrong{{6, 8, `path "/é" may not hold "é": use ASCII letters, digits and "_", nested with "/"`}}},
		{"sep={", []wrong{{4, 5, `separator "{" may not hold "{", which has a meaning in tags and templates: remove it`}}},
		{"sep=}", []wrong{{4, 5, `separator "}" may not hold "}", which has a meaning in tags and templates: remove it`}}},
		{"sep=a\x01", []wrong{{5, 6, `separator "a\x01" holds a control character, which a key cannot hold: remove it`}}},
		{"sep=\x7f", []wrong{{4, 5, `separator "\x7f" holds a control character, which a key cannot hold: remove it`}}},
		{"sep=\u0085", []wrong{{0, 3, `"sep" needs a value, as in "sep=-"`}}},
		{"sep=😀", []wrong{{4, 8, `separator "😀" holds "😀", and the SDK cannot send characters beyond U+FFFF in a key: use another`}}},
		{"sep=\xff", []wrong{{4, 5, `separator "\xff" holds bytes that are not UTF-8: save the file as UTF-8`}}},
		{"sep=a{,container=b", []wrong{{5, 6, `separator "a{" may not hold "{", which has a meaning in tags and templates: remove it`}}},
		{"suffixsep=1", []wrong{{10, 11, `separator "1" holds a digit, which reads like a part of the bucket after it: use a sign such as "."`}}},
		{"suffixsep=.0", []wrong{{11, 12, `separator ".0" holds a digit, which reads like a part of the bucket after it: use a sign such as "."`}}},
		{"suffixsep={", []wrong{{10, 11, `separator "{" may not hold "{", which has a meaning in tags and templates: remove it`}}},
		{"note=synthetics", []wrong{{5, 15, `unknown note "synthetics": did you mean "synthetic"?`}}},
		{"note=xyz", []wrong{{5, 8, `unknown note "xyz": the notes are ambiguous, synthetic, int64, hashedtime, unpadded, noparse, levelsuffix, timeorder, etag, ttl, hashedid, elsewhere, renamed, retyped`}}},
		{"later", []wrong{{0, 5, `"later" needs "index": on the blank field it belongs to a global secondary index; write "index=ByCustomer,key={CustomerID}-{Region},later", or put it on the field whose property old documents lack`}}},
		{"methods=all", []wrong{{8, 11, `"all" is not possible here: write "methods=none", or leave the word out to get the methods`}}},
		{"methods=None", []wrong{{8, 12, `"None" is not possible here: write "methods=none", or leave the word out to get the methods`}}},
	})
}
