package backoff

import (
	"context"
	"errors"
	"testing"
)

func TestPolicy(t *testing.T) {
	busy, wrong := errors.New("busy"), errors.New("wrong")
	policy := Policy{Most: 3, Again: func(err error) bool { return errors.Is(err, busy) }}
	for name, test := range map[string]struct {
		fails []error
		calls int
		want  error
	}{
		"at once":         {nil, 1, nil},
		"in the end":      {[]error{busy, busy}, 3, nil},
		"too often":       {[]error{busy, busy, busy, busy}, 3, busy},
		"for good":        {[]error{busy, wrong, busy}, 2, wrong},
		"at the very end": {[]error{busy, busy, wrong}, 3, wrong},
	} {
		calls := 0
		err := policy.Do(context.Background(), func() error {
			if calls++; calls <= len(test.fails) {
				return test.fails[calls-1]
			}
			return nil
		})
		if calls != test.calls || !errors.Is(err, test.want) {
			t.Errorf("%s: %d calls, %v", name, calls, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	err := policy.Do(ctx, func() error { calls++; cancel(); return busy })
	if calls != 1 || !errors.Is(err, busy) || !errors.Is(err, context.Canceled) {
		t.Errorf("after the context has ended: %d calls, %v", calls, err)
	}
}
