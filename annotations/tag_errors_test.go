package annotations

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// golden is a text with the errors that it gives, in order.
type golden struct {
	text string
	want []Error
}

// checkGolden compares positions and full messages.
func checkGolden(t *testing.T, parse func(string) []*Error, tests []golden) {
	t.Helper()
	for _, tt := range tests {
		var got []Error
		for _, err := range parse(tt.text) {
			got = append(got, *err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, diff)
		}
	}
}

func TestFieldErrors(t *testing.T) {
	checkGolden(t, fieldErrors, []golden{
		{"hashsufix=VIN", []Error{{0, 9, `unknown word "hashsufix": did you mean "hashsuffix"?`}}},
		{"pk,hashsufix=VIN,buckets=4", []Error{{3, 12, `unknown word "hashsufix": did you mean "hashsuffix"?`}}},
		{"pk,hashsuffix=VIN,bucket=4", []Error{{18, 24, `unknown word "bucket": did you mean "buckets"?`}}},
		{"PK", []Error{{0, 2, `unknown word "PK": did you mean "pk"?`}}},
		{"foo", []Error{{0, 3, `unknown word "foo": a field may have id, pk, synthetic, etag, ttl, ts, rest, concat, order, hashsuffix, randomsuffix, buckets, format, lower, level`}}},
		{"containr=x", []Error{{0, 8, "unknown word \"containr\": did you mean \"container\"? It belongs on the blank field: _ struct{} `cosmos:\"container=readings\"`"}}},
		{"=5", []Error{{0, 2, `no word before "=": write word=value, for example "buckets=400"`}}},
		{"buckets:4", []Error{{0, 9, `unknown word "buckets:4": did you mean "buckets"?`}}},
		{"pk,pk", []Error{{3, 5, `duplicate word "pk": say it once`}}},
		{"pk,buckets=2,randomsuffix,buckets=3", []Error{{26, 33, `duplicate word "buckets": say it once`}}},
		{"", []Error{{0, 0, `empty tag: write at least one word, for example "pk", or remove the tag`}}},
		{" ", []Error{{0, 1, `empty tag: write at least one word, for example "pk", or remove the tag`}}},
		{"pk,", []Error{{3, 3, "empty word after the last comma: remove the comma"}}},
		{"pk,,concat", []Error{{3, 3, "empty word before a comma: remove the comma"}}},
		{",", []Error{
			{0, 0, "empty word before a comma: remove the comma"},
			{1, 1, "empty word after the last comma: remove the comma"},
		}},
		{"pk, ,concat", []Error{{3, 4, "empty word before a comma: remove the comma"}}},
		{"pk, concat", []Error{{3, 10, `spaces around "concat": a comma alone separates words, as in "pk,concat"`}}},
		{"pk ,concat", []Error{{0, 3, `spaces around "pk": a comma alone separates words, as in "pk,concat"`}}},
		{"pk\t", []Error{{0, 3, `spaces around "pk": a comma alone separates words, as in "pk,concat"`}}},
		{"pk,randomsuffix,buckets= 400", []Error{{24, 28, `spaces around "400": write the value right after the "="`}}},
		{"pk,randomsuffix,buckets =400", []Error{{16, 24, `spaces around "buckets": a comma alone separates words, as in "pk,concat"`}}},
		{"pk,randomsuffix,buckets", []Error{{16, 23, `"buckets" needs a value, as in "pk,hashsuffix=VIN,buckets=400"`}}},
		{"pk,randomsuffix,buckets=", []Error{{16, 23, `"buckets" needs a value, as in "pk,hashsuffix=VIN,buckets=400"`}}},
		{"pk,randomsuffix,buckets= ", []Error{{16, 23, `"buckets" needs a value, as in "pk,hashsuffix=VIN,buckets=400"`}}},
		{"pk,format", []Error{{3, 9, `"format" needs a value, as in "pk,format=day"`}}},
		{"pk,hashsuffix,buckets=4", []Error{{3, 13, `"hashsuffix" needs a value, as in "pk,hashsuffix=VIN,buckets=400"`}}},
		{"pk=true", []Error{{2, 7, `"pk" takes no value: write "pk" alone`}}},
		{"id=,pk", []Error{{2, 3, `"id" takes no value: write "id" alone`}}},
		{"concat", []Error{{0, 6, `"concat" needs "pk": it joins components of the partition key; write "pk,concat"`}}},
		{"id,concat", []Error{{3, 9, `"concat" needs "pk": it joins components of the partition key; write "pk,concat"`}}},
		{"hashsuffix=VIN,buckets=4", []Error{{0, 10, `"hashsuffix" needs "pk": a suffix is a part of the partition key; write "pk," before it`}}},
		{"randomsuffix,buckets=4", []Error{{0, 12, `"randomsuffix" needs "pk": a suffix is a part of the partition key; write "pk," before it`}}},
		{"format=day", []Error{{0, 6, `"format" needs "pk": it formats a component of the partition key; write "pk," before it`}}},
		{"synthetic,format=day", []Error{{10, 16, `"format" needs "pk": it formats a component of the partition key; write "pk," before it`}}},
		{"buckets=4", []Error{{0, 7, `"buckets" needs "hashsuffix" or "randomsuffix": it is the number of suffixes; write "hashsuffix=FIELD" for a computed suffix or "randomsuffix" for a random one`}}},
		{"pk,buckets=4", []Error{{3, 10, `"buckets" needs "hashsuffix" or "randomsuffix": it is the number of suffixes; write "hashsuffix=FIELD" for a computed suffix or "randomsuffix" for a random one`}}},
		{"pk,hashsuffix=VIN", []Error{{3, 13, `"hashsuffix" needs "buckets": say how many suffixes there are, for example "buckets=400"`}}},
		{"pk,randomsuffix", []Error{{3, 15, `"randomsuffix" needs "buckets": say how many suffixes there are, for example "buckets=400"`}}},
		{"concat,randomsuffix", []Error{
			{0, 6, `"concat" needs "pk": it joins components of the partition key; write "pk,concat"`},
			{7, 19, `"randomsuffix" needs "buckets": say how many suffixes there are, for example "buckets=400"`},
		}},
		{"id,etag", []Error{{3, 7, `a field cannot be both "id" and "etag": give each role a field of its own; only "id,pk" stand together`}}},
		{"etag,ts", []Error{{5, 7, `a field cannot be both "etag" and "ts": give each role a field of its own; only "id,pk" stand together`}}},
		{"ttl,rest", []Error{{4, 8, `a field cannot be both "ttl" and "rest": give each role a field of its own; only "id,pk" stand together`}}},
		{"ttl=60", []Error{{3, 6, "\"ttl\" takes no value on a field: write \"ttl\" alone; \"ttl=SECONDS\" belongs on the blank field: _ struct{} `cosmos:\"ttl=86400\"`"}}},
		{"type=x", []Error{{0, 4, "\"type\" belongs on the blank field: _ struct{} `cosmos:\"type=reading\"`"}}},
		{"orders=A+B", []Error{{0, 6, "\"orders\" belongs on the blank field: _ struct{} `cosmos:\"orders=Speed:desc+At;Date+At\"`"}}},
		{"ress", []Error{{0, 4, `unknown word "ress": did you mean "rest"?`}}},
		{"etag,pk", []Error{{5, 7, `a field cannot be both "etag" and "pk": give each role a field of its own; only "id,pk" stand together`}}},
		{"pk,synthetic", []Error{{3, 12, `a field cannot be both "pk" and "synthetic": give each role a field of its own; only "id,pk" stand together`}}},
		{"id,synthetic,pk", []Error{
			{3, 12, `a field cannot be both "id" and "synthetic": give each role a field of its own; only "id,pk" stand together`},
			{13, 15, `a field cannot be both "synthetic" and "pk": give each role a field of its own; only "id,pk" stand together`},
		}},
		{"synthetic,etag", []Error{{10, 14, `a field cannot be both "synthetic" and "etag": give each role a field of its own; only "id,pk" stand together`}}},
		{"pk,hashsuffix=VIN,randomsuffix,buckets=4", []Error{{18, 30, `"hashsuffix" and "randomsuffix" exclude each other: a key has one suffix; keep "hashsuffix" when queries know the field that is hashed, "randomsuffix" when they know none`}}},
		{"pk,randomsuffix,hashsuffix=VIN,buckets=4", []Error{{16, 26, `"randomsuffix" and "hashsuffix" exclude each other: a key has one suffix; keep "hashsuffix" when queries know the field that is hashed, "randomsuffix" when they know none`}}},
		{"pk,randomsuffix,buckets=x", []Error{{24, 25, `"x" is not a number of buckets: write a whole number from 2 to 10000 in digits`}}},
		{"pk,randomsuffix,buckets=-4", []Error{{24, 26, `"-4" is not a number of buckets: write a whole number from 2 to 10000 in digits`}}},
		{"pk,randomsuffix,buckets=4.0", []Error{{24, 27, `"4.0" is not a number of buckets: write a whole number from 2 to 10000 in digits`}}},
		{"pk,randomsuffix,buckets=1", []Error{{24, 25, `"1" is too small a number of buckets: fewer than 2 spread nothing; write 2 to 10000, or leave the suffix out`}}},
		{"pk,randomsuffix,buckets=0", []Error{{24, 25, `"0" is too small a number of buckets: fewer than 2 spread nothing; write 2 to 10000, or leave the suffix out`}}},
		{"pk,randomsuffix,buckets=010", []Error{{24, 27, `"010" begins with a zero: write the number of buckets without it`}}},
		{"pk,randomsuffix,buckets=10001", []Error{{24, 29, `"10001" is too large a number of buckets: a suffix helps only up to the number of physical partitions, and reads without it go through all buckets; use at most 10000`}}},
		{"pk,randomsuffix,buckets=99999999999999999999", []Error{{24, 44, `"99999999999999999999" is too large a number of buckets: a suffix helps only up to the number of physical partitions, and reads without it go through all buckets; use at most 10000`}}},
		{"container=x", []Error{{0, 9, "\"container\" belongs on the blank field: _ struct{} `cosmos:\"container=readings\"`"}}},
		{"pk,sep=-", []Error{{3, 6, "\"sep\" belongs on the blank field: _ struct{} `cosmos:\"sep=-\"`"}}},
		{"sepp=3", []Error{{0, 4, "unknown word \"sepp\": did you mean \"sep\"? It belongs on the blank field: _ struct{} `cosmos:\"sep=-\"`"}}},
		{"pk,hashsuffix=VIN+,buckets=4", []Error{{18, 18, `empty field path: write fields joined by "+", for example "hashsuffix=VIN+Region"`}}},
		{"pk,hashsuffix=+,buckets=4", []Error{
			{14, 14, `empty field path: write fields joined by "+", for example "hashsuffix=VIN+Region"`},
			{15, 15, `empty field path: write fields joined by "+", for example "hashsuffix=VIN+Region"`},
		}},
		{"pk,hashsuffix=A + B,buckets=4", []Error{
			{14, 16, `spaces around "A": write fields and "+" without spaces`},
			{17, 19, `spaces around "B": write fields and "+" without spaces`},
		}},
		{"pk,hashsuffix=A..B,buckets=4", []Error{{16, 16, `field path "A..B" lacks a name beside a point: write Go field names joined by "."`}}},
		{"pk,hashsuffix=.A,buckets=4", []Error{{14, 14, `field path ".A" lacks a name beside a point: write Go field names joined by "."`}}},
		{"pk,hashsuffix=A.type,buckets=4", []Error{{16, 20, `field path "A.type": "type" is a Go keyword, and cannot be a field: name a field of the struct`}}},
		{"pk,hashsuffix=1x,buckets=4", []Error{{14, 16, `field path "1x": "1x" is not a Go field name: write the name as in the struct, not as in JSON`}}},
		{"pk,hashsuffix=A-b,buckets=4", []Error{{14, 17, `field path "A-b": "A-b" is not a Go field name: write the name as in the struct, not as in JSON`}}},
		{"pk,hashsuffix=A._,buckets=4", []Error{{16, 17, `field path "A._" names the blank field, which holds nothing: name another field`}}},
		{"pk,hashsuffix=A+A,buckets=4", []Error{{16, 17, `field path "A" stands here twice: hashing a field again adds nothing; remove one`}}},
		{"pk,format=dya", []Error{{10, 13, `unknown format "dya": did you mean "day"?`}}},
		{"pk,format=200612", []Error{{14, 15, `format "200612": Go reads "1" as a month without padding, which has no fixed width: write 01`}}},
		{"pk,format=2006-01-02T15:04:05,000", []Error{{30, 33, `unknown word "000": a comma ends the value before it; write fractions of a second with a point, as in 05.000`}}},
	})
}

