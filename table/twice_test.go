package table_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/table"
)

// TestRefusalsAreSettled has writes that are refused, and what the document tells that one
// more request reads: whether the same write may have stored it when it arrived before.
func TestRefusalsAreSettled(t *testing.T) {
	now := time.Now().UTC()
	const date, timestamp = http.TimeFormat, "2006-01-02T15:04:05.0000000Z"
	for _, test := range []struct {
		name         string
		speed        string // of the stored document
		stored, date string // when, by the service's clock; "" if it does not say
		unclear      bool
	}{
		{"just now", "7", now.Format(timestamp), now.Format(date), true},
		{"just now, by a clock that is an hour late", "7", now.Add(-time.Hour).Format(timestamp), now.Add(-time.Hour).Format(date), true},
		{"a minute before", "7", now.Add(-time.Minute).Format(timestamp), now.Format(date), false},
		{"at no known time", "7", "", now.Format(date), true},
		{"before a request of no known time", "7", now.Add(-time.Minute).Format(timestamp), "", true},
		{"another, just now", "8", now.Format(timestamp), now.Format(date), false},
	} {
		for name, write := range map[string]struct {
			status int
			code   string
			do     func(*table.Documents[event, eventKey], *event) error
			want   error
		}{
			"Create": {409, "EntityAlreadyExists", func(d *table.Documents[event, eventKey], e *event) error { return d.Create(ctx, e) }, documents.ErrAlreadyExists},
			"Replace": {412, "UpdateConditionNotSatisfied", func(d *table.Documents[event, eventKey], e *event) error {
				e.ETag = "W/\"1\""
				return d.Replace(ctx, e)
			}, documents.ErrPreconditionFailed},
			"Create in a transaction": {409, "EntityAlreadyExists", func(d *table.Documents[event, eventKey], e *event) error {
				return commit(d, create(e))
			}, documents.ErrAlreadyExists},
			"Replace in a transaction": {412, "UpdateConditionNotSatisfied", func(d *table.Documents[event, eventKey], e *event) error {
				e.ETag = "W/\"1\""
				return commit(d, replace(e))
			}, documents.ErrPreconditionFailed},
		} {
			entity := ""
			docs, f := repo(t, func(_ int, s sent) (*http.Response, error) {
				switch {
				case s.method == "GET":
					r := reply(200, entity, "ETag", "W/\"2\"")
					if test.date != "" {
						r.Header.Set("Date", test.date)
					}
					return r, nil
				case strings.HasSuffix(s.path, "$batch"):
					_, body, _ := strings.Cut(s.body, "{")
					body, _, _ = strings.Cut(body, "}")
					entity = "{" + body
				default:
					entity = strings.TrimSuffix(s.body, "}")
				}
				entity = strings.Replace(entity, `"speed":7`, `"speed":`+test.speed, 1)
				if test.stored != "" {
					entity += `,"Timestamp":"` + test.stored + `"`
				}
				entity += "}"
				if strings.HasSuffix(s.path, "$batch") {
					return changeset(refused(write.status, write.code, "0:secret")), nil
				}
				return failed(write.status, write.code), nil
			})
			e := sample(1)
			e.Speed = 7
			err := write.do(docs, e)
			if !errors.Is(err, write.want) || errors.Is(err, documents.ErrUnclear) != test.unclear || len(f.all) != 2 {
				t.Errorf("%s over one that was written %s: %v, %d requests", name, test.name, err, len(f.all))
			}
			if strings.Contains(name, "transaction") && strings.Contains(err.Error(), nothingStored) == test.unclear {
				t.Errorf("%s over one that was written %s: %v", name, test.name, err)
			}
		}
	}
}
