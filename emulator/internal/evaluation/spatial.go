package evaluation

import (
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/spatial"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/work"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// spatialFunctions evaluate the functions of two shapes. If they return false, the result is
// undefined; the meter may have ended the work.
var spatialFunctions = map[string]func(a, b *spatial.Shape, m *work.Meter) (value.Value, bool){
	"ST_DISTANCE": func(a, b *spatial.Shape, m *work.Meter) (value.Value, bool) {
		d, ok := a.Distance(b, m)
		return value.OfFloat(d), ok
	},
	"ST_INTERSECTS": func(a, b *spatial.Shape, m *work.Meter) (value.Value, bool) {
		return value.OfBool(a.Intersects(b, m)), true
	},
	"ST_WITHIN": func(a, b *spatial.Shape, m *work.Meter) (value.Value, bool) {
		return value.OfBool(a.Within(b, m)), true
	},
}

// spatialUse is a call of a function of shapes.
type spatialUse struct {
	system spatial.System
	given  []givenShape // by argument
}

// givenShape is an argument that is the same for every row, once it has been read.
type givenShape struct {
	constant bool
	value    value.Value
	shape    *spatial.Shape // nil if the value is no valid shape
}

// prepare reads the arguments that are the same for every row, once.
func (u *spatialUse) prepare(system spatial.System, m *work.Meter) error {
	u.system = system
	for i := range u.given {
		if g := &u.given[i]; g.constant {
			var err error
			if g.shape, _, err = system.Read(g.value, m); err != nil {
				return err
			}
		}
	}
	return nil
}

// spatial compiles a call of a function of shapes. Shapes are on the Earth unless
// [Plan.OnPlane] was called.
func (c *compiler) spatial(e *cosmossql.Call, args []*code) (*code, error) {
	c.framed = true
	use, evals, at, m := &spatialUse{}, results(args), e.Token, c.meter
	fail := func(err error) *cosmossql.Error {
		return c.failure(at, cosmossql.CodeEvaluation, "%s: %v", e.Function.Name, err)
	}
	of := spatialFunctions[e.Function.Name]
	if of == nil {
		detailed := e.Function.Name == "ST_ISVALIDDETAILED"
		c.shapes = append(c.shapes, use)
		return &code{eval: func(r row) value.Value {
			v := evals[0](r)
			if v.Kind() == value.Undefined {
				return v
			}
			shape, invalid, err := use.system.Read(v, m)
			if err != nil {
				return r.frame.fail(fail(err))
			}
			return validity(shape, invalid, detailed)
		}}, nil
	}
	for _, arg := range args {
		use.given = append(use.given, givenShape{constant: arg.constant, value: arg.value})
	}
	if err := use.prepare(spatial.Geography, m); err != nil {
		return nil, fail(err)
	}
	c.shapes = append(c.shapes, use)
	return &code{eval: func(r row) value.Value {
		var shapes [2]*spatial.Shape
		for i, eval := range evals {
			if use.given[i].constant {
				shapes[i] = use.given[i].shape
			} else {
				var err error
				if shapes[i], _, err = use.system.Read(eval(r), m); err != nil {
					return r.frame.fail(fail(err))
				}
			}
			if shapes[i] == nil { // undefined, invalid, or the work has ended
				return value.Value{}
			}
		}
		if v, ok := of(shapes[0], shapes[1], m); ok {
			return v
		}
		return value.Value{}
	}}, nil
}

// validity is the result of ST_ISVALID, or of ST_ISVALIDDETAILED.
func validity(shape *spatial.Shape, invalid spatial.Invalid, detailed bool) value.Value {
	switch {
	case shape == nil && invalid == "": // the work has ended
		return value.Value{}
	case !detailed:
		return value.OfBool(shape != nil)
	}
	var b value.Builder
	b.Set("valid", value.OfBool(shape != nil))
	if shape == nil {
		b.Set("reason", value.OfString(string(invalid)))
	}
	return b.Object()
}

// OnPlane makes the plan treat shapes as shapes on a plane, as the geospatial configuration of
// the container says. It must be called before the first document.
func (p *Plan) OnPlane() error {
	for _, use := range p.shapes {
		if err := use.prepare(spatial.Geometry, p.meter); err != nil {
			return err
		}
	}
	return nil
}
