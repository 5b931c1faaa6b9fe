package writes

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// staleCache answers reads with the body of the first answer, and the headers of the last.
type staleCache struct {
	body  []byte
	times int // how often it does
}

func (c *staleCache) Do(r *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || r.Method != http.MethodGet || response.Header.Get("X-Ms-Item-Count") != "" || response.Header.Get("Etag") == "" {
		return response, err
	}
	body, err := io.ReadAll(response.Body)
	if err != nil || !bytes.Contains(body, []byte(`"owner"`)) {
		response.Body = io.NopCloser(bytes.NewReader(body))
		return response, err
	}
	switch {
	case c.body == nil:
		c.body = body
	case c.times > 0:
		c.times--
		body = c.body
	}
	response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	response.Header.Del("Content-Length")
	return response, nil
}

// TestOlderBodyUnderNewerETag has a cache on the way that returns an older body under the
// newest ETag: a replace of that document would undo what others have written.
func TestOlderBodyUnderNewerETag(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, kit.HashContainer("tasks", "/owner"), repository.Configure(nil))
	direct := repository.New(container, fixtures.PlainTaskModel)
	cache := &staleCache{}
	options := repository.Configure(&azcosmos.ClientOptions{})
	options.Transport = cache
	client := server.Container("tasks", options)
	through := repository.New(client, fixtures.PlainTaskModel)
	key := fixtures.TaskKey{ID: "1", Owner: "o"}
	if err := direct.Create(ctx, &fixtures.Task{ID: "1", Owner: "o", Value: 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := through.Get(ctx, key); err != nil {
		t.Fatal(err)
	}
	if err := direct.Patch(ctx, key, taskValue.Set(2)); err != nil {
		t.Fatal(err)
	}
	cache.times = 1
	if now, err := through.Get(ctx, key); err != nil || now.Value != 2 {
		t.Errorf("the read is not repeated: %+v, %v", now, err)
	}
	cache.times = 1000
	if now, err := through.Get(ctx, key); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("an older document is believed: %+v, %v", now, err)
	}
	err := through.Update(ctx, key, func(t *fixtures.Task) error { t.Value += 10; return nil })
	now, readErr := direct.Get(ctx, key)
	if err == nil || readErr != nil || now.Value != 2 {
		t.Errorf("an update of an older document: %v, %+v, %v", err, now, readErr)
	}
}
