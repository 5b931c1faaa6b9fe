package main

import "strconv"

// object appends the members of a JSON object. Names and texts have no byte that JSON
// would escape.
type object []byte

// name appends the name of the next member.
func (o object) name(name string) object {
	if last := o[len(o)-1]; last != '{' {
		o = append(o, ',')
	}
	o = append(o, '"')
	o = append(o, name...)
	return append(o, '"', ':')
}

func (o object) text(name, value string) object {
	o = append(o.name(name), '"')
	o = append(o, value...)
	return append(o, '"')
}

func (o object) moment(name string, at moment) object {
	return append(object(at.append(append(o.name(name), '"'))), '"')
}

func (o object) number(name string, value int) object {
	return strconv.AppendInt(o.name(name), int64(value), 10)
}

// decimal appends value divided by ten to the power of digits.
func (o object) decimal(name string, value, digits int) object {
	o = o.name(name)
	if value < 0 {
		o = append(o, '-')
		value = -value
	}
	unit := 1
	for range digits {
		unit *= 10
	}
	o = strconv.AppendInt(o, int64(value/unit), 10)
	o = append(o, '.')
	return appendDigits(o, uint64(value%unit), digits)
}

func (o object) boolean(name string, value bool) object {
	return strconv.AppendBool(o.name(name), value)
}

// open begins an object within the object, which close ends.
func (o object) open(name string) object { return append(o.name(name), '{') }

func (o object) close() object { return append(o, '}') }

// uuid appends a UUID of version 4 with the bits of two numbers.
func (o object) uuid(name string, a, b uint64) object {
	a = a&^(0xf<<12) | 4<<12
	b = b&^(3<<62) | 2<<62
	o = append(o.name(name), '"')
	o = appendHex(o, a>>32, 8)
	o = appendHex(append(o, '-'), a>>16, 4)
	o = appendHex(append(o, '-'), a, 4)
	o = appendHex(append(o, '-'), b>>48, 4)
	o = appendHex(append(o, '-'), b, 12)
	return append(o, '"')
}

// appendDigits appends the last digits of a number.
func appendDigits(b []byte, n uint64, digits int) []byte {
	for range digits {
		b = append(b, '0')
	}
	for i := len(b) - 1; i >= len(b)-digits; i-- {
		b[i] = byte('0' + n%10)
		n /= 10
	}
	return b
}

// appendHex appends the last digits of a number in base 16.
func appendHex(b []byte, n uint64, digits int) []byte {
	for i := digits - 1; i >= 0; i-- {
		b = append(b, "0123456789abcdef"[n>>(4*i)&15])
	}
	return b
}
