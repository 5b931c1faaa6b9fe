package analyze

import (
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/account"
)

// TestEstimateText compares what a sample says with what the service counts.
func TestEstimateText(t *testing.T) {
	for service, want := range map[int64]string{
		-1:  "most of them",
		100: "; the service counts 100",
		121: "121, so the sample probably lacks the largest keys",
		79:  "79, so large keys are overrepresented in the sample",
	} {
		got := estimateText(account.Estimate{Documents: 100, Error: 20}, service)
		if !strings.HasPrefix(got, "by the sample, the container has 100 ± 20 documents, with a confidence of 95% unless") || !strings.HasSuffix(got, want) {
			t.Errorf("%d: %s", service, got)
		}
	}
}
