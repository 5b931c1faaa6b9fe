package verify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/account"
	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/layout"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/marks"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// indexed is a property of documents for a global secondary index.
type indexed struct {
	lock.Index
	text *layout.IndexText
}

// indexedOf returns these properties of a type. Indexes whose keys are plain properties have none.
func indexedOf(e lock.Entry) (all []indexed, err error) {
	for _, x := range e.Indexes {
		text, err := layout.IndexTextOf(e.Type, x)
		if err != nil {
			return nil, err
		}
		if text != nil {
			all = append(all, indexed{x, text})
		}
	}
	return all, nil
}

// writes reports whether the run time writes a property for an index.
func (t *judged) writes(property string) bool {
	return slices.ContainsFunc(t.indexed, func(x indexed) bool { return x.Property == property })
}

// verdict has the findings of a document, and the corrections of its properties for indexes.
type verdict struct {
	OfType

	set map[string]any // corrected texts by property
}

// indexes compares a document's properties for indexes with the texts that they should have. Leave
// says why they may not be written, or is "".
func (t *judged) indexes(document json.RawMessage, properties map[string]json.RawMessage, leave string, found *verdict) {
	id := textOf(properties[idProperty])
	for _, x := range t.indexed {
		value := properties[x.Property]
		state := stateOf(value)
		example := Example{ID: id, Stored: short(value), Reason: leave}
		made, err := x.text.Of(document)
		var problem *layout.Error
		switch {
		case errors.As(err, &problem) && problem.Problem == layout.OnlyInGo:
			if state == isText {
				found.Unchecked = 1
				continue
			}
			example.Reason = "property " + problem.Property + " " + problem.Reason
		case errors.As(err, &problem):
			f := findingOf(NoIndexKey, problem, example)
			f.Index, f.Examples[0].Reason = x.Name, ""
			found.find(f)
			continue
		case state == isText && textOf(value) == made:
			continue
		default:
			example.Made, _ = json.Marshal(made) // a string always marshals
			if leave == "" {
				if found.set == nil {
					found.set = map[string]any{}
				}
				found.set[x.Property] = made
			}
		}
		if x.Later && (state == layout.Missing.String() || state == isNull) {
			found.lacksIndexed(Unwritten{Index: x.Name, Property: x.Property, Documents: 1})
			continue
		}
		found.find(Finding{Name: StaleIndex, Index: x.Name, Property: x.Property, Problem: state, Documents: 1, Examples: []Example{example}})
	}
}

// Problems of a property for an index, besides [layout.Missing] and [layout.OtherType].
const (
	isText = "stale"
	isNull = "null"
)

// stateOf returns the state of a property for an index.
func stateOf(value json.RawMessage) string {
	if len(value) == 0 {
		return layout.Missing.String()
	}
	switch layout.JSONType(value) {
	case "string":
		return isText
	case "null":
		return isNull
	}
	return layout.OtherType.String()
}

// short returns a value unless it is much longer than a key can be; otherwise nil.
func short(value json.RawMessage) json.RawMessage {
	if len(value) > 2*partition.MaxKeyBytes {
		return nil
	}
	return value
}

// leaves returns why the properties of a document may not be written, or "". Others is the number
// of other types that the document may have.
func (t *judged) leaves(document json.RawMessage, properties map[string]json.RawMessage, others int) string {
	id := textOf(properties[idProperty])
	m := markOf(document)
	_, misplaced := t.layout.Stored(document)
	switch {
	case others > 0:
		return "the document's type is unknown: name the package of one type"
	case !addressable(id) || !strings.HasPrefix(id, t.entry.Prefix):
		return "generated code refuses the id"
	case misplaced != nil && !t.elsewhere:
		return "no request can name the key under which the document is stored"
	case m.State != marks.Unmarked && m.State != marks.Final:
		return "the document is moving to another key or container: run the command again after the move"
	}
	if want, property := t.entry.SchemaNumber(); want > 0 {
		have := 1
		if value, there := properties[property]; there {
			have, _ = strconv.Atoi(string(value))
		}
		if have != want {
			return fmt.Sprintf("the document does not have form %d: write it by Upgrade", want)
		}
	}
	return ""
}

// renewing corrects properties of documents for indexes.
type renewing struct {
	judge     *Judge
	account   *account.Account
	container *account.Container
}

// mostMends is the maximum number of attempts on a document that others change.
const mostMends = 5

// document writes the corrections of v if the document is unchanged; otherwise it reads and judges
// the document again. It returns the last verdict.
func (r *renewing) document(ctx context.Context, document json.RawMessage, v verdict) (verdict, error) {
	for attempt := 1; len(v.set) > 0; attempt++ {
		var properties map[string]json.RawMessage
		_ = json.Unmarshal(document, &properties) // the service stores only objects
		id, etag := textOf(properties[idProperty]), textOf(properties["_etag"])
		if etag == "" {
			return v, fmt.Errorf("container %q: document %q has no _etag, which a conditional write needs: run the command without -mend", r.container.ID, id)
		}
		key := r.container.KeyOf(document)
		_, err := r.account.PatchItem(ctx, r.container, id, key, v.set, etag)
		switch {
		case err == nil:
			v.mended()
			return v, nil
		case account.Is(err, http.StatusPreconditionFailed):
			if attempt == mostMends {
				v.unmended("other programs keep writing the document: run the command again")
				return v, nil
			}
			if err := backoff.Pause(ctx, attempt); err != nil {
				return v, err
			}
			document, _, err = r.account.ReadItem(ctx, r.container, id, key)
			if err == nil {
				v = r.judge.again(document, v)
				continue
			}
			if !account.Absent(err) {
				return v, err
			}
			fallthrough
		case account.Absent(err):
			return v.without(), nil
		case account.Is(err, http.StatusRequestEntityTooLarge):
			v.unmended("the document would be larger than the service allows: make it smaller")
			return v, nil
		default:
			return v, err
		}
	}
	return v, nil
}

// again judges a changed document again. Only findings about properties for indexes are replaced.
func (j *Judge) again(document json.RawMessage, before verdict) verdict {
	var properties map[string]json.RawMessage
	_ = json.Unmarshal(document, &properties) // the service stores only objects
	out := before.without()
	_, moves := properties[moveProperty]
	if moves || j.system(properties) != "" || markOf(document).Hidden() {
		return out
	}
	now := j.best(document, properties)
	if now == nil || now.Type != before.Type {
		return out
	}
	for _, f := range now.Findings {
		if f.Index != "" {
			out.find(f)
		}
	}
	out.Unwritten, out.set = now.Unwritten, now.set
	return out
}

// without returns v without findings about properties for indexes.
func (v verdict) without() verdict {
	v.Findings = slices.DeleteFunc(slices.Clone(v.Findings), func(f Finding) bool { return f.Index != "" })
	v.Unwritten, v.set = nil, nil
	return v
}

// mended records that all corrections were written.
func (v *verdict) mended() {
	for i := range v.Findings {
		if f := &v.Findings[i]; f.Name == StaleIndex && v.set[f.Property] != nil {
			f.Mended = f.Documents
		}
	}
	for i := range v.Unwritten {
		if u := &v.Unwritten[i]; v.set[u.Property] != nil {
			u.Mended = u.Documents
		}
	}
}

// unmended records why no correction was written.
func (v *verdict) unmended(reason string) {
	for i := range v.Findings {
		if f := &v.Findings[i]; f.Name == StaleIndex && v.set[f.Property] != nil {
			f.Examples[0].Reason = reason
		}
	}
}
