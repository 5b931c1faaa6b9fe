package spelling

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	candidates := []string{"id", "pk", "concat", "hashsuffix", "randomsuffix", "buckets", "format"}
	for _, tt := range []struct{ word, want string }{
		{"hashsufix", "hashsuffix"},
		{"hashsuffx", "hashsuffix"},
		{"cnocat", "concat"},
		{"BUCKETS", "buckets"},
		{"bukcets", "buckets"},
		{"kp", "pk"},
		{"pkk", "pk"},
		{"i", "id"},
		{"rand", "randomsuffix"},
		{"ra", ""},
		{"key", ""},
		{"level", ""},
		{"", ""},
		{"HashSuffixé", "hashsuffix"},
		{strings.Repeat("x", 1000), ""},
	} {
		if got := Nearest(tt.word, candidates); got != tt.want {
			t.Errorf("Nearest(%q) = %q, want %q", tt.word, got, tt.want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "abc", 3},
		{"abc", "", 3},
		{"day", "day", 0},
		{"dya", "day", 1},
		{"kitten", "sitting", 3},
		{"ca", "abc", 3},
		{"hashsufix", "hashsuffix", 1},
	} {
		if got := distance(tt.a, tt.b); got != tt.want {
			t.Errorf("distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}
