package account

import (
	"context"
	"time"
)

// pace keeps a rate of request units by pausing between requests. The account's lock
// guards it, but for now and sleep.
type pace struct {
	rate     float64       // RU/s; 0 means no limit
	due      time.Time     // before which no request is sent
	credit   time.Duration // how much time without requests is saved up
	expected float64       // the charge of a request, about; 0 if requests wait for each other
	now      func() time.Time
	sleep    func(context.Context, time.Duration) error
}

// realTime is the pace of an account without a rate.
func realTime() pace { return pace{now: time.Now, sleep: sleep} }

// sleep waits, or returns the error of a context that has ended.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// Pace keeps a rate in RU/s, or none if it is 0: after a request that cost c request
// units, the next one is sent c/rate seconds later at the earliest. So what has been
// spent exceeds the rate by the last request at most.
func (a *Account) Pace(rate float64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.pace.rate, a.pace.credit, a.pace.expected = rate, 0, 0
}

// credit is how much of a budget that was not spent can be spent later: enough to make
// up for the time that answers take.
const credit = time.Second

// Budget keeps a rate in RU/s, or none if it is 0, of requests that are sent at the same
// time. The charge of a request is expected to be that of those before it, and set aside
// when the request is sent. What has been spent exceeds the rate by a second of it, and
// by what requests cost more than expected, at most; that is made up for later. A
// request that is throttled is sent again until it is served, since those that are sent
// at the same time may be why.
func (a *Account) Budget(rate float64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.pace.rate, a.pace.credit, a.pace.expected = rate, credit, 1
}

// left returns how long no request may be sent.
func (p *pace) left() time.Duration {
	if p.rate <= 0 {
		return 0
	}
	return p.due.Sub(p.now())
}

// reserve sets the expected charge of a request aside, and returns it.
func (p *pace) reserve() float64 {
	if p.rate <= 0 || p.expected == 0 {
		return 0
	}
	p.add(p.expected)
	return p.expected
}

// recent is the weight of a charge in those that are expected.
const recent = 0.05

// spend adds the charge of a request that has been answered, for which some request
// units were set aside.
func (p *pace) spend(charge, reserved float64) {
	if p.rate <= 0 {
		return
	}
	p.add(charge - reserved)
	if p.expected > 0 {
		p.expected += recent * (charge - p.expected)
	}
}

// add adds request units; a negative number gives some back.
func (p *pace) add(units float64) {
	if now := p.now(); p.due.IsZero() {
		p.due = now
	} else if earliest := now.Add(-p.credit); p.due.Before(earliest) {
		p.due = earliest // more is not saved up
	}
	p.due = p.due.Add(time.Duration(units / p.rate * float64(time.Second)))
}
