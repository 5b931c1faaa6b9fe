package account

import (
	"context"
	"time"
)

// pace keeps a rate of request units by pausing between requests. Except for now and sleep, the
// account's lock guards it.
type pace struct {
	rate     float64       // RU/s; 0 is no limit
	due      time.Time     // no request is sent earlier
	credit   time.Duration // the idle time that may be made up
	expected float64       // the moving average of charges; 0 if requests are sequential
	now      func() time.Time
	sleep    func(context.Context, time.Duration) error
}

// realTime is the pace of an account without a rate.
func realTime() pace { return pace{now: time.Now, sleep: sleep} }

// sleep waits for d, or returns the error of ctx once it ends.
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

// Pace limits the account to rate RU/s; 0 is no limit. After a request that cost c request units,
// the next is sent at least c/rate seconds later, so spending exceeds the rate by at most the last
// request.
func (a *Account) Pace(rate float64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.pace.rate, a.pace.credit, a.pace.expected = rate, 0, 0
}

// credit is how much of an unspent budget is carried over. It makes up for the latency of answers.
const credit = time.Second

// Budget limits concurrent requests to rate RU/s in total; 0 is no limit. Each request reserves the
// average charge of earlier ones. Spending exceeds the rate by at most one second of it plus the
// excess of actual over expected charges, which later pauses make up for. A throttled request is
// repeated until it succeeds, since concurrent requests may be the cause.
func (a *Account) Budget(rate float64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.pace.rate, a.pace.credit, a.pace.expected = rate, credit, 1
}

// left returns the time until the next request may be sent.
func (p *pace) left() time.Duration {
	if p.rate <= 0 {
		return 0
	}
	return p.due.Sub(p.now())
}

// reserve reserves the expected charge of a request, and returns it.
func (p *pace) reserve() float64 {
	if p.rate <= 0 || p.expected == 0 {
		return 0
	}
	p.add(p.expected)
	return p.expected
}

// recent is the weight of a new charge in the moving average.
const recent = 0.05

// spend records the charge of an answered request and releases its reservation.
func (p *pace) spend(charge, reserved float64) {
	if p.rate <= 0 {
		return
	}
	p.add(charge - reserved)
	if p.expected > 0 {
		p.expected += recent * (charge - p.expected)
	}
}

// add adds request units, or returns them if units is negative.
func (p *pace) add(units float64) {
	if now := p.now(); p.due.IsZero() {
		p.due = now
	} else if earliest := now.Add(-p.credit); p.due.Before(earliest) {
		p.due = earliest // the saved time is capped
	}
	p.due = p.due.Add(time.Duration(units / p.rate * float64(time.Second)))
}
