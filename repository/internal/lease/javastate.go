package lease

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// javaState is the state of a change feed of Java (ChangeFeedStateV1), which a lease
// of JavaEPK has as Base64 in place of a continuation.
type javaState struct {
	V            int               `json:"V"`
	Rid          string            `json:"Rid"`
	Mode         string            `json:"Mode"`
	StartFrom    json.RawMessage   `json:"StartFrom"`
	Continuation *javaContinuation `json:"Continuation,omitempty"`
}

// javaContinuation is a FeedRangeCompositeContinuationImpl.
type javaContinuation struct {
	V            int             `json:"V"`
	Rid          string          `json:"Rid"`
	Continuation []javaComposite `json:"Continuation"`
	Range        storedRange     `json:"Range"`
}

type javaComposite struct {
	Token *string     `json:"token"`
	Range storedRange `json:"range"`
}

// javaRange is the range of a lease. Within the state, 4.81 writes bounds alone.
type javaRange struct {
	Min          string `json:"min"`
	Max          string `json:"max"`
	MinInclusive bool   `json:"isMinInclusive"`
	MaxInclusive bool   `json:"isMaxInclusive"`
}

func newJavaRange(r Range) javaRange { return javaRange{r.Min, r.Max, true, false} }

const (
	javaLatest    = "INCREMENTAL"
	javaBeginning = `{"Type":"BEGINNING"}`
)

// tagOf returns the service's ETag in a continuation, "" if there is none.
func (d Dialect) tagOf(continuation string) (string, error) {
	if d != JavaEPK || continuation == "" {
		return continuation, nil
	}
	raw, err := base64.StdEncoding.DecodeString(continuation)
	if err != nil {
		return "", err
	}
	var s javaState
	if err := json.Unmarshal(raw, &s); err != nil {
		return "", err
	}
	switch {
	case s.V != 1:
		return "", fmt.Errorf("it has version %d", s.V)
	case s.Mode != javaLatest:
		return "", fmt.Errorf("it is of the mode %.40q", s.Mode)
	case s.Continuation == nil || len(s.Continuation.Continuation) == 0:
		return "", nil
	case len(s.Continuation.Continuation) > 1:
		return "", errors.New("it has several parts")
	}
	return deref(s.Continuation.Continuation[0].Token), nil
}

// continuationOf returns the continuation of a lease, nil at the beginning.
func (d Dialect) continuationOf(l Lease, m Monitored) (*string, error) {
	if l.Tag == "" {
		return nil, nil
	}
	if d != JavaEPK {
		return &l.Tag, nil
	}
	if l.Range == nil {
		return nil, fmt.Errorf("the lease %.200q has no range of keys", l.ID)
	}
	s := javaState{V: 1, Rid: m.javaLink(), Mode: javaLatest, StartFrom: json.RawMessage(javaBeginning)}
	var before string // where another process began, and how it calls the container, stay
	if json.Unmarshal(text.Member(l.stored, nameContinuation), &before) == nil && before != "" {
		if raw, err := base64.StdEncoding.DecodeString(before); err == nil {
			s = javaState{}
			if err := json.Unmarshal(raw, &s); err != nil {
				return nil, err
			}
		}
	}
	s.Continuation = &javaContinuation{
		V: 1, Rid: s.Rid, Range: storedRange(*l.Range),
		Continuation: []javaComposite{{&l.Tag, storedRange(*l.Range)}},
	}
	raw, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	encoded := base64.StdEncoding.EncodeToString(raw)
	return &encoded, nil
}

// javaLink is how a Java client calls a container in its state, where other SDKs
// have the RID.
func (m Monitored) javaLink() string { return "/dbs/" + m.Database + "/colls/" + m.Container }
