package documents

import (
	"fmt"
	"io"
	"reflect"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
)

// scalar is Value for types whose underlying type is a number, a text or a bool.
func scalar(v any) (any, error) {
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.String:
		return r.String(), nil
	case reflect.Bool:
		return r.Bool(), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return r.Int(), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return r.Uint(), nil
	case reflect.Float32, reflect.Float64:
		return r.Float(), nil
	}
	return nil, fmt.Errorf("a %T cannot be compared", v)
}

// write writes a condition so that different ones have different texts.
func write(w io.Writer, n condition.Node) {
	switch n := n.(type) {
	case *condition.Comparison:
		_, _ = fmt.Fprintf(w, "(%q %d %t %t", n.Property, n.Op, n.Omitted, n.Zero)
		for _, v := range n.Values {
			if t, ok := v.(time.Time); ok {
				v = t.UTC().Format(time.RFC3339Nano) // without what a process knows of its clock
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
