package partition

import (
	"strings"
	"testing"
)

func TestKeysOfOtherAPIs(t *testing.T) {
	for _, tt := range []struct {
		name string
		c    Component
		want string // "" if it is legal
	}{
		{"a table's key", TableKey("2018-08-09.126"), ""},
		{"row key that a layout has escaped", RowKey("a%2Db"), ""},
		{"percent escape in the id of a table", TableID("%C3"), "T.ID: has a percent sign before two hexadecimal digits at byte 0: Cosmos DB decodes them in the path of a request, and misses the document, use another character"},
		{"percent escape in a partition key", TableKey("a%2Db"), ""},
		{"percent escape in an _id", MongoID("a%2Db"), ""},
		{"signs of OData and of URLs", TableKey("o'neil & co, 50% 'x' eq (a;b)=c+d"), ""},
		{"the longest key", TableKey(strings.Repeat("é", MaxTableKeyUnits)), ""},
		{"a longer key", TableKey(strings.Repeat("x", MaxTableKeyUnits+1)), "T: the partition key has 513 UTF-16 units, more than the 512 that tables allow: shorten a component"},
		{"a longer key of pairs", TableKey(strings.Repeat("😀", MaxTableKeyUnits/2+1)), "T: the partition key has 514 UTF-16 units, more than the 512 that tables allow: shorten a component"},
		{"no key", TableKey(""), "T: the partition key is empty: set it before the key is made"},
		{"a slash", TableKey("a/b"), `T: the partition key has '/' at byte 1: tables forbid / \ # ? in keys, use another character`},
		{"a backslash", TableKey(`é\`), `T: the partition key has '\\' at byte 2: tables forbid / \ # ? in keys, use another character`},
		{"a tab", TableKey("a\tb"), "T: the partition key has the control character U+0009 at byte 1: remove it"},
		{"an upper control character", TableKey("\u009f"), "T: the partition key has the control character U+009F at byte 0: remove it"},
		{"half a character", TableKey("a\xc3"), "T: the partition key is not valid UTF-8 at byte 1 (0xc3): decode the text, or encode bytes as hexadecimal or base64url"},

		{"a row key", RowKey("2518341234999999999-evt-1"), ""},
		{"the longest row key", RowKey(strings.Repeat("x", MaxRowKeyBytes)), ""},
		{"a longer row key", RowKey(strings.Repeat("é", 128)), "T: the row key has 256 bytes, more than the 255 that Cosmos DB allows in a row key: shorten it"},
		{"no row key", RowKey(""), "T: the row key is empty: set it before the key is made"},
		{"a row key with a number sign", RowKey("a#1"), `T: the row key has '#' at byte 1: tables forbid / \ # ? in keys, use another character`},
		{"a row key with a question mark", RowKey("?"), `T: the row key has '?' at byte 0: tables forbid / \ # ? in keys, use another character`},
		{"a row key with DEL", RowKey("a\x7f"), "T: the row key has the control character U+007F at byte 1: remove it"},

		{"an id in a table", TableID("evt-1"), ""},
		{"an id in a table with a slash", TableID("a/b"), `T.ID: has '/' at byte 1: tables forbid / \ # ? in keys, use another character`},
		{"no id in a table", TableID(""), "T.ID: is empty: set it before the key is made"},

		{"an _id", MongoID("evt-1"), ""},
		{"an _id with signs of paths", MongoID(`a/b\c?d#e $ {"$gt":""} `), ""},
		{"an _id of an emoji", MongoID("😀"), ""},
		{"the longest _id", MongoID(strings.Repeat("x", MaxIDBytes)), ""},
		{"a longer _id", MongoID(strings.Repeat("x", MaxIDBytes+1)), "T.ID: has 1024 bytes, more than the 1023 that Cosmos DB allows in an id: shorten it"},
		{"no _id", MongoID(""), "T.ID: is empty: set it before the key is made"},
		{"an _id with NUL", MongoID("a\x00"), "T.ID: has the control character U+0000 at byte 1: remove it"},
		{"an _id of bytes", MongoID("\xff"), "T.ID: is not valid UTF-8 at byte 0 (0xff): decode the text, or encode bytes as hexadecimal or base64url"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if err := Check("T", tt.c); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("Check = %q\nwant    %q", got, tt.want)
			}
		})
	}
}

func TestChecksOfOtherAPIsDoNotAllocate(t *testing.T) {
	key, row, id := strings.Repeat("é", 100), "2518341234999999999-evt-1", "evt-1"
	if n := testing.AllocsPerRun(100, func() {
		if err := Check("T", TableKey(key), TableID(id), RowKey(row), MongoID(id)); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("the checks allocate %v times, want 0", n)
	}
}
