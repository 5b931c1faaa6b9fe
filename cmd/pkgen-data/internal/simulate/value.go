package simulate

import (
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"time"
)

// A value appends the JSON of a property of the next document.
type value interface {
	appendTo(b []byte, d *drawing) []byte
}

// drawing is the input for drawing a document.
type drawing struct {
	rand   *rand.Rand
	now    time.Time // virtual
	number int       // of the document, from 1
	rows   []int     // by sample: the document whose properties are used
}

// constant is one value for all documents.
type constant json.RawMessage

func (c constant) appendTo(b []byte, _ *drawing) []byte { return append(b, c...) }

// numbered is the number of the document, as text: its id.
type numbered struct{}

func (numbered) appendTo(b []byte, d *drawing) []byte {
	b = append(b, '"')
	b = strconv.AppendInt(b, int64(d.number), 10)
	return append(b, '"')
}

// counted is a random number, or a text that ends with it.
type counted struct {
	prefix string // as JSON, with its opening quotation mark; "" for a number
	n      int
	zipf   *zipf // nil if all numbers are equally frequent
}

func (c counted) appendTo(b []byte, d *drawing) []byte {
	var k int
	if c.zipf != nil {
		k = c.zipf.draw(d.rand)
	} else {
		k = 1 + d.rand.IntN(c.n)
	}
	b = append(b, c.prefix...)
	b = strconv.AppendInt(b, int64(k), 10)
	if c.prefix != "" {
		b = append(b, '"')
	}
	return b
}

// instant is the virtual time in a layout of package time.
type instant string

func (i instant) appendTo(b []byte, d *drawing) []byte {
	b = append(b, '"')
	b = d.now.AppendFormat(b, string(i))
	return append(b, '"')
}

// value returns the generator of a property's values.
func (p Property) value() value {
	switch {
	case p.Constant != nil:
		return constant(p.Constant)
	case p.Time != "":
		return instant(p.Time)
	}
	c := counted{n: max(p.Uniform, p.Zipf)}
	if !p.Number {
		quoted, _ := json.Marshal(p.Prefix) // a string always marshals
		c.prefix = string(quoted[:len(quoted)-1])
	}
	if p.Zipf > 0 {
		exponent := 1.0
		if p.Exponent != nil {
			exponent = *p.Exponent
		}
		c.zipf = newZipf(p.Zipf, exponent)
	}
	return c
}
