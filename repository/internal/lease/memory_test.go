package lease

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
)

// service is a lease container whose clock is that of the test's bubble. Requests
// take time, and may fail before or after they took effect.
type service struct {
	t      *testing.T
	mu     sync.Mutex
	leases map[string]Lease
	tags   int
	faults float64 // the share of requests that fail

	saved func(before, after Lease) // sees each write
}

// newService returns a service that has a lease of each range.
func newService(t *testing.T, ranges ...Range) *service {
	s := &service{t: t, leases: map[string]Lease{}}
	for _, r := range ranges {
		l := DotNet.NewLease("p", "", r, "", time.Now())
		l.ETag = "new"
		s.leases[l.ID] = l
	}
	return s
}

// all returns the leases, and how often one was written.
func (s *service) all() (leases []Lease, writes int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Values(s.leases)), s.tags
}

var errService = errors.New("the service is busy")

// request runs do as one request of a machine.
func (s *service) request(ctx context.Context, do func() error) error {
	slow := func() error { return backoff.Sleep(ctx, time.Duration(1+rand.IntN(40))*time.Millisecond) }
	if err := slow(); err != nil {
		return err
	}
	s.mu.Lock()
	faults := s.faults
	s.mu.Unlock()
	if rand.Float64() < faults/2 {
		return errService
	}
	s.mu.Lock()
	err := do()
	s.mu.Unlock()
	if err := slow(); err != nil {
		return err
	}
	if rand.Float64() < faults/2 {
		return errService // the answer is lost
	}
	return err
}

func (s *service) List(ctx context.Context) (all []Lease, err error) {
	err = s.request(ctx, func() error {
		for _, l := range s.leases {
			all = append(all, l)
		}
		return nil
	})
	slices.SortFunc(all, func(a, b Lease) int { return strings.Compare(a.ID, b.ID) })
	return all, err
}

func (s *service) Read(ctx context.Context, id string) (l Lease, err error) {
	err = s.request(ctx, func() error {
		var ok bool
		if l, ok = s.leases[id]; !ok {
			return ErrGone
		}
		return nil
	})
	return l, err
}

func (s *service) Replace(ctx context.Context, l Lease) (Lease, error) {
	err := s.request(ctx, func() error {
		before, ok := s.leases[l.ID]
		switch {
		case !ok:
			return ErrGone
		case before.ETag != l.ETag:
			return ErrChanged
		}
		s.write(before, &l)
		return nil
	})
	return l, err
}

func (s *service) write(before Lease, l *Lease) {
	s.tags++
	l.ETag, l.Time = azcore.ETag(strconv.Itoa(s.tags)), time.Now()
	s.leases[l.ID] = *l
	if s.saved != nil {
		s.saved(before, *l)
	}
}

func (s *service) Create(ctx context.Context, l Lease) error {
	return s.request(ctx, func() error {
		if _, ok := s.leases[l.ID]; !ok {
			s.write(Lease{}, &l)
		}
		return nil
	})
}

func (s *service) Delete(ctx context.Context, l Lease) error {
	return s.request(ctx, func() error {
		before, ok := s.leases[l.ID]
		switch {
		case !ok:
			return ErrGone
		case before.ETag != l.ETag:
			return ErrChanged
		}
		delete(s.leases, l.ID)
		return nil
	})
}

// machine is a store as one machine sees it, which can be stopped for a while, or
// for ever.
type machine struct {
	*service
	mu      sync.Mutex
	running chan struct{} // is closed while it runs
}

func newMachine(s *service) *machine {
	m := &machine{service: s, running: make(chan struct{})}
	close(m.running)
	return m
}

// stop stops a machine, and returns what lets it go on.
func (m *machine) stop() (resume func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	again := make(chan struct{})
	m.running = again
	return func() { close(again) }
}

// run waits while the machine is stopped.
func (m *machine) run() {
	m.mu.Lock()
	running := m.running
	m.mu.Unlock()
	<-running
}

func (m *machine) List(ctx context.Context) ([]Lease, error) {
	m.run()
	defer m.run()
	return m.service.List(ctx)
}

func (m *machine) Read(ctx context.Context, id string) (Lease, error) {
	m.run()
	defer m.run()
	return m.service.Read(ctx, id)
}

func (m *machine) Replace(ctx context.Context, l Lease) (Lease, error) {
	m.run()
	defer m.run()
	return m.service.Replace(ctx, l)
}

func (m *machine) Create(ctx context.Context, l Lease) error {
	m.run()
	defer m.run()
	return m.service.Create(ctx, l)
}

func (m *machine) Delete(ctx context.Context, l Lease) error {
	m.run()
	defer m.run()
	return m.service.Delete(ctx, l)
}
