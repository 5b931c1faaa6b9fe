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
	switch e.Function.Name {
	case cosmossql.VectorDistance, cosmossql.PlanVectorScore:
		return c.vectorDistance(e, codes)
	case cosmossql.PlanTextScore:
		return c.textScore(e, codes)
	case cosmossql.PlanWordCount:
		c.statistics = true
	}
	if e.Function.Category == cosmossql.Spatial {
		return c.spatial(e, codes)
	}
	f := function.Of(e.Function)
	var result *code
	switch {
	case f.Search != nil:
		c.framed = true
		return c.callList(e, f, results(codes)), nil // the container's rules for words are not known yet
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
	text, at, m, search := c.query.Text, e.Token, c.meter, c.search
	return &code{eval: func(r row) value.Value {
		values := make([]value.Value, len(args))
		size := 0
		for i, arg := range args {
			if values[i] = arg(r); values[i].Kind() == value.Undefined && !f.Total {
				return value.Value{}
			}
			size += values[0].Bytes() + values[i].Bytes() // functions may compare the first with each other one
		}
		if !m.Whole(size) {
			return value.Value{}
		}
		var v value.Value
		var err error
		if f.Search != nil {
			v, err = f.Search(*search, f.Name, values)
		} else {
			v, err = f.List(f.Name, values)
		}
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
