package unique_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/reservation"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

type members = repository.Documents[fixtures.Member, fixtures.MemberKey]

func membersContainer() azcosmos.ContainerProperties {
	return harness.Properties("members", "/region")
}

func newMembers(t testing.TB) (*harness.Account, *azcosmos.ContainerClient, *members) {
	t.Helper()
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 2}, membersContainer(), repository.Configure(nil))
	return server, container, repository.New(container, fixtures.MemberModel)
}

// storedItem is anything in the container, as it is stored: with reservations, which no type
// of a program has.
type storedItem struct {
	ID      string          `json:"id"`
	Region  string          `json:"region"`
	Email   string          `json:"email"`
	Badge   int             `json:"badge"`
	Name    string          `json:"name"`
	Pending json.RawMessage `json:"_pending"`
	Unique  *struct {
		Property string `json:"property"`
		ID       string `json:"id"`
		Key      string `json:"key"`
		Token    string `json:"token"`
	} `json:"_unique"`
}

// stock is what a container has.
type stock struct{ visible, hidden, reservations []*storedItem }

func takeStock(container *azcosmos.ContainerClient) (s stock, err error) {
	all, err := harness.Stored[*storedItem](context.Background(), container)
	for _, item := range all {
		s.add(item)
	}
	return s, err
}

func (s *stock) add(item *storedItem) {
	switch {
	case item.Unique != nil:
		s.reservations = append(s.reservations, item)
	case item.Pending != nil:
		s.hidden = append(s.hidden, item)
	default:
		s.visible = append(s.visible, item)
	}
}

// check returns what contradicts the claim of docs/decisions/unique-values.md: each value of a visible
// document has a reservation that names this document, and no other document has it.
func (s stock) check() error {
	holders, named := map[string]at{}, map[string]at{}
	for _, r := range s.reservations {
		named[r.ID] = at{r.Unique.ID, r.Unique.Key}
	}
	for _, item := range s.visible {
		where := at{item.ID, item.Region}
		for property, text := range item.values() {
			id := reservation.IDOf("", property, text)
			if other, taken := holders[id]; taken {
				return fmt.Errorf("%v and %v both have the %s %s", other, where, property, text)
			}
			holders[id] = where
			if holder, found := named[id]; !found || holder != where {
				return fmt.Errorf("%v has the %s %s, and its reservation names %v", where, property, text, holder)
			}
		}
	}
	return nil
}

// values are the unique values of a document.
func (i *storedItem) values() map[string]string {
	all := map[string]string{}
	if i.Email != "" {
		all["email"] = i.Email
	}
	if i.Badge != 0 {
		all["badge"] = fmt.Sprint(i.Badge)
	}
	return all
}

// mayhem is a policy that lets one request pass at a time, and before or after it kills
// programs, makes them pause, keeps requests back, and moves the clock. After each request
// it checks what is stored.
type mayhem struct {
	mu     sync.Mutex
	random *rand.Rand
	server *harness.Account
	peek   *azcosmos.ContainerClient
	kill   float64 // before a request, after it, or before it acts late
	pause  float64
	wrong  error
	passed int
	killed map[int]bool
	late   sync.WaitGroup
}

type programKey struct{}

// killedError is not repeated by the pipeline.
type killedError struct{}

func (killedError) Error() string { return "the program was killed" }
func (killedError) NonRetriable() {}

func (m *mayhem) Do(r *policy.Request) (*http.Response, error) {
	program, ok := r.Raw().Context().Value(programKey{}).(int)
	if !ok {
		return r.Next()
	}
	m.mu.Lock()
	if m.killed[program] {
		m.mu.Unlock()
		return nil, killedError{}
	}
	fate := m.random.Float64()
	wait := time.Duration(0)
	if m.random.Float64() < m.pause {
		wait = time.Duration(m.random.IntN(8)) * time.Millisecond
	}
	m.mu.Unlock()
	time.Sleep(wait)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.random.Float64() < m.pause/4 {
		m.server.Advance(4 * time.Second)
	}
	dies := fate < m.kill
	if dies {
		m.killed[program] = true
		switch m.random.IntN(3) {
		case 0:
			return nil, killedError{}
		case 1: // the request acts late
			later := r.Clone(context.WithoutCancel(r.Raw().Context()))
			late := time.Duration(m.random.IntN(20)) * time.Millisecond
			m.late.Go(func() {
				time.Sleep(late)
				m.mu.Lock()
				defer m.mu.Unlock()
				if response, err := later.Next(); err == nil {
					_ = response.Body.Close()
				}
				m.look()
			})
			return nil, killedError{}
		}
	}
	response, err := r.Next()
	m.look()
	if dies {
		if err == nil {
			_ = response.Body.Close()
		}
		return nil, killedError{}
	}
	return response, err
}

// look checks what is stored, while no request is under way.
func (m *mayhem) look() {
	m.passed++
	if m.wrong != nil {
		return
	}
	s, err := takeStock(m.peek)
	if err == nil {
		err = s.check()
	}
	if err != nil {
		m.wrong = fmt.Errorf("after %d requests: %w", m.passed, err)
	}
}

// repositoryKeys are those of a whole container.
func repositoryKeys() generated.Keys { return generated.Keys{} }

// clearMembers removes everything.
func clearMembers(t testing.TB, container *azcosmos.ContainerClient) {
	t.Helper()
	all, err := harness.Stored[storedItem](context.Background(), container)
	for _, item := range all {
		if err == nil {
			_, err = container.DeleteItem(context.Background(), azcosmos.NewPartitionKeyString(item.Region), item.ID, nil)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}
