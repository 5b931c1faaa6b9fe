// This is a program of the release RELEASE. It says each thing that it does on its
// standard output.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"sync"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"

	rides "example.com/consumer/RELEASE"
)

// orders are what the test asks for.
type orders struct {
	Account string
	Job     string
	Keys    []rides.RideKey
	Counted string // the day of the rides that are only counted up
}

// line is what the program says.
type line struct {
	Op         string
	ID         string `json:",omitempty"`
	Value      string `json:",omitempty"`
	First      int    `json:",omitempty"`
	Second     int    `json:",omitempty"`
	Start, End int64  // nanoseconds, by the clock that all processes of this machine share
	Outcome    string `json:",omitempty"` // empty if it is done
}

type program struct {
	orders
	*rides.RideRepository
	mu  sync.Mutex
	out *json.Encoder
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "RELEASE:", err)
		os.Exit(1)
	}
}

func run() error {
	p := &program{out: json.NewEncoder(os.Stdout)}
	if err := json.Unmarshal([]byte(os.Getenv("ORDERS")), &p.orders); err != nil {
		return err
	}
	client, err := azcosmos.NewClientFromConnectionString(p.Account, repository.Configure(nil))
	if err != nil {
		return err
	}
	container, err := client.NewContainer("db", rides.RideContainer().ID)
	if err != nil {
		return err
	}
	p.RideRepository = rides.NewRideRepository(container)
	ctx := context.Background()
	switch p.Job {
	case "rekey":
		summary, err := admin.Rekey(ctx, p.Documents, admin.Run{})
		p.say(line{Op: "Rekey", First: summary.Changed, Second: summary.Marks, Value: fmt.Sprint(summary.Done())})
		return errors.Join(err, summary.Err)
	case "see":
		return p.see(ctx)
	}
	ctx, stop := context.WithCancel(ctx)
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	var all sync.WaitGroup
	for n := range 3 {
		all.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				p.act(context.WithoutCancel(ctx), fmt.Sprintf("RELEASE-%d-%d-%d", os.Getpid(), n, i))
			}
		})
	}
	all.Wait()
	return nil
}

func (p *program) say(l line) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.out.Encode(l) // the test may have ended
}

// note says what an operation did that began at start.
func (p *program) note(l line, start time.Time, err error) {
	l.Start, l.End = start.UnixNano(), time.Now().UnixNano()
	switch {
	case errors.Is(err, repository.ErrNotFound):
		l.Outcome = "missing"
	case errors.Is(err, repository.ErrAlreadyExists):
		l.Outcome = "exists"
	case errors.Is(err, repository.ErrPreconditionFailed):
		l.Outcome = "changed"
	case err != nil:
		l.Outcome = err.Error()
	}
	p.say(l)
}

// act does one thing with one of the rides, or with many.
func (p *program) act(ctx context.Context, value string) {
	key := p.Keys[rand.IntN(len(p.Keys))]
	start := time.Now()
	op := rand.IntN(16)
	if p.Job == "read" {
		op %= 5
	}
	switch {
	case op == 0:
		p.list(ctx)
	case op < 5:
		doc, err := p.Get(ctx, key)
		l := line{Op: "Get", ID: key.ID}
		if err == nil {
			l.Value, l.First, l.Second = doc.Value, doc.First, doc.Second
		}
		p.note(l, start, err)
	case key.Day == p.Counted && op < 10:
		p.note(line{Op: "Update", ID: key.ID}, start, p.Update(ctx, key, func(r *rides.Ride) error { *p.counter(r)++; return nil }))
	case key.Day == p.Counted:
		path := map[string]string{"first": "/first", "second": "/second"}["RELEASE"]
		p.note(line{Op: "Patch", ID: key.ID}, start, p.Patch(ctx, key, repository.PatchNumber[rides.Ride, int](path).Increment(1)))
	case op < 8:
		p.note(line{Op: "Create", ID: key.ID, Value: value}, start, p.Create(ctx, ride(key, value)))
	case op < 11:
		p.note(line{Op: "Upsert", ID: key.ID, Value: value}, start, p.Upsert(ctx, ride(key, value)))
	case op < 13:
		p.note(line{Op: "Replace", ID: key.ID, Value: value}, start, p.Replace(ctx, ride(key, value)))
	default:
		p.note(line{Op: "Delete", ID: key.ID}, start, p.Delete(ctx, key))
	}
}

func ride(key rides.RideKey, value string) *rides.Ride {
	return &rides.Ride{ID: key.ID, Day: key.Day, VIN: key.VIN, Value: value}
}

// counter is what programs of this release count up.
func (p *program) counter(r *rides.Ride) *int {
	return map[string]*int{"first": &r.First, "second": &r.Second}["RELEASE"]
}

// list reads many rides: each comes once, and those that are only counted always do.
func (p *program) list(ctx context.Context) {
	counted := 0
	for _, key := range p.Keys {
		if key.Day == p.Counted {
			counted++
		}
	}
	check := func(what string, docs []*rides.Ride, err error) {
		seen, n := map[string]bool{}, 0
		for _, r := range docs {
			if seen[r.ID] {
				err = errors.Join(err, fmt.Errorf("%s comes twice", r.ID))
			}
			if seen[r.ID] = true; r.Day == p.Counted {
				n++
			}
		}
		if n != counted {
			err = errors.Join(err, fmt.Errorf("%d of %d rides that always exist", n, counted))
		}
		p.note(line{Op: what}, time.Now(), err)
	}
	docs, err := p.Scan().Collect(ctx)
	check("Scan", docs, err)
	docs, err = p.ByDay(p.Counted).Collect(ctx)
	check("ByDay", docs, err)
	n, err := p.ByDay(p.Counted).Count(ctx)
	if n != counted {
		err = errors.Join(err, fmt.Errorf("%d of %d rides that always exist", n, counted))
	}
	p.note(line{Op: "Count"}, time.Now(), err)
	docs = nil
	for cursor := ""; ; {
		page, err := p.ByDay(p.Counted).Page(ctx, cursor, 2)
		docs = append(docs, page.Items...)
		if cursor = page.Cursor; err != nil || cursor == "" {
			check("Page", docs, err)
			return
		}
	}
}

// see says what is there, by all that reads.
func (p *program) see(ctx context.Context) error {
	start := time.Now()
	for _, key := range p.Keys {
		doc, err := p.Get(ctx, key)
		l := line{Op: "Get", ID: key.ID}
		if err == nil {
			l.Value, l.First, l.Second = doc.Value, doc.First, doc.Second
		}
		p.note(l, start, err)
	}
	days := map[string]bool{}
	for _, key := range p.Keys {
		days[key.Day] = true
	}
	var byDay []*rides.Ride
	for day := range days {
		docs, err := p.ByDay(day).Collect(ctx)
		if err != nil {
			return err
		}
		byDay = append(byDay, docs...)
	}
	scanned, err := p.Scan().Collect(ctx)
	if err != nil {
		return err
	}
	for op, docs := range map[string][]*rides.Ride{"ByDay": byDay, "Scan": scanned} {
		for _, r := range docs {
			p.note(line{Op: op, ID: r.ID, Value: r.Value, First: r.First, Second: r.Second}, start, nil)
		}
	}
	return nil
}
