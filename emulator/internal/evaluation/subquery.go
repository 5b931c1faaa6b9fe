package evaluation

import (
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// subquery compiles a subquery that is used as a value.
func (c *compiler) subquery(e *cosmossql.Subquery) (*code, error) {
	s, err := c.selection(e.Query)
	if err != nil {
		return nil, err
	}
	c.framed = true
	switch e.Kind {
	case cosmossql.SubqueryExists:
		return &code{test: func(r row) value.Truth {
			found := false
			s.rows(r, func(value.Value) bool {
				found = true
				return false
			})
			return value.TruthOf(found)
		}}, nil
	case cosmossql.SubqueryArray:
		tooLarge := c.tooLarge(e.Token)
		return &code{eval: func(r row) value.Value {
			var b value.Builder
			s.rows(r, func(v value.Value) bool {
				b.Add(v)
				return !b.Full()
			})
			if b.Full() {
				return r.frame.fail(tooLarge)
			}
			return b.Array()
		}}, nil
	default:
		// The reference interpreter of the .NET SDK's tests fails likewise.
		several := c.failure(e.Token, cosmossql.CodeEvaluation, "a subquery that is used as a value returns more than one row; use ARRAY(…), or an aggregate")
		return &code{eval: func(r row) value.Value {
			var result value.Value
			s.rows(r, func(v value.Value) bool {
				if result.Kind() != value.Undefined {
					r.frame.fail(several)
					return false
				}
				result = v
				return true
			})
			return result
		}}, nil
	}
}
