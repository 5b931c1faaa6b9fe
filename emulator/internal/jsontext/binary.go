package jsontext

import (
	"encoding/binary"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// binaryMark is the first byte of JSON in the binary form of the service.
const binaryMark = 0x80

// Text returns JSON as text. The SDK for Rust writes items in binary JSON by default. In
// binary JSON a byte gives the type of the value that follows, and the lowest byte of lengths
// and numbers comes first. Text reads the types that the SDK writes and their shorter forms,
// and refuses the types that compress texts. It returns a body that is text as it is, even if
// that is not JSON.
func Text(body []byte) ([]byte, error) {
	if len(body) == 0 || body[0] != binaryMark {
		return body, nil
	}
	r := binaryReader{in: body, pos: 1, out: make([]byte, 0, 2*len(body))}
	if err := r.value(len(body), 0); err != nil {
		return nil, err
	}
	if r.pos != len(body) {
		return nil, status.BadRequest("The binary JSON of the body is invalid: its value ends before byte %d.", r.pos)
	}
	return r.out, nil
}

// binaryReader converts binary JSON at a position to text, and appends it.
type binaryReader struct {
	in  []byte
	pos int
	out []byte
}

// value reads a value that ends before end. depth is its number of enclosing objects and
// arrays.
func (r *binaryReader) value(end, depth int) error {
	mark, err := r.number(1, end)
	if err != nil {
		return err
	}
	switch {
	case mark < 0x20:
		r.out = strconv.AppendUint(r.out, mark, 10)
	case mark >= 0x80 && mark < 0xc0:
		return r.string(mark-0x80, end)
	case mark >= 0xc0 && mark <= 0xc2:
		length, err := r.number(1<<(mark-0xc0), end)
		if err != nil {
			return err
		}
		return r.string(length, end)
	case mark >= 0xc7 && mark <= 0xcc:
		return r.scalar(mark, end)
	case mark == 0xd0:
		r.out = append(r.out, "null"...)
	case mark == 0xd1:
		r.out = append(r.out, "false"...)
	case mark == 0xd2:
		r.out = append(r.out, "true"...)
	case mark >= 0xe0 && mark <= 0xe7:
		return r.container(mark-0xe0, '[', ']', end, depth+1)
	case mark >= 0xe8 && mark <= 0xef:
		return r.container(mark-0xe8, '{', '}', end, depth+1)
	default:
		return status.Unsupported("the type 0x%02x of binary JSON, at byte %d of the body", mark, r.pos-1)
	}
	return nil
}

// scalar reads a number that follows its mark.
func (r *binaryReader) scalar(mark uint64, end int) error {
	size := map[uint64]int{0xc7: 8, 0xc8: 1, 0xc9: 2, 0xca: 4, 0xcb: 8, 0xcc: 8}[mark]
	n, err := r.number(size, end)
	if err != nil {
		return err
	}
	switch mark {
	case 0xc7, 0xc8:
		r.out = strconv.AppendUint(r.out, n, 10)
	case 0xc9:
		r.out = strconv.AppendInt(r.out, int64(int16(n)), 10)
	case 0xca:
		r.out = strconv.AppendInt(r.out, int64(int32(n)), 10)
	case 0xcb:
		r.out = strconv.AppendInt(r.out, int64(n), 10)
	case 0xcc:
		f := math.Float64frombits(n)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return status.BadRequest("The number %v is out of the range of a 64-bit floating point number.", f)
		}
		r.out = AppendNumber(r.out, f)
	}
	return nil
}

// container reads the values of an array, or the members of an object. Form 0 is empty, and
// form 1 has one value. Forms 2 to 4 begin with the length in 1, 2 or 4 bytes. Forms 5 to 7
// begin with the length and the count, each in 1, 2 or 4 bytes.
func (r *binaryReader) container(form uint64, first, last byte, end, depth int) error {
	if depth > maxDepth {
		return errTooDeep()
	}
	one, count := form == 1, uint64(0)
	switch {
	case form == 0:
		end = r.pos
	case form > 1:
		size := 1 << ((form - 2) % 3)
		length, err := r.number(size, end)
		if err != nil {
			return err
		}
		if form > 4 {
			if count, err = r.number(size, end); err != nil {
				return err
			}
		}
		if length > uint64(end-r.pos) {
			return errEnds()
		}
		end = r.pos + int(length)
	}
	r.out = append(r.out, first)
	n := uint64(0)
	for ; r.pos < end && (!one || n == 0); n++ {
		if n > 0 {
			r.out = append(r.out, ',')
		}
		if first == '{' {
			if err := r.name(end, depth); err != nil {
				return err
			}
		}
		if err := r.value(end, depth); err != nil {
			return err
		}
	}
	if one && n == 0 {
		return errEnds()
	}
	if form > 4 && n != count {
		return status.BadRequest("The binary JSON of the body is invalid: the count before byte %d is %d, but %d values follow.", r.pos, count, n)
	}
	r.out = append(r.out, last)
	return nil
}

// name reads the name of a member, and writes the colon after it.
func (r *binaryReader) name(end, depth int) error {
	from := len(r.out)
	if err := r.value(end, depth); err != nil {
		return err
	}
	if r.out[from] != '"' {
		return status.BadRequest("The binary JSON of the body is invalid: the name of a member before byte %d is no text.", r.pos)
	}
	r.out = append(r.out, ':')
	return nil
}

// string reads a string of length bytes.
func (r *binaryReader) string(length uint64, end int) error {
	if length > uint64(end-r.pos) {
		return errEnds()
	}
	text := r.in[r.pos : r.pos+int(length)]
	r.pos += len(text)
	if !utf8.Valid(text) {
		return errNotObject()
	}
	r.out = append(r.out, '"')
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			r.out = append(r.out, '\\', c)
		case c < 0x20:
			const digits = "0123456789abcdef"
			r.out = append(r.out, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		default:
			r.out = append(r.out, c)
		}
	}
	r.out = append(r.out, '"')
	return nil
}

// number reads a number of 1, 2, 4 or 8 bytes without a sign.
func (r *binaryReader) number(size, end int) (uint64, error) {
	if size > end-r.pos {
		return 0, errEnds()
	}
	var bytes [8]byte
	copy(bytes[:], r.in[r.pos:r.pos+size])
	r.pos += size
	return binary.LittleEndian.Uint64(bytes[:]), nil
}

// errEnds is the error for binary JSON that ends within a value.
func errEnds() error {
	return status.BadRequest("The binary JSON of the body is invalid: it ends within a value.")
}
