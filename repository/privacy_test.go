package repository_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/tracing"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// The secrets of a patient. Those of the id and the key may be in the text of an
// *Error, and nowhere else; the others may be nowhere.
const (
	secretID     = "id7731secret"
	secretWard   = "ward7732secret"
	secretText   = "text7733secret"
	secretNumber = "87654321"
)

type patient struct {
	ID    string            `json:"id"`
	Ward  string            `json:"ward"`
	Name  string            `json:"name"`
	IBAN  iban              `json:"iban"`
	Born  time.Time         `json:"born"`
	Seen  repository.Time   `json:"seen"`
	Dose  int32             `json:"dose"`
	Notes map[string]string `json:"notes"`
	ETag  string            `json:"_etag,omitempty"`
}

// iban tells what it refuses, as types of programs do.
type iban string

func (i iban) MarshalText() ([]byte, error) {
	if strings.HasPrefix(string(i), "bad") {
		return nil, errors.New("iban " + string(i) + " is bad")
	}
	return []byte(i), nil
}

func (i *iban) UnmarshalText(text []byte) error {
	if strings.HasPrefix(string(text), "bad") {
		return errors.New("iban " + string(text) + " is bad")
	}
	*i = iban(text)
	return nil
}

type patientKey struct{ ID, Ward string }

func (k patientKey) Validate() error {
	return partition.Check("patient", partition.ID(k.ID), partition.Text("Ward", k.Ward), partition.Key(k.Ward))
}

var patientModel = generated.Model[patient, patientKey]{
	Type: "patient", Path: "/ward",
	Key:  func(p *patient) patientKey { return patientKey{p.ID, p.Ward} },
	ID:   func(k patientKey) string { return k.ID },
	Text: func(k patientKey) string { return k.Ward },
	ETag: func(p *patient) *string { return &p.ETag },
}

var (
	patientContainer = azcosmos.ContainerProperties{ID: "patients", PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{
		Kind: azcosmos.PartitionKeyKindHash, Paths: []string{"/ward"}, Version: 2,
	}}
	thePatient  = patientKey{secretID, secretWard}
	patientName = repository.String[patient, string]("/name")
	patientIBAN = repository.String[patient, iban]("/iban")
	patientDose = repository.Number[patient, int32]("/dose")
)

func newPatient() *patient {
	return &patient{ID: secretID, Ward: secretWard, Name: secretText, IBAN: secretText, Dose: 87654321, Notes: map[string]string{secretText: secretText}}
}

// spoken is all that the repository has said.
type spoken struct {
	mu     sync.Mutex
	spans  []string
	events []string
}

func (s *spoken) provider() tracing.Provider {
	span := func(name string) tracing.Span {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.spans = append(s.spans, name)
		return tracing.NewSpan(tracing.SpanImpl{
			End: func() {},
			SetStatus: func(_ tracing.SpanStatus, text string) {
				s.mu.Lock()
				defer s.mu.Unlock()
				s.spans = append(s.spans, text)
			},
			SetAttributes: func(all ...tracing.Attribute) {
				s.mu.Lock()
				defer s.mu.Unlock()
				s.spans = append(s.spans, fmt.Sprint(all))
			},
		})
	}
	return tracing.NewProvider(func(string, string) tracing.Tracer {
		return tracing.NewTracer(func(ctx context.Context, name string, _ *tracing.SpanOptions) (context.Context, tracing.Span) {
			return ctx, span(name)
		}, nil)
	}, nil)
}

func (s *spoken) observe(_ context.Context, e repository.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, fmt.Sprint(e.Op, e.Type, e.Range, e.Err))
}

// talkative is a policy that has a service's refusals tell everything.
type talkative struct{}

func (talkative) Do(r *policy.Request) (*http.Response, error) {
	response, err := r.Next()
	if err == nil && response.StatusCode >= http.StatusBadRequest && strings.Contains(r.Raw().URL.Path, "/docs") {
		response.Body = io.NopCloser(strings.NewReader(
			`{"code":"BadRequest","message":"` + strings.Join([]string{secretID, secretWard, secretText, secretNumber}, " ") + `"}`))
	}
	return response, err
}

