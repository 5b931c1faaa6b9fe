package wire

import (
	"context"
	"encoding/base64"
	"sync"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// IndexMetrics keeps what the service tells of the indexes of queries. The zero value is
// ready, and it is safe for concurrent use.
type IndexMetrics struct {
	mu    sync.Mutex
	texts []string
	known map[string]bool
}

// Texts returns the different texts, in the order in which they came.
func (m *IndexMetrics) Texts() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.texts[:len(m.texts):len(m.texts)]
}

func (m *IndexMetrics) note(text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known[text] {
		return
	}
	if m.known == nil {
		m.known = map[string]bool{}
	}
	m.known[text] = true
	m.texts = append(m.texts, text)
}

type indexMetricsKey struct{}

// WithIndexMetrics returns a context whose queries ask for metrics of indexes, which m
// keeps.
func WithIndexMetrics(ctx context.Context, m *IndexMetrics) context.Context {
	return context.WithValue(ctx, indexMetricsKey{}, m)
}

func indexMetricsOf(ctx context.Context) *IndexMetrics {
	m, _ := ctx.Value(indexMetricsKey{}).(*IndexMetrics)
	return m
}

// NoteIndexMetrics keeps what a page tells of indexes. The service sends the text in
// base64, and azcosmos leaves it so (1.5.0).
func NoteIndexMetrics(ctx context.Context, page azcosmos.QueryItemsResponse) {
	m := indexMetricsOf(ctx)
	if m == nil || page.IndexMetrics == nil {
		return
	}
	text := *page.IndexMetrics
	if decoded, err := base64.StdEncoding.DecodeString(text); err == nil {
		text = string(decoded)
	}
	m.note(text)
}
