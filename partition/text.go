package partition

import (
	"encoding"
	"errors"
	"time"
)

// AppendTime appends the text of a time component: t in UTC in a layout of package time. The
// layout should have a fixed width, the year and every coarser unit, so that texts sort like
// times. AppendTime also writes times that [Time] refuses.
//
// It does not allocate if b has room, and is safe for concurrent use.
func AppendTime(b []byte, t time.Time, layout string) []byte {
	return t.UTC().AppendFormat(b, layout)
}

// AppendText appends the text form of v: with AppendText if v has the method (see
// [encoding.TextAppender]), otherwise with MarshalText. If v is nil, or the method fails or
// panics, it appends nothing, since a method PartitionKey cannot return an error; [Check] with
// [Marshaled] refuses such a value before a request. It does not panic.
//
// The text of v must depend only on v, or stored documents are not found. It costs one
// allocation for the call through an interface, and the costs of the method. It is as safe for
// concurrent use as that method.
func AppendText[T encoding.TextMarshaler](b []byte, v T) []byte {
	into := b
	if into == nil {
		into = []byte{} // which marshal copies to
	}
	if text, err := marshal(into, v); err == nil {
		return text
	}
	return b
}

// errNil is the cause for a component that is a nil interface.
var errNil = errors.New("the value is nil")

// marshal appends the text form of v to b; if b is nil the result may be v's own. It returns a
// panic of v's method as an error, without its text, which may contain the value.
func marshal[T encoding.TextMarshaler](b []byte, v T) (text []byte, err error) {
	method := "MarshalText"
	defer func() {
		if p := recover(); p != nil {
			err = errors.New(method + " panicked")
		}
	}()
	value := any(v)
	if value == nil {
		return nil, errNil
	}
	if appender, ok := value.(encoding.TextAppender); ok {
		method = "AppendText"
		text, err = appender.AppendText(b)
	} else if text, err = v.MarshalText(); err == nil && b != nil {
		text = append(b, text...)
	}
	if err != nil {
		return nil, errors.New(method + " failed")
	}
	return text, nil
}