// privately are operations on the patient. Those that succeed say nothing.
var privately = map[string]func(context.Context, *repository.Documents[patient, patientKey]) error{
	"get":     func(ctx context.Context, d patients) error { _, err := d.Get(ctx, thePatient); return err },
	"create":  func(ctx context.Context, d patients) error { return d.Create(ctx, newPatient()) },
	"upsert":  func(ctx context.Context, d patients) error { return d.Upsert(ctx, newPatient()) },
	"replace": func(ctx context.Context, d patients) error { return d.Replace(ctx, newPatient()) },
	"delete":  func(ctx context.Context, d patients) error { return d.Delete(ctx, thePatient) },
	"create what does not marshal": func(ctx context.Context, d patients) error {
		p := newPatient()
		p.IBAN = "bad " + secretText
		return d.Create(ctx, p)
	},
	"patch": func(ctx context.Context, d patients) error {
		return d.Patch(ctx, thePatient, repository.PatchValue[patient, string]("/name").Set(secretText))
	},
	"patch what does not marshal": func(ctx context.Context, d patients) error {
		return d.Patch(ctx, thePatient, repository.PatchValue[patient, iban]("/iban").Set("bad "+secretText))
	},
	"patch if": func(ctx context.Context, d patients) error {
		return d.PatchIf(ctx, thePatient, patientName.Eq(secretText+"!"), repository.PatchNumber[patient, int32]("/dose").Increment(87654321))
	},
	"update": func(ctx context.Context, d patients) error {
		return d.Update(ctx, thePatient, func(p *patient) error { p.Name += "!"; return nil })
	},
	"move": func(ctx context.Context, d patients) error {
		p := newPatient()
		p.Ward = "other" + secretWard
		return d.Move(ctx, thePatient, p)
	},
	"query": func(ctx context.Context, d patients) error {
		_, err := d.Scan().Where(patientName.Ne("")).Collect(ctx)
		return err
	},
	"query of what does not marshal": func(ctx context.Context, d patients) error {
		_, err := d.Scan().Where(patientIBAN.Eq("bad " + secretText)).Collect(ctx)
		return err
	},
	"query of a large number": func(ctx context.Context, d patients) error {
		_, err := d.Scan().Where(repository.Number[patient, int64]("/dose").Gt(8765432187654321000)).Count(ctx)
		return err
	},
	"query of bytes": func(ctx context.Context, d patients) error {
		_, err := d.Scan().Where(patientName.StartsWith(secretText + "\xff")).Count(ctx)
		return err
	},
	"page": func(ctx context.Context, d patients) error {
		_, err := d.Scan().OrderBy(patientName.Asc()).Page(ctx, "", 1)
		return err
	},
	"cursor": func(ctx context.Context, d patients) error { _, err := d.Scan().Page(ctx, secretText, 1); return err },
	"values": func(ctx context.Context, d patients) error {
		_, err := repository.Values(d.Scan(), patientIBAN).Collect(ctx)
		return err
	},
	"max": func(ctx context.Context, d patients) error {
		_, _, err := repository.Max(ctx, d.Scan(), patientIBAN)
		return err
	},
	"sum": func(ctx context.Context, d patients) error {
		_, err := repository.Sum(ctx, d.Scan(), patientDose)
		return err
	},
	"select": func(ctx context.Context, d patients) error {
		_, err := repository.Select[struct {
			IBAN iban      `json:"iban"`
			Born time.Time `json:"born"`
		}](d.Scan()).Collect(ctx)
		return err
	},
	"get many": func(ctx context.Context, d patients) error {
		_, err := d.GetMany(ctx, []patientKey{thePatient, {secretID, "x"}})
		return err
	},
	"find": func(ctx context.Context, d patients) error {
		_, err := repository.Find(ctx, d, secretID, generated.Partition(secretWard))
		return err
	},
	"transaction": func(ctx context.Context, d patients) error {
		return commit(ctx, func(tx *repository.Transaction) error { return d.In(tx).Create(newPatient()) },
			func(tx *repository.Transaction) error { _, err := d.In(tx).Get(thePatient); return err })
	},
	"bulk": func(ctx context.Context, d patients) error {
		_, err := d.CreateAll(ctx, func(yield func(*patient) bool) { yield(newPatient()) })
		return err
	},
	"changes": func(ctx context.Context, d patients) error {
		for _, err := range d.Changes(ctx, repository.FromBeginning(), repository.UntilCaughtUp()) {
			if err != nil {
				return err
			}
		}
		return nil
	},
	"changes of a cursor": func(ctx context.Context, d patients) error {
		for _, err := range d.Changes(ctx, repository.FromCursor(secretText)) {
			return err
		}
		return nil
	},
}

type patients = *repository.Documents[patient, patientKey]

// stores are what the patient is stored as: as it is, and in ways in which one
// property does not decode.
var stores = map[string]string{
	"sound":      `"name":"text7733secret","iban":"text7733secret","born":"2001-02-03T04:05:06Z","seen":"2001-02-03T04:05:06Z","dose":1`,
	"bad text":   `"iban":"bad text7733secret"`,
	"bad time":   `"born":"text7733secret"`,
	"bad Time":   `"seen":"text7733secret"`,
	"no number":  `"dose":"text7733secret"`,
	"too large":  `"dose":8765432187654321`,
	"a fraction": `"dose":87654321.5`,
	"no text":    `"name":87654321`,
	"no map":     `"notes":[87654321]`,
}