func TestTypeErrors(t *testing.T) {
	checkGolden(t, typeErrors, []golden{
		{"", []Error{{0, 0, `empty tag: write at least one word, for example "container=readings", or remove the tag`}}},
		{"container=readings,", []Error{{19, 19, "empty word after the last comma: remove the comma"}}},
		{"container=a,container=b", []Error{{12, 21, `duplicate word "container": say it once`}}},
		{"container", []Error{{0, 9, `"container" needs a value, as in "container=readings"`}}},
		{"container=", []Error{{0, 9, `"container" needs a value, as in "container=readings"`}}},
		{"sep= ", []Error{{0, 3, `"sep" needs a value, as in "sep=-"`}}},
		{"methods", []Error{{0, 7, `"methods" needs a value, as in "methods=none"`}}},
		{"container= a", []Error{{10, 12, `spaces around "a": write the value right after the "="`}}},
		{"pk", []Error{{0, 2, `"pk" belongs on a field of the document: the blank field holds the options of the type`}}},
		{"container=a,concat", []Error{{12, 18, `"concat" belongs on a field of the document: the blank field holds the options of the type`}}},
		{"pkk", []Error{{0, 3, `unknown word "pkk": did you mean "pk"? It belongs on a field of the document: the blank field holds the options of the type`}}},
		{"containr=x", []Error{{0, 8, `unknown word "containr": did you mean "container"?`}}},
		{"colour=x", []Error{{0, 6, `unknown word "colour": the blank field may have container, path, sep, suffixsep, key, escape, type, ttl, orders, methods`}}},
		{"typ=x", []Error{{0, 3, `unknown word "typ": did you mean "type"?`}}},
		{"type", []Error{{0, 4, `"type" needs a value, as in "type=reading"`}}},
		{"type=a\x00b", []Error{{6, 7, `type "a\x00b" holds a control character, which no one sees in a document: remove it`}}},
		{"type=\xff", []Error{{5, 6, `type "\xff" holds bytes that are not UTF-8: save the file as UTF-8`}}},
		{"ttl", []Error{{0, 3, `"ttl" needs a value, as in "ttl=86400"`}}},
		{"ttl=0", []Error{{4, 5, `"0" is no time to live: write a whole number of seconds from 1 to 2147483647, or -1 if documents expire only by a ttl of their own`}}},
		{"ttl=-2", []Error{{4, 6, `"-2" is no time to live: write a whole number of seconds from 1 to 2147483647, or -1 if documents expire only by a ttl of their own`}}},
		{"ttl=24h", []Error{{4, 7, `"24h" is no time to live: write a whole number of seconds from 1 to 2147483647, or -1 if documents expire only by a ttl of their own`}}},
		{"ttl=2147483648", []Error{{4, 14, `"2147483648" is no time to live: write a whole number of seconds from 1 to 2147483647, or -1 if documents expire only by a ttl of their own`}}},
		{"ts", []Error{{0, 2, `"ts" belongs on a field of the document: the blank field holds the options of the type`}}},
		{"rest", []Error{{0, 4, `"rest" belongs on a field of the document: the blank field holds the options of the type`}}},
		{"container=a/b", []Error{{11, 12, `container id "a/b" may not hold "/": Cosmos DB refuses control characters and / \ ? #`}}},
		{`container=a\b`, []Error{{11, 12, `container id "a\\b" may not hold "\\": Cosmos DB refuses control characters and / \ ? #`}}},
		{"container=a?", []Error{{11, 12, `container id "a?" may not hold "?": Cosmos DB refuses control characters and / \ ? #`}}},
		{"container=a#", []Error{{11, 12, `container id "a#" may not hold "#": Cosmos DB refuses control characters and / \ ? #`}}},
		{"container=a\a", []Error{{11, 12, `container id "a\a" may not hold "\a": Cosmos DB refuses control characters and / \ ? #`}}},
		{"container=\xff", []Error{{10, 11, `container id "\xff" holds bytes that are not UTF-8: save the file as UTF-8`}}},
		{"container=" + strings.Repeat("é", 256), []Error{{10, 522, "container id has 256 characters: Cosmos DB allows 255"}}},
		{"path=partitionKey", []Error{{5, 17, `path "partitionKey" must begin with "/": write "/partitionKey"`}}},
		{"path=/", []Error{{6, 6, `path "/" has no name after a "/": write it as "/partitionKey" or "/address/zip"`}}},
		{"path=/a/", []Error{{8, 8, `path "/a/" has no name after a "/": write it as "/partitionKey" or "/address/zip"`}}},
		{"path=/a//b", []Error{{8, 8, `path "/a//b" has no name after a "/": write it as "/partitionKey" or "/address/zip"`}}},
		{"path=//a", []Error{{6, 6, `path "//a" has no name after a "/": write it as "/partitionKey" or "/address/zip"`}}},
		{"path=/a-b", []Error{{7, 8, `path "/a-b" may not hold "-": use ASCII letters, digits and "_", nested with "/"`}}},
		{`path=/"a"`, []Error{{6, 7, `path "/\"a\"" may not hold "\"": use ASCII letters, digits and "_", nested with "/"`}}},
		{"path=/é", []Error{{6, 8, `path "/é" may not hold "é": use ASCII letters, digits and "_", nested with "/"`}}},
		{"sep={", []Error{{4, 5, `separator "{" may not hold "{", which has a meaning in tags and templates: remove it`}}},
		{"sep=}", []Error{{4, 5, `separator "}" may not hold "}", which has a meaning in tags and templates: remove it`}}},
		{"sep=a\x01", []Error{{5, 6, `separator "a\x01" holds a control character, which cannot stand in a key: remove it`}}},
		{"sep=\x7f", []Error{{4, 5, `separator "\x7f" holds a control character, which cannot stand in a key: remove it`}}},
		{"sep=\u0085", []Error{{0, 3, `"sep" needs a value, as in "sep=-"`}}},
		{"sep=😀", []Error{{4, 8, `separator "😀" holds "😀", and the SDK cannot send characters beyond U+FFFF in a key: use another`}}},
		{"sep=\xff", []Error{{4, 5, `separator "\xff" holds bytes that are not UTF-8: save the file as UTF-8`}}},
		{"sep=a{,container=b", []Error{{5, 6, `separator "a{" may not hold "{", which has a meaning in tags and templates: remove it`}}},
		{"suffixsep=1", []Error{{10, 11, `separator "1" holds a digit, which reads like a part of the bucket after it: use a sign such as "."`}}},
		{"suffixsep=.0", []Error{{11, 12, `separator ".0" holds a digit, which reads like a part of the bucket after it: use a sign such as "."`}}},
		{"suffixsep={", []Error{{10, 11, `separator "{" may not hold "{", which has a meaning in tags and templates: remove it`}}},
		{"methods=all", []Error{{8, 11, `"all" is no choice here: write "methods=none", or leave the word out to get the methods`}}},
		{"methods=None", []Error{{8, 12, `"None" is no choice here: write "methods=none", or leave the word out to get the methods`}}},
	})
}
