package wire

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// Expressible reports whether a partition key is one that PartitionKeyOf makes.
func Expressible(key any) bool {
	levels, ok := key.([]any)
	if !ok {
		levels = []any{key}
	}
	for _, level := range levels {
		switch level.(type) {
		case string, float64, bool:
		default:
			return false
		}
	}
	return true
}

// Identity is what no two documents of a container share.
type Identity struct {
	ID        string
	Partition string // as errors name it
}

// Place is where a document is stored: its id and its partition key.
type Place struct {
	ID    string
	Key   azcosmos.PartitionKey
	Name  string // of the partition key in errors
	Value any    // of the partition key: a string, a float64, a bool, or a []any of levels
	Text  string // what a synthetic field remembers: the key, or its made level
}

// String names the place as errors do.
func (p Place) String() string { return strconv.Quote(p.ID) + " in partition " + p.Name }

// Event is that of a request for the document at p.
func (p Place) Event(op string) Event {
	return Event{Op: op, ID: p.ID, PartitionKey: p.Name}
}

// Made returns the text of a level, counted from 0, that is made of several fields.
func (p Place) Made(level int) string {
	levels, _ := p.Value.([]any)
	text, ok := levels[level].(string)
	if !ok {
		panic(fmt.Sprintf("repository: level %d of a key is made and of type %T; generated code passes a string", level+1, levels[level]))
	}
	return text
}

// PartitionKeyOf returns the partition key of a string, number or boolean, or
// of the levels of a hierarchical key, and how errors name it.
//
// Every key is built from nothing: AppendString on a key that was appended to
// before may write into memory that both share.
func PartitionKeyOf(v any) (azcosmos.PartitionKey, string) {
	key := azcosmos.NewPartitionKey()
	levels, ok := v.([]any)
	if !ok {
		return appendLevel(key, v), NameOf(v)
	}
	for _, level := range levels {
		key = appendLevel(key, level)
	}
	return key, NameOf(levels)
}

func appendLevel(key azcosmos.PartitionKey, v any) azcosmos.PartitionKey {
	switch v := v.(type) {
	case string:
		return key.AppendString(v)
	case float64:
		return key.AppendNumber(v)
	case bool:
		return key.AppendBool(v)
	}
	panic(fmt.Sprintf("repository: partition key of type %T; generated code passes string, float64 or bool", v))
}

// NameOf returns a partition key as JSON would show it.
func NameOf(v any) string {
	switch v := v.(type) {
	case string:
		return strconv.Quote(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []any:
		names := make([]string, len(v))
		for i, level := range v {
			names[i] = NameOf(level)
		}
		return "[" + strings.Join(names, ",") + "]"
	}
	return fmt.Sprint(v)
}
