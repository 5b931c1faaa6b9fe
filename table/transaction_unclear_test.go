package table_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

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
		{"throttled", func() *http.Response { return failed(429, "TooManyRequests", "Retry-After", "60") }, []func(operations) error{upsert(of(1)), upsert(of(2))}, table.ErrThrottled, 0},
		{"not found", func() *http.Response { return changeset(refused(404, "ResourceNotFound", "1:secret")) }, []func(operations) error{upsert(of(1)), replace(of(2))}, table.ErrNotFound, 2},
		{"too large", func() *http.Response { return changeset(refused(400, "EntityTooLarge", "0:secret")) }, []func(operations) error{upsert(of(1)), upsert(of(2))}, table.ErrTooLarge, 1},
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
			if errors.Is(err, table.ErrUnclear) != lost || !errors.Is(err, test.match) || isNamed != (test.at > 0) || isNamed && named.Operation != test.at {
				t.Errorf("%s, lost before %t, %d requests: %v", test.name, lost, len(f.all), err)
			}
			if isNamed && strings.Contains(err.Error(), nothingStored) == lost {
				t.Errorf("%s, lost before %t: the text is %v", test.name, lost, err)
			}
		}
	}
}
