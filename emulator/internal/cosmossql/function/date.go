package cosmossql

import (
	"fmt"
	"math"
	"time"
)

// dateFunctions work on dates and times as text in ISO 8601, in UTC. They are
// undefined for other texts, for unknown units, and for numbers that are not whole.
var dateFunctions = []*Function{
	clock("GETCURRENTDATETIME", "the time now, as text", true, timeValue),
	clock("GETCURRENTTICKS", "the time now, in units of 100 ns since 1970", true, func(t time.Time) Value { return intValue(ticksOf(t)) }),
	clock("GETCURRENTTIMESTAMP", "the time now, in milliseconds since 1970", true, func(t time.Time) Value { return intValue(t.UnixMilli()) }),
	clock("GETCURRENTDATETIMESTATIC", "the time when the query began, as text", false, timeValue),
	clock("GETCURRENTTICKSSTATIC", "the time when the query began, in units of 100 ns since 1970", false, func(t time.Time) Value { return intValue(ticksOf(t)) }),
	clock("GETCURRENTTIMESTAMPSTATIC", "the time when the query began, in milliseconds since 1970", false, func(t time.Time) Value { return intValue(t.UnixMilli()) }),
	ofTime("DATETIMETOTICKS", "a time in units of 100 ns since 1970", func(t time.Time) Value { return intValue(ticksOf(t)) }),
	ofTime("DATETIMETOTIMESTAMP", "a time in milliseconds since 1970", func(t time.Time) Value { return intValue(t.UnixMilli()) }),
	ofTime("YEAR", "the year", func(t time.Time) Value { return intValue(int64(t.Year())) }),
	ofTime("MONTH", "the month, from 1", func(t time.Time) Value { return intValue(int64(t.Month())) }),
	ofTime("DAY", "the day of the month", func(t time.Time) Value { return intValue(int64(t.Day())) }),
	fromNumber("TICKSTODATETIME", "ticks", "the time of units of 100 ns since 1970", timeOfTicks),
	fromNumber("TIMESTAMPTODATETIME", "milliseconds", "the time of milliseconds since 1970", time.UnixMilli),
	{
		Name: "DATETIMEADD", Args: "unit, number, time", least: 3, most: 3, Help: "the time moved by a number of units",
		fixed: func(args [maxFixed]Value) Value {
			u, okUnit := unitOf(args[0])
			n, okNumber := args[1].integer()
			t, okTime := parseTime(args[2])
			if !okUnit || !okNumber || !okTime {
				return Value{}
			}
			if t, okTime = u.add(t, n); !okTime {
				return Value{}
			}
			return timeValue(t)
		},
	},
	{
		Name: "DATETIMEDIFF", Args: "unit, from, to", least: 3, most: 3, Help: "how many boundaries of a unit lie between two times",
		list: dateTimeDiff,
	},
	{
		Name: "DATETIMEPART", Args: "unit, time", least: 2, most: 2, Help: "one part of a time",
		fixed: func(args [maxFixed]Value) Value {
			u, okUnit := unitOf(args[0])
			t, okTime := parseTime(args[1])
			if !okUnit || !okTime {
				return Value{}
			}
			return intValue(int64(u.part(t)))
		},
	},
	{
		Name: "DATETIMEFROMPARTS", Args: "year, month, day [, hour] [, minute] [, second] [, fraction]", least: 3, most: 7,
		Help: "the time of its parts, the fraction in units of 100 ns", list: dateTimeFromParts,
	},
	{
		Name: "DATETIMEBIN", Args: "time, unit [, size] [, origin]", least: 2, most: 4,
		Help: "the beginning of the bin of some units, counted from 1970 or an origin, that a time falls into", list: dateTimeBin,
	},
}

// clock makes a function that returns the time: of each call if it is volatile, else
// of the query.
func clock(name, help string, volatile bool, f func(time.Time) Value) *Function {
	return &Function{
		Name: name, Help: help, volatile: volatile,
		fixed: func([maxFixed]Value) Value { return f(time.Now().UTC()) },
	}
}

// ofTime makes a function of a time.
func ofTime(name, help string, f func(time.Time) Value) *Function {
	return &Function{
		Name: name, Args: "time", Help: help, least: 1, most: 1,
		fixed: func(args [maxFixed]Value) Value {
			t, ok := parseTime(args[0])
			if !ok {
				return Value{}
			}
			return f(t)
		},
	}
}

// fromNumber makes a function that turns a whole number into a time.
func fromNumber(name, args, help string, f func(int64) time.Time) *Function {
	return &Function{
		Name: name, Args: args, Help: help, least: 1, most: 1,
		fixed: func(args [maxFixed]Value) Value {
			n, ok := args[0].integer()
			if !ok || n > math.MaxInt64/2 || n < math.MinInt64/2 {
				return Value{}
			}
			return timeValue(f(n).UTC())
		},
	}
}

func dateTimeDiff(_ string, args []Value) (Value, error) {
	u, okUnit := unitOf(args[0])
	from, okFrom := parseTime(args[1])
	to, okTo := parseTime(args[2])
	if !okUnit || !okFrom || !okTo {
		return Value{}, nil
	}
	if u.tooFar(from, to) {
		return Value{}, fmt.Errorf("DATETIMEDIFF: the nanoseconds between %s and %s are beyond 64 bits", args[1].str, args[2].str)
	}
	return intValue(u.count(to) - u.count(from)), nil
}

func dateTimeFromParts(_ string, args []Value) (Value, error) {
	parts := [7]int64{}
	for i, v := range args {
		n, ok := v.integer()
		if !ok {
			return Value{}, nil
		}
		parts[i] = n
	}
	limits := [7]struct{ least, most int64 }{{1, 9999}, {1, 12}, {1, 31}, {0, 23}, {0, 59}, {0, 59}, {0, 9_999_999}}
	for i, n := range parts {
		if n < limits[i].least || n > limits[i].most {
			return Value{}, nil
		}
	}
	t := time.Date(int(parts[0]), time.Month(parts[1]), int(parts[2]), int(parts[3]), int(parts[4]), int(parts[5]), int(parts[6])*int(tick), time.UTC)
	if int64(t.Day()) != parts[2] {
		return Value{}, nil
	}
	return timeValue(t), nil
}

func dateTimeBin(_ string, args []Value) (Value, error) {
	t, okTime := parseTime(args[0])
	u, okUnit := unitOf(args[1])
	size, okSize := int64(1), true
	if len(args) > 2 {
		size, okSize = args[2].integer()
	}
	origin, okOrigin := time.Unix(0, 0).UTC(), true
	if len(args) > 3 {
		origin, okOrigin = parseTime(args[3])
		okOrigin = okOrigin && origin.Year() >= 1601
	}
	if !okTime || !okUnit || !okSize || !okOrigin || size <= 0 {
		return Value{}, nil
	}
	if u.tooFar(origin, t) {
		return Value{}, fmt.Errorf("DATETIMEBIN: the nanoseconds between the origin and %s are beyond 64 bits", args[0].str)
	}
	units := u.whole(origin, t)
	t, ok := u.add(origin, floorDiv(units, size)*size)
	if !ok {
		return Value{}, nil
	}
	return timeValue(t), nil
}
