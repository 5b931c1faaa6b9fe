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

// Stamps are the properties of a type for the time of creation, the time of the last write,
// and a version that grows with each write. Only the run time sets them: values of the
// caller are overwritten. A name is empty if the type lacks the stamp.
type Stamps struct {
	Created, Updated, Version string

	Set func(doc any, stamp Stamp) // sets the fields of a document

	store.Clock
}

// Stamp has the stamps of one document.
type Stamp struct {
	Created, Updated time.Time // in UTC, in units of 100 nanoseconds; zero if the document lacks it
	Version          int64     // 0 if the document lacks it
}

const stampLayout = "2006-01-02T15:04:05.0000000Z"

// stampTick is the unit of the last digit of stampLayout.
const stampTick = 100 * time.Nanosecond

// Carries reports whether a write must read the document that it replaces, because its time
// of creation stays and its version grows.
func (s *Stamps) Carries() bool { return s != nil && (s.Created != "" || s.Version != "") }

// now returns the time of a write, truncated as it is stored.
func (s *Stamps) now() time.Time { return s.Now().UTC().Truncate(stampTick) }

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

func timeOf(raw []byte, name string) (t time.Time, err error) {
	if value := present(raw, name); value != nil {
		if json.Unmarshal(value, &t) != nil {
			return t, fmt.Errorf("the stored property %s is no time in the form of RFC 3339: correct the stored document", name)
		}
	}
	return t.UTC(), nil
}

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

// after returns the stamps of a document that replaces one with the stamps before.
func (s *Stamps) after(before Stamp) Stamp {
	return Stamp{Created: before.Created, Updated: s.now(), Version: before.Version + 1}
}

func (s *Stamps) first() Stamp {
	now := s.now()
	return Stamp{Created: now, Updated: now, Version: 1}
}

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

// stampNew stamps w as a new document, if the type has stamps.
func stampNew(s *Writer, w Document) (Document, error) {
	if s.Stamps == nil {
		return w, nil
	}
	return stamped(s, w, s.Stamps.first())
}

// stampOver stamps w as the successor of the stored document, or as a new one if raw is
// nil.
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

// stamped returns w with the given stamps, also in its Stamp.
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

// Restamp is stampOver for a write on condition that the stored document is still raw.
func Restamp(s *Writer, op string, w Document, raw []byte) (Document, error) {
	over, err := stampOver(s, w, raw)
	if err != nil {
		return w, s.Failure(op, w.Place, err)
	}
	return over, nil
}

// names returns the properties of the stamps that the type has.
func (s *Stamps) names() []string {
	if s == nil {
		return nil
	}
	return slices.DeleteFunc([]string{s.Created, s.Updated, s.Version}, func(name string) bool { return name == "" })
}

// changedError is the error of a write on an outdated ETag.
func (s *Writer) changedError(op string, p wire.Place) error {
	err := errors.New("the stored document has another ETag: read it again")
	return &documents.Error{Op: op, Type: s.Type, ID: p.ID, PartitionKey: p.Name, Kind: wire.ErrPreconditionFailed, Err: err}
}

// tookEffect reports whether the stored document is the one that was sent, stamps included.
// Another program may have stored an equal one; for a write over any version that makes no
// difference.
func (d *Document) tookEffect(raw []byte) bool {
	return d.Stamp != nil && raw != nil && sameDocument(raw, d.Body)
}

// tells reports whether documents have the time of their last write, which distinguishes
// equal documents of several programs.
func (s *Stamps) tells() bool { return s != nil && s.Updated != "" }

// proves reports whether an equal stored document, stamps included, was certainly stored by
// this write. IsNew says that the write creates it.
func (s *Stamps) proves(isNew bool) bool {
	return s != nil && !s.Given && (s.Updated != "" || isNew && s.Created != "")
}

// Proves reports whether the stored document shows if a refused replacement took effect;
// see proves.
func (s *Writer) Proves() bool { return s.Stamps.proves(false) }

// shared reports whether another program may have stored an equal document over the same
// version. Unclear says that an attempt to store it may have taken effect.
func (s *Stamps) shared(unclear bool) bool { return !s.proves(false) && (!unclear || !s.tells()) }
