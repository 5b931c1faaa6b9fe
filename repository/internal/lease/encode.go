package lease

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// timeLayout is how timestamps are written. .NET and Java both read it.
const timeLayout = "2006-01-02T15:04:05.0000000Z"

// property is one to set in a document.
type property struct {
	name  string
	value any
}

// Encode writes a lease as the SDK of this dialect does. Of a lease that was read,
// the properties that are not known here stay.
func (d Dialect) Encode(l Lease, m Monitored) ([]byte, error) {
	continuation, err := d.continuationOf(l, m)
	if err != nil {
		return nil, err
	}
	document, fields := l.stored, d.changing(l, continuation)
	if document == nil {
		document, fields = []byte("{}"), append(d.fixed(l), fields...)
	} else if l.Range != nil && d != JavaRange && text.Member(document, d.nameRange()) == nil {
		fields = append(fields, property{d.nameRange(), d.feedRange(*l.Range)}) // of an old library
	}
	for _, f := range fields {
		value, err := json.Marshal(f.value)
		if err != nil {
			return nil, err
		}
		if document, err = text.SetProperty(document, []string{f.name}, value); err != nil {
			return nil, fmt.Errorf("the lease %.200q: %w", l.ID, err)
		}
	}
	own := append([]property{{nameEpoch, strconv.FormatInt(l.Epoch, 10)}}, l.Window.properties()...) // values of .NET's properties are strings
	if d == JavaRange {
		own = append(own, property{nameContainer, m.RID})
	}
	for _, f := range own {
		value, err := json.Marshal(f.value)
		if err != nil {
			return nil, err
		}
		if document, err = text.SetProperty(document, []string{nameProperties, f.name}, value); err != nil {
			return nil, fmt.Errorf("the lease %.200q: %w", l.ID, err)
		}
	}
	return document, nil
}

// fixed returns the properties of a new lease that never change.
func (d Dialect) fixed(l Lease) []property {
	fields := []property{{nameID, l.ID}}
	if d != JavaRange {
		version := 0
		if l.byRange {
			version = 1
		}
		fields = append(fields, property{nameVersion, version})
	}
	fields = append(fields, property{nameToken, l.Token})
	if d != JavaRange && l.Range != nil {
		fields = append(fields, property{d.nameRange(), d.feedRange(*l.Range)})
	}
	if d == DotNet {
		mode := modeLatest
		if l.versions {
			mode = modeVersions
		}
		fields = append(fields, property{nameMode, mode})
	}
	return fields
}

// changing returns the properties that the owner of a lease writes.
func (d Dialect) changing(l Lease, continuation *string) []property {
	var owner, written *string
	if l.Owner != "" {
		owner = &l.Owner
	}
	if !l.Time.IsZero() {
		at := l.Time.UTC().Format(timeLayout)
		written = &at
	}
	return []property{{nameOwner, owner}, {nameContinuation, continuation}, {nameTimestamp, written}}
}

func (d Dialect) nameRange() string {
	if d == JavaEPK {
		return nameJavaRange
	}
	return nameRange
}

// feedRange returns the FeedRange of a lease. Java writes which bounds are inclusive.
func (d Dialect) feedRange(r Range) any {
	if d == JavaEPK {
		return map[string]any{"Range": newJavaRange(r)}
	}
	return storedFeedRange{(*storedRange)(&r)}
}

// NewLease returns the lease of a range of keys, or of a physical partition if id is
// not empty, which goes on after tag.
func (d Dialect) NewLease(p Prefix, id string, r Range, tag string, now time.Time) Lease {
	l := Lease{Token: id, Range: &r, Tag: tag, Time: now}
	if id == "" {
		l.Token, l.byRange = r.token(), true
	}
	l.ID = p.leases() + l.Token
	return l
}
