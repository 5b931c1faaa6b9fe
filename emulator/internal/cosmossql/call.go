package cosmossql

// call compiles a call of a function.
func (c *compiler) call(e *callExpr) (*code, error) {
	codes, err := c.all(e.args)
	if err != nil {
		return nil, err
	}
	f := e.function
	var result *code
	switch {
	case f.matcher != nil:
		return c.matcher(e, codes)
	case f.fixed != nil:
		for _, v := range f.defaults[len(codes)-f.least:] {
			codes = append(codes, constantCode(v))
		}
		result = callFixed(f, results(codes))
	default:
		c.framed = true
		result = c.callList(e, results(codes))
	}
	if f.volatile {
		return result, nil
	}
	return c.folded(result, codes...)
}

func callFixed(f *Function, args []func(row) Value) *code {
	return &code{eval: func(r row) Value {
		var values [maxFixed]Value
		for i, arg := range args {
			if values[i] = arg(r); values[i].kind == Undefined && !f.total {
				return Value{}
			}
		}
		return f.fixed(values)
	}}
}

func (c *compiler) callList(e *callExpr, args []func(row) Value) *code {
	f, text, at := e.function, c.query.text, e.token
	return &code{eval: func(r row) Value {
		values := make([]Value, len(args))
		for i, arg := range args {
			if values[i] = arg(r); values[i].kind == Undefined && !f.total {
				return Value{}
			}
		}
		v, err := f.list(f.Name, values)
		if err != nil {
			return r.frame.fail(newError(text, at.start, at.end, codeRun, "%v", err))
		}
		return v
	}}
}

// matcher compiles a call of a function that makes a test of its constant arguments.
func (c *compiler) matcher(e *callExpr, args []*code) (*code, error) {
	var constants []string
	for i, arg := range args[1:] {
		if !arg.constant {
			return nil, c.failure(e.args[i+1].at(), codeUnread, "%s takes its pattern and modifiers as constants or parameters", e.function.Name)
		}
		if arg.value.kind != String {
			return constantCode(Value{}), nil
		}
		constants = append(constants, arg.value.str)
	}
	matches, err := e.function.matcher(constants)
	if err != nil {
		return nil, c.failure(e.token, codeRun, "%s: %v", e.function.Name, err)
	}
	text := args[0].result()
	return c.folded(&code{test: func(r row) truth {
		v := text(r)
		if v.kind != String {
			return isUndefined
		}
		return truthOf(matches(v.str))
	}}, args...)
}
