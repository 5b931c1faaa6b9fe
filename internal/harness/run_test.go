package harness_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
)

// TestSettled reads ranges of physical partitions with a context that ends while azcosmos waits
// for the answer: its refresh goes on, and is no leak of the test's.
func TestSettled(t *testing.T) {
	asked, answer := make(chan struct{}), make(chan struct{})
	defer close(answer)
	hold := harness.Policy(func(r *policy.Request) (*http.Response, error) {
		if strings.HasSuffix(r.Raw().URL.Path, "/pkranges") {
			close(asked)
			<-answer
		}
		return r.Next()
	})
	_, container := harness.NewContainer(t, emulator.Options{}, harness.Properties("c", "/pk"), harness.Once(hold))
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-asked
		cancel()
	}()
	if _, err := container.ReadFeedRanges(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	harness.Settled(t)
}
