package query

import (
	"container/heap"
	"crypto/sha256"
	"encoding/json"
	"slices"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/cosmos-pkgen/pkgen/internal/cursor"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// stream returns a stream of a job after what was given. With no tokens it does not
// begin at that of the position.
func (r *pageRun) stream(j job, since *position, tokens bool) (*pageStream, error) {
	s := &pageStream{job: j, since: since, direction: since.Direction}
	if since.Keys != nil {
		found, divided := since.overlapping(j.low, j.high)
		s.mixed = divided
		s.strict = len(found) > 0 && !divided && found[0].All
	}
	if tokens && !s.strict && since.Keys != nil {
		if t := since.leading(j.low, j.high); t != nil {
			if err := r.resume(s, t); err != nil || s.text != "" {
				return s, err
			}
		}
	}
	return s, r.ask(s, j.low, j.high)
}

// resume makes the query of a stream and has it begin at a token, if that is one
// of the query.
func (r *pageRun) resume(s *pageStream, t *pageToken) error {
	from, to := t.listed()
	if err := r.ask(s, from, to); err != nil {
		return err
	}
	if t.Token != "" && !slices.Equal(t.Sum, s.sum) {
		s.text = ""
		return nil
	}
	s.token, s.again = t.Token, t.Read
	return nil
}

// ask makes the query of a stream, with the list of the partition keys between two
// places in the key space.
func (r *pageRun) ask(s *pageStream, from, to string) error {
	st := r.Statement
	s.wide = false
	if s.since.Keys != nil {
		after, parameters := text.After(st.orders, s.since.Keys, s.strict)
		st.conditions = append(st.conditions[:len(st.conditions):len(st.conditions)], after)
		st.parameters = st.parameters[:len(st.parameters):len(st.parameters)]
		for _, p := range parameters {
			st.parameters = append(st.parameters, azcosmos.QueryParameter(p))
		}
	}
	asked := s.job
	if asked.listed && asked.scoped && (from != asked.low || to != asked.high) {
		var err error
		if asked.values, err = r.listed(from, to); err != nil {
			return err
		}
		in := asked.in
		in.Min = slices.MaxFunc([]string{in.Min, from}, partition.CompareEPK)
		in.Max = slices.MinFunc([]string{in.Max, to}, partition.CompareEPK)
		s.wide = !route.Contains(asked.low, asked.high, in)
	}
	listed, parameters := listCondition(r.store, asked)
	s.from, s.to = from, to
	s.text, s.parameters = st.sql(listed), slices.Concat(st.parameters, parameters)
	text, err := json.Marshal(s.parameters)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(append([]byte(s.text), text...))
	s.sum = sum[:6]
	return nil
}

// add adds streams of jobs.
func (r *pageRun) add(jobs []job, tokens bool) error {
	since := r.pos.clone()
	for _, j := range jobs {
		s, err := r.stream(j, since, tokens)
		if err != nil {
			return r.failure(j, err)
		}
		heap.Push(&r.streams, s)
	}
	return nil
}

// lead notes in the position where the reading of a stream has come. It returns
// false if that cannot be noted.
func (r *pageRun) lead(s *pageStream) bool {
	t := pageToken{Min: s.job.low, Max: s.job.high}
	if s.from != t.Min || s.to != t.Max {
		t.From, t.To = s.from, s.to
	}
	switch p := r.pos; {
	case p.Keys == nil || !s.opened:
		return false
	case s.since.Keys == nil || s.strict || text.CompareKeys(r.orders, s.since.Keys, p.Keys) != 0:
		// The next query begins with what sorts like the last document.
		if r.giver == s {
			t.From, t.To, t.Read = "", "", r.alike
			p.lead(t)
		}
		return false
	case len(s.rows) > 0:
		t.Token, t.Read = s.before, s.rows[0].read
	default:
		t.Token = s.token
	}
	if len(t.Token) > maxPageToken || !cursor.FitsHeader(t.Token) {
		return false
	}
	if t.Token != "" {
		t.Sum = s.sum
	}
	r.pos.lead(t)
	return t.Token != ""
}
