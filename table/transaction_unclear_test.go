package table_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/table"
)

var errLost = errors.New("connection reset")

const nothingStored = "nothing of the transaction was stored"

// TestLostAnswersBefore checks transactions of which the first answer is lost and a later
// attempt fails: the first may have taken effect, whatever the last answer says.
func TestLostAnswersBefore(t *testing.T) {
	for _, test := range []struct {
		name  string
		last  func() *http.Response
		add   []func(operations) error
		match error
		at    int // the operation that fails, 0 if none is named
	}{
		{"throttled", func() *http.Response { return failed(429, "TooManyRequests", "Retry-After", "60") }, []func(operations) error{upsert(of(1)), upsert(of(2))}, documents.ErrThrottled, 0},
		{"not found", func() *http.Response { return changeset(refused(404, "ResourceNotFound", "1:secret")) }, []func(operations) error{upsert(of(1)), replace(of(2))}, documents.ErrNotFound, 2},
		{"too large", func() *http.Response { return changeset(refused(400, "EntityTooLarge", "0:secret")) }, []func(operations) error{upsert(of(1)), upsert(of(2))}, documents.ErrTooLarge, 1},
	} {
		for _, lost := range []bool{true, false} {
			docs, f := repo(t, func(n int, _ sent) (*http.Response, error) {
				if lost && n == 1 {
					return nil, errLost
				}
				return test.last(), nil
			})
			err := commit(docs, test.add...)
			var named *table.TransactionError
			isNamed := errors.As(err, &named)
			if errors.Is(err, documents.ErrUnclear) != lost || !errors.Is(err, test.match) || isNamed != (test.at > 0) || isNamed && named.Operation != test.at {
				t.Errorf("%s, lost before %t, %d requests: %v", test.name, lost, len(f.all), err)
			}
			if isNamed && strings.Contains(err.Error(), nothingStored) == lost {
				t.Errorf("%s, lost before %t: the text is %v", test.name, lost, err)
			}
		}
	}
}

// TestLostReplacements checks transactions with a Replace of a version whose answer is
// lost, while the stored documents are equal to those of the transaction: another program
// that read the same version may have stored them, unless one is created.
func TestLostReplacements(t *testing.T) {
	known := func(i int) *event {
		e := of(i)
		e.ETag = "W/\"5\""
		return e
	}
	for _, test := range []struct {
		name string
		add  []func(operations) error
		took bool
		sent int
	}{
		{"replace a version", []func(operations) error{replace(known(1))}, false, 1},
		{"replace a version, upsert", []func(operations) error{replace(known(1)), upsert(of(2))}, false, 1},
		{"replace a version, delete", []func(operations) error{replace(known(1)), remove(of(3).Key())}, false, 1},
		{"replace a version, create", []func(operations) error{replace(known(1)), create(of(2))}, true, 3},
		{"replace any, delete", []func(operations) error{replace(of(1)), remove(of(3).Key())}, true, 3},
		{"replace any, delete a version", []func(operations) error{replace(of(1)), func(o operations) error { return o.DeleteIfMatch(known(3)) }}, true, 3},
	} {
		stored := map[string]string{}
		docs, f := repo(t, func(n int, s sent) (*http.Response, error) {
			if n > 1 {
				for row, entity := range stored {
					if strings.Contains(s.path, row) {
						return reply(200, entity, "ETag", "W/\"6\""), nil
					}
				}
				return failed(404, "ResourceNotFound"), nil
			}
			for rest := s.body; ; {
				_, entity, found := strings.Cut(rest, "{")
				if !found {
					return nil, errLost
				}
				entity, rest, _ = strings.Cut(entity, "}")
				_, row, _ := strings.Cut(entity, `"RowKey":"`)
				row, _, _ = strings.Cut(row, `"`)
				stored[row] = "{" + entity + "}"
			}
		})
		err := commit(docs, test.add...)
		if (err == nil) != test.took || !test.took && !errors.Is(err, documents.ErrUnclear) || len(f.all) != test.sent {
			t.Errorf("%s, %d requests: %v", test.name, len(f.all), err)
		}
	}
}
