package cosmossql

// subquery compiles a subquery that is used as a value.
func (c *compiler) subquery(e *subqueryExpr) (*code, error) {
	s, err := c.selection(e.query)
	if err != nil {
		return nil, err
	}
	c.framed = true
	switch e.kind {
	case subqueryExists:
		return &code{test: func(r row) truth {
			found := false
			s.rows(r, func(Value) bool {
				found = true
				return false
			})
			return truthOf(found)
		}}, nil
	case subqueryArray:
		tooLarge := c.tooLarge(e.token)
		return &code{eval: func(r row) Value {
			var b builder
			s.rows(r, func(v Value) bool {
				b.add(v)
				return !b.full()
			})
			if b.full() {
				return r.frame.fail(tooLarge)
			}
			return b.array()
		}}, nil
	default:
		// The reference interpreter of the .NET SDK's tests fails likewise.
		several := c.failure(e.token, codeRun, "a subquery that is used as a value returns more than one row; use ARRAY(…), or an aggregate")
		return &code{eval: func(r row) Value {
			var result Value
			s.rows(r, func(v Value) bool {
				if result.kind != Undefined {
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
