package value

import (
	"math"

	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// AppendPlain writes a value as JSON without white space. It returns false for numbers that
// need an exponent, which the service writes in its own form, such as 2.0495371758495027e+018
// (a comment in the .NET SDK's reference interpreter).
func (v Value) AppendPlain(dst []byte) ([]byte, bool) {
	ok := true
	switch v.kind {
	case Number:
		abs := math.Abs(v.num)
		return cosmossql.AppendNumber(dst, v.num), abs == 0 || abs >= 1e-4 && abs < 1e15
	case Array:
		dst = append(dst, '[')
		for i, item := range v.comp.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			var fine bool
			dst, fine = item.AppendPlain(dst)
			ok = ok && fine
		}
		return append(dst, ']'), ok
	case Object:
		dst = append(dst, '{')
		for i := range v.comp.fields {
			f := &v.comp.fields[i]
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(cosmossql.AppendQuoted(dst, f.name), ':')
			var fine bool
			dst, fine = f.value.AppendPlain(dst)
			ok = ok && fine
		}
		return append(dst, '}'), ok
	default:
		return v.AppendJSON(dst), true
	}
}
