package write

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/system"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// An outdated document is renewed: stored as reads of this release return it, with the
// properties that indexes need. Programs see no difference except its ETag and _ts, so its
// stamps stay.

// Sight is a stored document as a read or a query found it.
type Sight struct {
	Doc  any
	Raw  []byte
	ETag azcore.ETag
	Now  time.Time // by the service's clock; zero if unknown
}

// Renewal is the outcome of renewing a document.
type Renewal struct {
	Stored        bool        // certainly by this call
	Before, After azcore.ETag // the ETags, empty if the document was not renewed
}

// Renew stores the document at p again if it is outdated, on condition that it is
// unchanged. If another program has changed it, Renew reads it again. Seen is the document
// if it was read before, or nil. Expiry is the container's: the time to live is
// reduced by the age of the document, unless expiry is 0.
func Renew(ctx context.Context, s *Writer, op string, p wire.Place, means func(doc any) bool, seen *Sight, expiry system.Expiry) (Renewal, error) {
	var sent Renewal
	var body []byte
	for attempt := 1; ; attempt++ {
		if seen == nil || seen.Now.IsZero() && expiry.Expires(text.Member(seen.Raw, system.TTL)) {
			var err error
			if seen, err = sightAt(ctx, s, op, p); err != nil {
				return Renewal{}, err
			}
		}
		if means != nil && !means(seen.Doc) {
			return Renewal{}, s.ForeignError(op, p, wire.ErrNotFound)
		}
		if err := s.Schema.Newer(seen.Raw); err != nil {
			return Renewal{}, s.Failure(op, p, err)
		}
		if !s.Outdated(seen.Raw) {
			if body == nil || !sameDocument(seen.Raw, body) {
				return Renewal{}, nil
			}
			sent.After = seen.ETag // stored by an earlier attempt, or equally by another program
			return sent, nil
		}
		w, err := renewed(s, op, p, *seen, expiry)
		if err != nil {
			return Renewal{}, err
		}
		unchanged := seen.ETag
		sent, body = Renewal{Before: unchanged}, w.Body
		tag, err := Send(ctx, s, op, p, Request{Send: func(ctx context.Context) (wire.Answer, error) {
			return s.ReplaceItem(ctx, w.Key, w.ID, w.Body, wire.IfMatch(ctx, unchanged))
		}})
		if !errors.Is(err, wire.ErrPreconditionFailed) {
			if err != nil {
				return Renewal{}, err
			}
			return Renewal{Stored: true, Before: unchanged, After: tag}, nil
		}
		// Another program has written it, or an earlier sending of ours took effect.
		if err := Anew(ctx, attempt, err); err != nil {
			return Renewal{}, err
		}
		seen = nil
	}
}

// Renew is Renew for a document that may be at several places.
func (m Places) Renew(ctx context.Context, op string, expiry system.Expiry) (Renewal, error) {
	var sent Renewal
	var body []byte
	v := verified{
		present: func(raw []byte) bool { return !m.Home().Writer.Outdated(raw) },
		isSent:  func(raw []byte) bool { return body != nil && sameDocument(raw, body) },
	}
	f, tag, err := m.change(ctx, op, false, v, func(ctx context.Context, f Found) (wire.Answer, error) {
		seen := &Sight{Doc: f.Doc, Raw: f.Raw, ETag: f.ETag}
		if expiry.Expires(text.Member(f.Raw, system.TTL)) {
			var err error
			if seen, err = sightAt(ctx, f.Writer, op, f.Place); err != nil {
				return wire.Answer{}, err
			}
		}
		w, err := renewed(f.Writer, op, f.Place, *seen, expiry)
		if err != nil {
			return wire.Answer{}, err
		}
		sent, body = Renewal{Before: f.ETag}, w.Body
		return f.Writer.ReplaceItem(ctx, w.Key, w.ID, w.Body, wire.IfMatch(ctx, f.ETag))
	})
	if err != nil || tag == "" {
		return Renewal{}, err
	}
	sent.Stored, sent.After = f.ETag == sent.Before, tag // otherwise an earlier attempt, or another program, stored the same
	return sent, nil
}

func sightAt(ctx context.Context, s *Writer, op string, p wire.Place) (*Sight, error) {
	doc, response, err := s.Read(ctx, op, p)
	if err != nil {
		return nil, err
	}
	seen := &Sight{Doc: doc, Raw: response.Value, ETag: response.ETag}
	seen.Now, _ = wire.DateOf(response.RawResponse)
	return seen, nil
}

// renewed returns the document that replaces the one seen.
func renewed(s *Writer, op string, p wire.Place, seen Sight, expiry system.Expiry) (Document, error) {
	w, err := Prepare(s, op, p, seen.Doc)
	if err != nil {
		var own *documents.Error
		if !errors.As(err, &own) {
			err = s.Failure(op, p, err) // names the document
		}
		return w, err
	}
	var own map[string]json.RawMessage
	if err := json.Unmarshal(seen.Raw, &own); err != nil {
		return w, s.Failure(op, p, err)
	}
	keep := func(name string, value []byte) {
		switch {
		case err != nil:
		case value == nil:
			w.Body = text.Without(w.Body, []string{name})
		default:
			w.Body, err = text.SetProperty(w.Body, []string{name}, value)
		}
	}
	for _, name := range s.Stamps.names() {
		keep(name, text.Member(seen.Raw, name))
	}
	if s.Deleted != nil {
		keep(s.Deleted.Property, text.Member(seen.Raw, s.Deleted.Property))
		if s.Deleted.Seconds > 0 {
			keep(system.TTL, text.Member(seen.Raw, system.TTL))
		}
	}
	if left := expiry.Left(text.Member(seen.Raw, system.TTL), text.Member(seen.Raw, system.TS), seen.Now); left != nil {
		keep(system.TTL, left)
	}
	for name, value := range own {
		if strings.HasPrefix(name, "_") && !slices.Contains(system.Properties, name) && text.Member(w.Body, name) == nil {
			keep(name, value) // properties of the run time that the type lacks
		}
	}
	if err == nil {
		err = checkSize(w.Body)
	}
	if err != nil {
		return w, s.Failure(op, p, err)
	}
	return w, nil
}

// Outdated reports whether a stored document is of an earlier form of its type, has a
// property under an alias, or lacks one that an index needs.
func (s *Writer) Outdated(raw []byte) bool {
	return s.Schema.IsOlder(raw) || s.Indexed.lacks(raw) || slices.ContainsFunc(s.Aliases, func(p text.Aliased) bool {
		return slices.ContainsFunc(p.Aliases, func(name string) bool { return text.Member(raw, name) != nil })
	})
}

// OutdatedCondition returns the condition in SQL, on c, that a document is Outdated and not
// of the next form. It is empty if no document of the type can be outdated.
func (s *Writer) OutdatedCondition() string {
	var all []string
	if s.Schema != nil && s.Schema.Number > 1 {
		all = append(all, s.Schema.Older())
	}
	var named []string
	for _, p := range s.Aliases {
		for _, name := range p.Aliases {
			named = append(named, "IS_DEFINED("+text.Property("/"+jsonpointer.Escape(name))+")")
		}
	}
	for i := range s.Indexed {
		named = append(named, s.Indexed[i].Missing())
	}
	if named != nil && s.Schema.ReadsNext() { // only the next release writes documents of its form
		named = []string{"(" + strings.Join(named, " OR ") + ") AND (" + s.Schema.NotNext() + ")"}
	}
	return strings.Join(append(all, named...), " OR ")
}
