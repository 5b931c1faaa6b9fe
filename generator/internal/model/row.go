package model

import (
	"fmt"
	"slices"
	"time"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// row returns the parts of the row key of a table, or nil if it is the id. Documents of a logical
// partition differ in their ids, so the id must be the last part; the parts before it only sort the
// rows.
func (d *subject) row(id pk.Field) []pk.Part {
	if len(d.Options.Row.Levels) == 0 || d.Failed {
		return nil
	}
	pos := d.Options.At(d.Options.ValueOffset("row"))
	o, ok := d.outlineOf("row", d.Options.Row, d.Options.RowPaths, pos)
	if !ok {
		return nil
	}
	var parts []pk.Part
	withID := -1
	for i, p := range o.pieces {
		if p.Component == nil {
			parts = append(parts, pk.Part{Literal: p.Literal})
			continue
		}
		c, ok := d.rowComponent(p.operands[0], p.Component)
		if !ok {
			return nil
		}
		if c.Selector == id.Selector {
			withID = i
		}
		parts = append(parts, pk.Part{Component: &c})
	}
	level := pk.Level{Parts: parts, Made: true}
	d.digits(&o, level)
	for i, p := range parts {
		d.tableText(o.pieces[i].pos, p)
	}
	switch text := d.Options.Row.String(); {
	case d.Failed:
	case withID < 0:
		d.Errorf(pos, "the row key %s lacks the id, so two documents of a logical partition could have the same row: write the id last, as in %s-{%s}", text, text, id.Selector)
	case withID < len(parts)-1:
		d.Errorf(pos, "the row key %s continues after the id, which must be the last part to tell rows apart: write the fields that sort the rows before it", text)
	case len(parts) == 1:
		d.Errorf(d.Options.At(d.Options.Offset("row")), "the row key %s is the id, which is the default: remove it, or write fields that sort the rows before the id, as in {At|newest}-%[1]s", text)
	case !d.Options.Escape && uncertain(level) != nil:
		d.Errorf(pos, "the row key %s is ambiguous: %s, so one document would take the row of another; put \"escape\" on the blank field, or write times and numbers alone before the id", text, collision(level, uncertain(level)))
	default:
		return parts
	}
	return nil
}

// rowComponent returns a component of a row key.
func (d *subject) rowComponent(o operand, as *annotations.Component) (pk.Component, bool) {
	if !as.Newest {
		return d.component(o, rows, as.Format, as.Lower)
	}
	if t := o.ref.Field().Type(); !facts.IsTime(t) {
		d.Errorf(o.pos, "field %s cannot be part of a row key as newest: it is of type %s, and newest counts the time of a time.Time backwards; remove \"|newest\"", o.ref.Selector, d.TypeString(t))
		return pk.Component{}, false
	}
	c, ok := d.component(o, rows, exampleNewest, false)
	c.Layout, c.Newest = "", true
	return c, ok
}

// exampleNewest is the format of a newest time in examples, with the precision of the row key.
const exampleNewest = "2006-01-02T15:04:05.0000000"

// exampleRow returns the row key of a plausible document.
func exampleRow(row []pk.Part, escape bool) string {
	return keyText(pk.Level{Made: true, Parts: row}, escape, func(c pk.Component) string {
		if c.Newest {
			return newestText(exampleTime)
		}
		return exampleText(c)
	})
}

// maxTicks is the number of 100 ns steps from the beginning of the year 1 to the end of the year
// 9999, as in .NET (DateTime.MaxValue.Ticks).
const maxTicks = 3_155_378_975_999_999_999

// newestText returns the text of a time that counts backwards.
func newestText(t time.Time) string {
	const secondsBefore1970 = 62_135_596_800
	ticks := (t.Unix()+secondsBefore1970)*10_000_000 + int64(t.Nanosecond()/100)
	return fmt.Sprintf("%019d", maxTicks-ticks)
}

// rowNames returns the components of a row key whose names are fields of the key type, without the
// id, which has its own.
func rowNames(row []pk.Part, id string) []*pk.Component {
	return slices.DeleteFunc(pk.Level{Parts: row}.Components(), func(c *pk.Component) bool { return c.Selector == id })
}
