package account

import (
	"context"
	"time"
)

// pace keeps a rate of request units by pausing between requests.
type pace struct {
	rate  float64   // RU/s; 0 means no limit
	due   time.Time // before which no request is sent
	now   func() time.Time
	sleep func(context.Context, time.Duration) error
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
func (a *Account) Pace(rate float64) { a.pace.rate = rate }

// wait pauses until the next request may be sent.
func (p *pace) wait(ctx context.Context) error {
	if d := p.due.Sub(p.now()); p.rate > 0 && d > 0 {
		return p.sleep(ctx, d)
	}
	return ctx.Err()
}

// spend adds the charge of a request that has been answered.
func (p *pace) spend(charge float64) {
	if p.rate <= 0 {
		return
	}
	if now := p.now(); p.due.Before(now) {
		p.due = now // time without requests saves nothing up
	}
	p.due = p.due.Add(time.Duration(charge / p.rate * float64(time.Second)))
}
