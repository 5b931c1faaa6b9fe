package write

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Stamps are the properties in which a type has the time when a document was created, the
// time of its last write, and a number that grows with each write. The run time alone
// sets them: what a caller puts there is overwritten. A name is empty if the type lacks
// the stamp.
type Stamps struct {
	Created, Updated, Version string

	Set func(doc any, stamp Stamp) // sets the fields of a document

	store.Clock
}

// Stamp is what the stamps of a stored document are.
type Stamp struct {
	Created, Updated time.Time // in UTC, in units of 100 nanoseconds; zero if the document lacks it
	Version          int64     // 0 if the document lacks it
}

// stampLayout is the text of a repository.Time.
const stampLayout = "2006-01-02T15:04:05.0000000Z"

// stampTick is the unit of its last digit.
const stampTick = 100 * time.Nanosecond

// Carries reports whether a write must know the document that it replaces: the time when
// that was created, and its version, stay or grow.
func (s *Stamps) Carries() bool { return s != nil && (s.Created != "" || s.Version != "") }

// now returns the time of a write, as it is stored.
func (s *Stamps) now() time.Time { return s.Now().UTC().Truncate(stampTick) }

// of returns the stamps of a stored document.
func (s *Stamps) of(raw []byte) (Stamp, error) {
	var stamp Stamp
	var err error
	if stamp.Created, err = timeOf(raw, s.Created); err != nil {
		return stamp, err
	}
	if stamp.Updated, err = timeOf(raw, s.Updated); err != nil {
		return stamp, err
	}
	if value := present(raw, s.Version); value != nil {
		if stamp.Version, err = strconv.ParseInt(string(value), 10, 64); err != nil {
			return stamp, fmt.Errorf("the stored property %s is no whole number, and versions are counted there: correct the stored document", s.Version)
		}
	}
	return stamp, nil
}

// timeOf returns the time in a property of a stored document, zero if it has none.
func timeOf(raw []byte, name string) (t time.Time, err error) {
	if value := present(raw, name); value != nil {
		if json.Unmarshal(value, &t) != nil {
			return t, fmt.Errorf("the stored property %s is no time in the form of RFC 3339: correct the stored document", name)
		}
	}
	return t.UTC(), nil
}

// present returns the value of a property, nil if there is none or it is null.
func present(raw []byte, name string) []byte {
	if name == "" {
		return nil
	}
	value := text.Member(raw, name)
	if bytes.Equal(value, []byte("null")) {
		return nil
	}
	return value
}

// after returns the stamps of a document that replaces one with these stamps.
func (s *Stamps) after(before Stamp) Stamp {
	return Stamp{Created: before.Created, Updated: s.now(), Version: before.Version + 1}
}

// first returns the stamps of a new document.
func (s *Stamps) first() Stamp {
	now := s.now()
	return Stamp{Created: now, Updated: now, Version: 1}
}

// write returns a document with these stamps.
func (s *Stamps) write(body []byte, stamp Stamp) ([]byte, error) {
	var err error
	set := func(name, value string) {
		if name != "" && err == nil {
			body, err = text.SetProperty(body, []string{name}, []byte(value))
		}
	}
	quoted := func(t time.Time) string { return `"` + t.Format(stampLayout) + `"` }
	set(s.Created, quoted(stamp.Created))
	set(s.Updated, quoted(stamp.Updated))
	set(s.Version, strconv.FormatInt(stamp.Version, 10))
	return body, err
}

// stampNew stamps w as a new document. Types without stamps leave it as it is.
func stampNew(s *Writer, w Document) (Document, error) {
	if s.Stamps == nil {
		return w, nil
	}
	return stamped(s, w, s.Stamps.first())
}

// stampOver stamps w as the document that takes the place of one that is stored, or of
// none if raw is nil.
func stampOver(s *Writer, w Document, raw []byte) (Document, error) {
	if s.Stamps == nil {
		return w, nil
	}
	if raw == nil {
		return stampNew(s, w)
	}
	before, err := s.Stamps.of(raw)
	if err != nil {
		return w, err
	}
	return stamped(s, w, s.Stamps.after(before))
}

// stamped returns w with these stamps, which its Stamp has then as well.
func stamped(s *Writer, w Document, stamp Stamp) (_ Document, err error) {
	if w.Body, err = s.Stamps.write(w.Body, stamp); err != nil {
		return w, err
	}
	if w.Stamp == nil {
		w.Stamp = new(Stamp)
	}
	*w.Stamp = stamp
	return w, checkSize(w.Body)
}

// Restamp is stampOver for a write on the condition that the stored document, whose JSON
// is raw, does not change.
func Restamp(s *Writer, op string, w Document, raw []byte) (Document, error) {
	over, err := stampOver(s, w, raw)
	if err != nil {
		return w, s.Failure(op, w.Place, err)
	}
	return over, nil
}

// names returns the properties that the type has.
func (s *Stamps) names() []string {
	if s == nil {
		return nil
	}
	return slices.DeleteFunc([]string{s.Created, s.Updated, s.Version}, func(name string) bool { return name == "" })
}

// changedError is the error of a write of a version of a document that is no more.
func (s *Writer) changedError(op string, p wire.Place) error {
	err := errors.New("the stored document has another ETag: read it again")
	return &documents.Error{Op: op, Type: s.Type, ID: p.ID, PartitionKey: p.Name, Kind: wire.ErrPreconditionFailed, Err: err}
}

// tookEffect reports whether the stored document, whose whole JSON is raw, is the one that
// was sent before, with its stamps. Another program may have made the same of it; for a
// write that stores it in place of any version, that is as good.
func (d *Document) tookEffect(raw []byte) bool {
	return d.Stamp != nil && raw != nil && sameDocument(raw, d.Body)
}

// tells reports whether documents have the time of their last write, which tells by whom
// a document was written that several programs have made the same of.
func (s *Stamps) tells() bool { return s != nil && s.Updated != "" }

// proves reports whether a stored document that is equal to one which was sent, stamps
// included, was stored by that write. New says that the write creates it.
func (s *Stamps) proves(isNew bool) bool {
	return s != nil && !s.Given && (s.Updated != "" || isNew && s.Created != "")
}

// Proves reports whether the stored document tells whether a refused write in place of a
// version was stored: see proves.
func (s *Writer) Proves() bool { return s.Stamps.proves(false) }

// shared reports whether another program may have stored a document that is equal to one
// which was sent, in place of the same version. Unclear says that an attempt to store it
// may have taken effect.
func (s *Stamps) shared(unclear bool) bool { return !s.proves(false) && (!unclear || !s.tells()) }
