// Package entity writes documents as entities of the Table API, and reads them: flat JSON
// objects whose properties say their EDM types.
package entity

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/flat"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// Names of the system's properties.
const (
	PartitionKey = "PartitionKey"
	RowKey       = "RowKey"
	timestamp    = "Timestamp"

	// rowID is the property with the id if a template makes the row key: Cosmos DB reserves
	// the name ID.
	rowID = "_id"
)

// Limits of one entity, from "Understanding the Table service data model". An entity has 255
// properties, including the system's PartitionKey, RowKey and Timestamp. The Table API of
// Cosmos DB reserves the following names ("Frequently asked questions about Azure Cosmos DB
// for Table").
const (
	maxProperties = 252
	maxEntity     = 1 << 20  // bytes
	maxProperty   = 64 << 10 // bytes of a binary, and of a text in UTF-16
	maxName       = 255      // characters
)

var (
	identifier = regexp.MustCompile(`^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*$`)
	reserved   = []string{PartitionKey, RowKey, timestamp, "ID", "rid", "etag", "ResourceId"}
)

// Codec writes and reads the documents of one struct. It is safe for concurrent use.
type Codec struct {
	shape   *flat.Shape
	columns []column       // the stored ones, by index of the shape's properties
	byName  map[string]int // of stored names
	id      string         // the JSON name of the id
	idIn    string         // where the id is stored: RowKey, or a property
}

// column is the stored form of a property.
type column struct {
	*flat.Property
	name   string // "" if it is not stored as a property
	quoted string // `,"name":`
	typed  string // `,"name@odata.type":"Edm.…","name":`, if the JSON does not show the type
}

// New returns the codec of a struct. names are the properties with the id, the version and the
// stored key, which are not stored as properties. inRow reports that a template makes the row
// key, and that the id is only a part of it. An error names the first property that a table
// cannot store.
func New(shape *flat.Shape, names generated.Properties, inRow bool) (*Codec, error) {
	c := &Codec{shape: shape, byName: map[string]int{}, id: names.ID, idIn: RowKey}
	if inRow {
		c.idIn = rowID
	}
	stored := 0
	for i := range shape.Properties {
		p := &shape.Properties[i]
		col := column{Property: p, name: p.Name}
		switch p.Name {
		case names.ID:
			col.name = ""
			if inRow {
				col.name = rowID
			}
		case names.ETag, names.Stored:
			col.name = ""
		default:
			if err := check(shape, p, inRow); err != nil {
				return nil, err
			}
		}
		if col.name != "" {
			stored++
			c.byName[col.name] = i
			col.quoted = `,"` + col.name + `":`
			if t := edm(p); t != "" {
				col.typed = `,"` + col.name + `@odata.type":"` + t + `"` + col.quoted
			}
		}
		c.columns = append(c.columns, col)
	}
	if stored > maxProperties {
		return nil, &documents.FieldError{Type: shape.Type.String(), Reason: fmt.Sprintf("has %d properties, and an entity of a table has %d at most", stored, maxProperties)}
	}
	return c, nil
}

func check(shape *flat.Shape, p *flat.Property, inRow bool) error {
	reason := ""
	switch {
	case inRow && p.Name == rowID:
		reason = "the id is stored under this name, since the row key is made by a template: rename it in its json tag"
	case !identifier.MatchString(p.Name) || utf8.RuneCountInString(p.Name) > maxName:
		reason = "the names of a table's properties are identifiers of C#, of 255 characters at most: rename it in its json tag"
	default:
		for _, r := range reserved {
			if strings.EqualFold(p.Name, r) {
				reason = "the Table API reserves this name: rename it in its json tag"
			}
		}
	}
	if reason == "" {
		return nil
	}
	return &documents.FieldError{Type: shape.Type.String(), Field: p.Field, Property: p.Name, Reason: reason}
}

// edm returns the EDM type with which a property is annotated, or "" if the JSON shows it.
func edm(p *flat.Property) string {
	switch p.Kind {
	case flat.Int64:
		return "Edm.Int64"
	case flat.Float:
		return "Edm.Double" // without the annotation, 5 would be an Int32
	case flat.Time:
		return "Edm.DateTime"
	case flat.Binary:
		return "Edm.Binary"
	case flat.Marshaled:
		if p.UUID {
			return "Edm.Guid"
		}
	}
	return ""
}

// Column returns the stored name of a property of documents, and the property's type. The id
// may be the row key.
func (c *Codec) Column(property string) (string, *flat.Property, error) {
	p := c.shape.Property(property)
	if p == nil {
		return "", nil, fmt.Errorf("property %q: %s has no such property", property, c.shape.Type)
	}
	if property == c.id {
		return c.idIn, p, nil
	}
	for i := range c.columns {
		if c.columns[i].Property == p && c.columns[i].name != "" {
			return p.Name, p, nil
		}
	}
	return "", nil, fmt.Errorf("property %q is the partition key or the ETag, and a query cannot compare it: use a method of the repository, such as By…, or read the documents and compare them in Go", property)
}

// TimeText returns a time as tables store it: UTC, with seven digits, finer parts cut off.
func TimeText(t time.Time) string {
	return t.UTC().Format("2006-01-02T15:04:05.0000000Z")
}

// firstYear is the earliest year of a DateTime.
const firstYear = 1601

// IsGUID reports whether a text is a GUID as tables store it.
func IsGUID(text string) bool {
	if len(text) != 36 {
		return false
	}
	for i := range len(text) {
		switch c := text[i]; {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if c != '-' {
				return false
			}
		case c >= '0' && c <= '9', c >= 'a' && c <= 'f', c >= 'A' && c <= 'F':
		default:
			return false
		}
	}
	return true
}

// utf16Size returns the number of bytes of a text in UTF-16.
func utf16Size(text string) int {
	n := 0
	for _, r := range text {
		n += 2
		if r > 0xffff {
			n += 2
		}
	}
	return n
}

func special(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	return ""
}