// TestPrivacy stores secrets in every field and has everything fail in many ways.
func TestPrivacy(t *testing.T) {
	faults := map[string]emulator.Fault{
		"none":    {Operation: "none"},
		"lost":    {Path: "/docs", Body: func([]byte) []byte { return nil }, Count: -1},
		"half":    {Path: "/docs", Body: func(b []byte) []byte { return b[:len(b)*2/3] }, Count: -1},
		"dropped": {Path: "/docs", Drop: true, Count: -1},
	}
	for _, status := range []int{400, 401, 403, 404, 409, 410, 412, 413, 429, 449, 500, 503} {
		faults[fmt.Sprint(status)] = emulator.Fault{Path: "/docs", Status: status, RetryAfter: time.Millisecond, Count: -1}
	}
	type run struct{ operation, stored, fault string }
	var runs []run
	for operation := range privately {
		for stored := range stores {
			runs = append(runs, run{operation, stored, "none"})
		}
		for fault := range faults {
			if fault != "none" && (!testing.Short() || fault == "400" || fault == "lost") {
				runs = append(runs, run{operation, "sound", fault})
			}
		}
	}
	var mu sync.Mutex
	failed := map[string]int{}
	concurrently(runs, 32, func(r run) {
		said := new(spoken)
		err := privateRun(t, said, stores[r.stored], faults[r.fault], privately[r.operation])
		for _, problem := range said.leaks(err) {
			t.Errorf("%v: %s", r, problem)
		}
		if err != nil {
			mu.Lock()
			defer mu.Unlock()
			failed[r.operation]++
		}
	})
	for operation := range privately {
		if failed[operation] == 0 {
			t.Errorf("%s never failed", operation)
		}
	}
}

// privateRun runs an operation on an account of its own.
func privateRun(t *testing.T, said *spoken, properties string, fault emulator.Fault, operation func(context.Context, patients) error) error {
	options := impatient()
	options.Retry.MaxRetries = 1
	options.PerRetryPolicies = append(options.PerRetryPolicies, talkative{})
	server, err := emulator.Start(emulator.Options{Partitions: 2})
	if err != nil {
		t.Error(err)
		return nil
	}
	defer server.Close()
	client := server.Client(options)
	ctx := context.Background()
	var container *azcosmos.ContainerClient
	if _, err = client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "db"}, nil); err == nil {
		var db *azcosmos.DatabaseClient
		db, _ = client.NewDatabase("db")
		if _, err = db.CreateContainer(ctx, patientContainer, nil); err == nil {
			container, err = db.NewContainer(patientContainer.ID)
		}
	}
	if err == nil {
		body := `{"id":"` + secretID + `","ward":"` + secretWard + `",` + properties + `}`
		_, err = container.CreateItem(ctx, azcosmos.NewPartitionKeyString(secretWard), []byte(body), nil)
	}
	if err != nil {
		t.Error(err)
		return nil
	}
	d := repository.New(container, &patientModel, repository.WithTracing(said.provider()), repository.WithObserver(said.observe))
	server.Inject(fault)
	return operation(ctx, d)
}

// leaks returns what was said that holds a secret.
func (s *spoken) leaks(err error) (all []string) {
	find := func(what, text string, secrets ...string) {
		for _, secret := range secrets {
			if strings.Contains(text, secret) {
				all = append(all, fmt.Sprintf("%s in %s: %s", secret, what, text))
			}
		}
	}
	for _, text := range s.spans {
		find("a span", text, secretID, secretWard, secretText, secretNumber)
	}
	for _, text := range s.events {
		find("an event", text, secretID, secretWard, secretText, secretNumber)
	}
	if err == nil {
		return all
	}
	find("an error", err.Error(), secretText, secretNumber)
	var own *repository.Error
	if !errors.As(err, &own) {
		find("an error without names", err.Error(), secretID, secretWard)
	}
	return all
}

// TestForeignErrorsAreFound has those whose texts are not ours.
func TestForeignErrorsAreFound(t *testing.T) {
	said := new(spoken)
	get := privately["get"]
	var (
		parse    *time.ParseError
		kind     *json.UnmarshalTypeError
		response *azcore.ResponseError
	)
	if err := privateRun(t, said, stores["bad time"], emulator.Fault{Operation: "none"}, get); !errors.As(err, &parse) || !strings.Contains(err.Error(), "property born: a time is not of the layout") {
		t.Errorf("got %v", err)
	}
	if err := privateRun(t, said, stores["no number"], emulator.Fault{Operation: "none"}, get); !errors.As(err, &kind) || !strings.HasSuffix(err.Error(), "its JSON does not decode: property dose: a JSON string does not fit the Go type int32") {
		t.Errorf("got %v", err)
	}
	if err := privateRun(t, said, stores["bad text"], emulator.Fault{Operation: "none"}, get); err == nil || !strings.Contains(err.Error(), "property iban: a type of it refuses what is stored") {
		t.Errorf("got %v", err)
	}
	fault := emulator.Fault{Operation: emulator.OpReadItem, Status: http.StatusForbidden}
	if err := privateRun(t, said, stores["sound"], fault, get); !errors.As(err, &response) || !strings.Contains(response.Error(), secretText) || !strings.Contains(err.Error(), "status 403: Forbidden, activity ") {
		t.Errorf("got %v", err)
	}
}
