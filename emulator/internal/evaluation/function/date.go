package function

import (
	"fmt"
	"math"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
)

// dateFunctions work on dates and times as text in ISO 8601, in UTC. They are
// undefined for other texts, for unknown units, and for numbers that are not whole.
var dateFunctions = []*Function{
	clock("GETCURRENTDATETIME", timeValue),
	clock("GETCURRENTTICKS", func(t time.Time) value.Value { return value.OfInt(ticksOf(t)) }),
	clock("GETCURRENTTIMESTAMP", func(t time.Time) value.Value { return value.OfInt(t.UnixMilli()) }),
	clock("GETCURRENTDATETIMESTATIC", timeValue),
	clock("GETCURRENTTICKSSTATIC", func(t time.Time) value.Value { return value.OfInt(ticksOf(t)) }),
	clock("GETCURRENTTIMESTAMPSTATIC", func(t time.Time) value.Value { return value.OfInt(t.UnixMilli()) }),
	ofTime("DATETIMETOTICKS", func(t time.Time) value.Value { return value.OfInt(ticksOf(t)) }),
	ofTime("DATETIMETOTIMESTAMP", func(t time.Time) value.Value { return value.OfInt(t.UnixMilli()) }),
	ofTime("YEAR", func(t time.Time) value.Value { return value.OfInt(int64(t.Year())) }),
	ofTime("MONTH", func(t time.Time) value.Value { return value.OfInt(int64(t.Month())) }),
	ofTime("DAY", func(t time.Time) value.Value { return value.OfInt(int64(t.Day())) }),
	fromNumber("TICKSTODATETIME", timeOfTicks),
	fromNumber("TIMESTAMPTODATETIME", time.UnixMilli),
	{
		Name: "DATETIMEADD",
		Fixed: func(args [MaxFixed]value.Value) value.Value {
			u, okUnit := unitOf(args[0])
			n, okNumber := args[1].Integer()
			t, okTime := parseTime(args[2])
			if !okUnit || !okNumber || !okTime {
				return value.Value{}
			}
			if t, okTime = u.add(t, n); !okTime {
				return value.Value{}
			}
			return timeValue(t)
		},
	},
	{
		Name: "DATETIMEDIFF",
		List: dateTimeDiff,
	},
	{
		Name: "DATETIMEPART",
		Fixed: func(args [MaxFixed]value.Value) value.Value {
			u, okUnit := unitOf(args[0])
			t, okTime := parseTime(args[1])
			if !okUnit || !okTime {
				return value.Value{}
			}
			return value.OfInt(int64(u.part(t)))
		},
	},
	{
		Name: "DATETIMEFROMPARTS",
		List: dateTimeFromParts,
	},
	{
		Name: "DATETIMEBIN",
		List: dateTimeBin,
	},
}

// clock makes a function that returns the time of each call if it is volatile, otherwise the
// time of the query.
func clock(name string, f func(time.Time) value.Value) *Function {
	return &Function{
		Name: name, Fixed: func([MaxFixed]value.Value) value.Value { return f(time.Now().UTC()) },
	}
}

// ofTime makes a function of a time.
func ofTime(name string, f func(time.Time) value.Value) *Function {
	return &Function{
		Name: name,
		Fixed: func(args [MaxFixed]value.Value) value.Value {
			t, ok := parseTime(args[0])
			if !ok {
				return value.Value{}
			}
			return f(t)
		},
	}
}

// fromNumber makes a function that turns a whole number into a time.
func fromNumber(name string, f func(int64) time.Time) *Function {
	return &Function{
		Name: name,
		Fixed: func(args [MaxFixed]value.Value) value.Value {
			n, ok := args[0].Integer()
			if !ok || n > math.MaxInt64/2 || n < math.MinInt64/2 {
				return value.Value{}
			}
			return timeValue(f(n).UTC())
		},
	}
}

func dateTimeDiff(_ string, args []value.Value) (value.Value, error) {
	u, okUnit := unitOf(args[0])
	from, okFrom := parseTime(args[1])
	to, okTo := parseTime(args[2])
	if !okUnit || !okFrom || !okTo {
		return value.Value{}, nil
	}
	if u.tooFar(from, to) {
		return value.Value{}, fmt.Errorf("DATETIMEDIFF: the nanoseconds between %s and %s are beyond 64 bits", args[1].Text(), args[2].Text())
	}
	return value.OfInt(u.count(to) - u.count(from)), nil
}

func dateTimeFromParts(_ string, args []value.Value) (value.Value, error) {
	parts := [7]int64{}
	for i, v := range args {
		n, ok := v.Integer()
		if !ok {
			return value.Value{}, nil
		}
		parts[i] = n
	}
	limits := [7]struct{ least, most int64 }{{1, 9999}, {1, 12}, {1, 31}, {0, 23}, {0, 59}, {0, 59}, {0, 9_999_999}}
	for i, n := range parts {
		if n < limits[i].least || n > limits[i].most {
			return value.Value{}, nil
		}
	}
	t := time.Date(int(parts[0]), time.Month(parts[1]), int(parts[2]), int(parts[3]), int(parts[4]), int(parts[5]), int(parts[6])*int(tick), time.UTC)
	if int64(t.Day()) != parts[2] {
		return value.Value{}, nil
	}
	return timeValue(t), nil
}

func dateTimeBin(_ string, args []value.Value) (value.Value, error) {
	t, okTime := parseTime(args[0])
	u, okUnit := unitOf(args[1])
	size, okSize := int64(1), true
	if len(args) > 2 {
		size, okSize = args[2].Integer()
	}
	origin, okOrigin := time.Unix(0, 0).UTC(), true
	if len(args) > 3 {
		origin, okOrigin = parseTime(args[3])
		okOrigin = okOrigin && origin.Year() >= 1601
	}
	if !okTime || !okUnit || !okSize || !okOrigin || size <= 0 {
		return value.Value{}, nil
	}
	if u.tooFar(origin, t) {
		return value.Value{}, fmt.Errorf("DATETIMEBIN: the nanoseconds between the origin and %s are beyond 64 bits", args[0].Text())
	}
	units := u.whole(origin, t)
	t, ok := u.add(origin, floorDiv(units, size)*size)
	if !ok {
		return value.Value{}, nil
	}
	return timeValue(t), nil
}
