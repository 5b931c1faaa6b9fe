package partition

import (
	"fmt"
	"unicode/utf16"
)

// Limits of keys in the API for Table.
const (
	// MaxTableKeyUnits is the length of a PartitionKey in UTF-16 units: 1 KiB, since
	// tables store strings as UTF-16 ("Understanding the Table service data model",
	// https://learn.microsoft.com/rest/api/storageservices/understanding-the-table-service-data-model).
	MaxTableKeyUnits = 512

	// MaxRowKeyBytes is the length of a RowKey in UTF-8 bytes in Cosmos DB for Table,
	// which is less than the 1 KiB of Table Storage
	// (https://learn.microsoft.com/azure/cosmos-db/table/faq).
	MaxRowKeyBytes = 255
)

// TableKey checks the whole PartitionKey of a table: at most [MaxTableKeyUnits],
// valid UTF-8 without control characters, and without the characters / \ # ? that
// tables forbid in keys ("Understanding the Table service data model", section
// "Characters disallowed in key fields"). The error names no field. It does not
// allocate for a legal key.
func TableKey(key string) Component {
	reason := tableProblem(key)
	if n := units(key); reason == "" && n > MaxTableKeyUnits {
		reason = fmt.Sprintf("has %d UTF-16 units, more than the %d that tables allow: shorten a component", n, MaxTableKeyUnits)
	}
	return whole("partition key", reason)
}

// TableID checks an id that is the RowKey of a table, or a component of it: by the rules of
// [RowKey], and without a percent sign before two hexadecimal digits, like [ID], since the row
// key is the id of the item. The error names the field ID.
func TableID(id string) Component {
	reason := rowProblem(id)
	if reason == "" {
		reason = escapeProblem(id)
	}
	return Component{field: "ID", reason: reason}
}

// RowKey checks the whole RowKey of a table by the rules of [TableKey], except that it
// has at most [MaxRowKeyBytes]. The error names no field. It does not allocate for a
// legal key.
func RowKey(key string) Component { return whole("row key", rowProblem(key)) }

// whole is a component without a field; the reason names the key.
func whole(name, reason string) Component {
	if reason != "" {
		reason = "the " + name + " " + reason
	}
	return Component{reason: reason}
}

func rowProblem(key string) string {
	reason := tableProblem(key)
	if reason == "" && len(key) > MaxRowKeyBytes {
		reason = fmt.Sprintf("has %d bytes, more than the %d that Cosmos DB allows in a row key: shorten it", len(key), MaxRowKeyBytes)
	}
	return reason
}

// tableProblem returns the reason why a table refuses a text in a key, or "".
func tableProblem(key string) string {
	if reason := textProblem(key); reason != "" {
		return reason
	}
	for i := range len(key) {
		switch key[i] {
		case '/', '\\', '#', '?':
			return fmt.Sprintf(`has %q at byte %d: tables forbid / \ # ? in keys, use another character`, key[i], i)
		}
	}
	return ""
}

// units counts the UTF-16 units of a text that is valid UTF-8.
func units(text string) int {
	n := 0
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}

// MongoID checks the text of an _id of Cosmos DB for MongoDB: not empty, at most [MaxIDBytes],
// and valid UTF-8 without control characters. An _id is a BSON string, so characters that are
// special in paths are legal. The service stores it as the id of an item, whose length is
// limited (https://learn.microsoft.com/azure/cosmos-db/concepts-limits). The error names the
// field ID. It does not allocate for a legal id.
func MongoID(id string) Component {
	reason := textProblem(id)
	if reason == "" && len(id) > MaxIDBytes {
		reason = fmt.Sprintf("has %d bytes, more than the %d that Cosmos DB allows in an id: shorten it", len(id), MaxIDBytes)
	}
	return Component{field: "ID", reason: reason}
}
