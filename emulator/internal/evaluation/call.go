package evaluation

import (
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/function"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/work"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// call compiles a call of a function.
func (c *compiler) call(e *cosmossql.Call) (*code, error) {
	codes, err := c.all(e.Args)
	if err != nil {
		return nil, err
	}
	if e.Function.Name == cosmossql.VectorDistance {
		return c.vectorDistance(e, codes)
	}
	f := function.Of(e.Function)
	var result *code
	switch {
	case f.Matcher != nil:
		return c.matcher(e, f, codes)
	case f.Fixed != nil:
		for _, v := range f.Defaults[len(codes)-e.Function.Least:] {
			codes = append(codes, constantCode(v))
		}
		result = callFixed(c.meter, f, results(codes))
	default:
		c.framed = true
		result = c.callList(e, f, results(codes))
	}
	if e.Function.Volatile {
		return result, nil
	}
	return c.folded(result, codes...)
}

func callFixed(m *work.Meter, f *function.Function, args []func(row) value.Value) *code {
	return &code{eval: func(r row) value.Value {
		var values [function.MaxFixed]value.Value
		size := 0
		for i, arg := range args {
			if values[i] = arg(r); values[i].Kind() == value.Undefined && !f.Total {
				return value.Value{}
			}
			size += values[i].Bytes()
		}
		if !m.Whole(size) {
			return value.Value{}
		}
		return f.Fixed(values)
	}}
}

func (c *compiler) callList(e *cosmossql.Call, f *function.Function, args []func(row) value.Value) *code {
	text, at, m := c.query.Text, e.Token, c.meter
	return &code{eval: func(r row) value.Value {
		values := make([]value.Value, len(args))
		size := 0
		for i, arg := range args {
			if values[i] = arg(r); values[i].Kind() == value.Undefined && !f.Total {
				return value.Value{}
			}
			size += values[0].Bytes() + values[i].Bytes() // some look at the first once for each other
		}
		if !m.Whole(size) {
			return value.Value{}
		}
		v, err := f.List(f.Name, values)
		if err != nil {
			return r.frame.fail(cosmossql.NewError(text, at.Start, at.End, cosmossql.CodeEvaluation, "%v", err))
		}
		return v
	}}
}

// matcher compiles a call of a function that makes a test of its constant arguments.
func (c *compiler) matcher(e *cosmossql.Call, f *function.Function, args []*code) (*code, error) {
	var constants []string
	for i, arg := range args[1:] {
		if !arg.constant {
			return nil, c.failure(e.Args[i+1].At(), cosmossql.CodeUnsupported, "%s takes its pattern and modifiers as constants or parameters", f.Name)
		}
		if arg.value.Kind() != value.String {
			return constantCode(value.Value{}), nil
		}
		constants = append(constants, arg.value.Text())
	}
	matches, err := f.Matcher(c.meter, constants)
	if err != nil {
		return nil, c.failure(e.Token, cosmossql.CodeEvaluation, "%s: %v", f.Name, err)
	}
	text := args[0].result()
	return c.folded(&code{test: func(r row) value.Truth {
		v := text(r)
		if v.Kind() != value.String {
			return value.Unknown
		}
		return value.TruthOf(matches(v.Text()))
	}}, args...)
}
