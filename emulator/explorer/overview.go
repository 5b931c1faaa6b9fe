package explorer

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/traffic"
)

// readAccount answers with everything that the page shows about the account as a whole.
func (e *Explorer) readAccount(*http.Request) (any, error) {
	return map[string]any{
		"databases": e.account.Store.Survey(e.account.Now()),
		"faults":    e.account.Faults(),
		"settings":  Settings{LatencyMS: int(time.Duration(e.account.Latency.Load()).Milliseconds()), Budgets: e.account.Store.Throttles()},
		"canMerge":  e.account.CanMerge,
		"regions":   e.account.Regions(),
		"clock":     clockState{Now: e.account.Now().Unix(), Ahead: int64(e.account.Ahead().Seconds())},
	}, nil
}

// clockState is the time of the databases in seconds since 1970, and the number of seconds by
// which it is ahead of the machine's.
type clockState struct {
	Now   int64 `json:"now"`
	Ahead int64 `json:"ahead"`
}

// mostAdvance is the maximum number of seconds of one request: a leap year.
const mostAdvance = 366 * 24 * 60 * 60

// advance moves the clock forward.
func (e *Explorer) advance(r *http.Request) (any, error) {
	sent, err := body[struct{ Seconds int64 }](r)
	if err != nil {
		return nil, err
	}
	if sent.Seconds < 1 || sent.Seconds > mostAdvance {
		return nil, fmt.Errorf("%d seconds are not between 1 and %d: the clock moves forward only, at most a year at once", sent.Seconds, mostAdvance)
	}
	e.account.Advance(time.Duration(sent.Seconds) * time.Second)
	return done, nil
}

// shownSeconds is the number of seconds of each physical partition that the page gets.
const shownSeconds = 120

// shownKeys is the number of hottest logical partitions that the page gets.
const shownKeys = 12

// partitionState is a physical partition and its traffic.
type partitionState struct {
	store.RangeSurvey

	Seconds []traffic.Second `json:"seconds"` // the oldest first
}

// readContainer answers with the physical partitions of a container, their traffic in the last
// seconds, and the hottest logical partitions of the last minute.
func (e *Explorer) readContainer(r *http.Request) (any, error) {
	c, err := e.container(r)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	ranges, rate := c.SurveyRanges(e.account.Now())
	partitions := make([]partitionState, len(ranges))
	for i, s := range ranges {
		partitions[i] = partitionState{s, e.account.Traffic.Seconds(c.RID(), s.ID, shownSeconds, now)}
	}
	keys, total := e.account.Traffic.Hottest(c.RID(), shownKeys, now)
	if keys == nil {
		keys = []traffic.Key{}
	}
	return map[string]any{
		"until": now.Unix(), "rate": rate, "partitions": partitions,
		"hottest": keys, "minuteCharge": total,
	}, nil
}

// mostKeys is the maximum number of logical partitions that the page gets at once.
const mostKeys = 200

// readKeys answers with the logical partitions of a container, the largest first.
func (e *Explorer) readKeys(r *http.Request) (any, error) {
	c, err := e.container(r)
	if err != nil {
		return nil, err
	}
	q := r.URL.Query()
	list, all := c.SurveyKeys(q.Get("range"), q.Get("text"), mostKeys, e.account.Now())
	return map[string]any{"keys": list, "all": all}, nil
}

// split splits a physical partition.
func (e *Explorer) split(r *http.Request) (any, error) {
	sent, err := body[struct{ DB, C, Range string }](r)
	if err != nil {
		return nil, err
	}
	c, err := e.find(sent.DB, sent.C)
	if err == nil {
		err = c.SplitRange(sent.Range)
	}
	if err != nil {
		return nil, err
	}
	return done, e.account.Store.Settle()
}

// merge merges neighbouring physical partitions.
func (e *Explorer) merge(r *http.Request) (any, error) {
	sent, err := body[struct {
		DB, C  string
		Ranges []string
	}](r)
	if err != nil {
		return nil, err
	}
	c, err := e.find(sent.DB, sent.C)
	if err == nil {
		err = c.MergeRanges(sent.Ranges)
	}
	if err != nil {
		return nil, err
	}
	return done, e.account.Store.Settle()
}

func (e *Explorer) addFault(r *http.Request) (any, error) {
	f, err := body[Fault](r)
	if err != nil {
		return nil, err
	}
	f.Share = cmp.Or(f.Share, 1)
	return done, e.account.AddFault(f)
}

func (e *Explorer) removeFault(r *http.Request) (any, error) {
	id, err := strconv.ParseUint(r.URL.Query().Get("id"), 10, 64)
	if err != nil {
		return nil, err
	}
	e.account.RemoveFault(id)
	return done, nil
}

func (e *Explorer) changeRegion(r *http.Request) (any, error) {
	c, err := body[RegionChange](r)
	if err != nil {
		return nil, err
	}
	return done, e.account.ChangeRegion(c)
}

// setSettings changes the latency of requests, and switches budgets of request units on or
// off.
func (e *Explorer) setSettings(r *http.Request) (any, error) {
	s, err := body[Settings](r)
	if err != nil {
		return nil, err
	}
	if s.LatencyMS < 0 || s.LatencyMS > 600_000 {
		return nil, fmt.Errorf("a latency of %d ms is not between 0 and 600,000", s.LatencyMS)
	}
	if s.Budgets && e.account.Serverless {
		return nil, errors.New("a serverless account has no throughput, and so no budgets")
	}
	e.account.Latency.Store(int64(time.Duration(s.LatencyMS) * time.Millisecond))
	e.account.Store.SetThrottles(s.Budgets)
	return done, nil
}

func (e *Explorer) clearJournal(*http.Request) (any, error) {
	e.account.ClearJournal()
	return done, nil
}
