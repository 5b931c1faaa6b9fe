package documents

import (
	"fmt"
	"io"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
)

// write writes a condition so that different conditions have different texts.
func write(w io.Writer, n condition.Node) {
	switch n := n.(type) {
	case *condition.Comparison:
		_, _ = fmt.Fprintf(w, "(%q %d %t %t", n.Property, n.Op, n.Omitted, n.Zero)
		for _, v := range n.Values {
			if t, ok := v.(time.Time); ok {
				v = t.UTC().Format(time.RFC3339Nano) // without the reading of the monotonic clock
			}
			_, _ = fmt.Fprintf(w, " %T %q", v, fmt.Sprint(v))
		}
		_, _ = io.WriteString(w, ")")
	case condition.All:
		writeAll(w, "all", n)
	case condition.Any:
		writeAll(w, "any", n)
	case condition.Not:
		writeAll(w, "not", []condition.Node{n.Of})
	}
}

func writeAll(w io.Writer, name string, nodes []condition.Node) {
	_, _ = io.WriteString(w, "("+name)
	for _, n := range nodes {
		write(w, n)
	}
	_, _ = io.WriteString(w, ")")
}
