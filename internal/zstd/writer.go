package zstd

import (
	"encoding/binary"
	"io"
	"math/bits"
)

// Sizes of a frame.
const (
	blockBytes  = 128 << 10 // the largest block (RFC 8878, 3.1.1.2.4)
	windowLog   = 20
	windowBytes = 1 << windowLog // how far matches reach
	hashLog     = 16
	leastMatch  = 5
)

// Writer packs a text as one frame with a checksum. It finds repetitions, and codes them
// by the tables that RFC 8878 defines; literals stay as they are. So it is fast and short,
// and documents of one kind take about twice the room that the program zstd needs. It is
// not safe for concurrent use.
type Writer struct {
	to       io.Writer
	buffer   []byte // the window, and text that is not packed yet
	packed   int    // of the buffer
	table    [1 << hashLog]int32
	sum      xxhash64
	out      []byte
	literals []byte
	found    []sequence
	begun    bool
}

// sequence is some literals, and a match after them.
type sequence struct{ literals, match, offset uint32 }

// NewWriter returns a writer of a frame. Close ends the frame, and not w.
func NewWriter(w io.Writer) *Writer {
	z := &Writer{to: w}
	z.sum.reset()
	return z
}

// Write packs text. It writes whole blocks only.
func (z *Writer) Write(text []byte) (int, error) {
	z.sum.update(text)
	written := len(text)
	for len(text) > 0 {
		n := min(len(text), z.packed+blockBytes-len(z.buffer))
		z.buffer = append(z.buffer, text[:n]...)
		if text = text[n:]; len(text) > 0 {
			if err := z.block(false); err != nil {
				return 0, err
			}
		}
	}
	return written, nil
}

// Close writes the last block and the checksum.
func (z *Writer) Close() error {
	if err := z.block(true); err != nil {
		return err
	}
	_, err := z.to.Write(binary.LittleEndian.AppendUint32(nil, uint32(z.sum.digest()))) //nolint:gosec // the lower half of it
	return err
}

// block writes the text that is not packed yet, in one block.
func (z *Writer) block(last bool) error {
	z.out = z.out[:0]
	if !z.begun {
		z.begun = true
		// The magic number, a descriptor that says there is a checksum, and the window.
		z.out = append(z.out, 0x28, 0xb5, 0x2f, 0xfd, 1<<2, (windowLog-10)<<3)
	}
	at := len(z.out)
	z.out = append(z.out, 0, 0, 0)
	text := z.buffer[z.packed:]
	z.match()
	z.out = append(z.out, byte(3<<2|len(z.literals)<<4), byte(len(z.literals)>>4), byte(len(z.literals)>>12)) // raw, 20 bits of size
	z.out = append(z.out, z.literals...)
	z.out = appendSequences(z.out, z.found)
	kind := uint32(2)
	if len(z.out)-at-3 >= len(text) {
		kind = 0
		z.out = append(z.out[:at+3], text...)
	}
	header := kind<<1 | uint32(len(z.out)-at-3)<<3 //nolint:gosec // at most 128 KiB
	if last {
		header |= 1
	}
	z.out[at], z.out[at+1], z.out[at+2] = byte(header), byte(header>>8), byte(header>>16)
	if z.packed = len(z.buffer); z.packed+blockBytes > windowBytes {
		kept := copy(z.buffer, z.buffer[len(z.buffer)-windowBytes/2:])
		z.buffer, z.packed = z.buffer[:kept], kept
		clear(z.table[:])
	}
	_, err := z.to.Write(z.out)
	return err
}

// hashAt returns where the table has the last place of five bytes.
func hashAt(text []byte, at int) uint32 {
	five := uint64(binary.LittleEndian.Uint32(text[at:])) | uint64(text[at+4])<<32
	return uint32(five * 0x9E3779B185EBCA87 >> (64 - hashLog)) //nolint:gosec // so many bits
}

// match finds the sequences of the block.
func (z *Writer) match() {
	text := z.buffer
	z.literals, z.found = z.literals[:0], z.found[:0]
	begin := z.packed // of literals
	for at := z.packed; at+leastMatch < len(text); {
		h := hashAt(text, at)
		from := int(z.table[h]) - 1
		z.table[h] = int32(at + 1) //nolint:gosec // within the window
		n := 0
		if from >= 0 {
			for at+n < len(text) && text[from+n] == text[at+n] {
				n++
			}
		}
		if n < leastMatch {
			at += 1 + (at-begin)>>8 // faster where nothing repeats
			continue
		}
		z.literals = append(z.literals, text[begin:at]...)
		z.found = append(z.found, sequence{uint32(at - begin), uint32(n), uint32(at - from)}) //nolint:gosec // within the window
		for end := at + n; at < end; at += 2 {
			if at+leastMatch < len(text) {
				z.table[hashAt(text, at)] = int32(at + 1) //nolint:gosec // within the window
			}
		}
		begin += int(z.found[len(z.found)-1].literals) + n
		at = begin
	}
	z.literals = append(z.literals, text[begin:]...)
}

// bitWriter writes bits, the lowest first; they are read from the end.
type bitWriter struct {
	out   []byte
	held  uint64
	count uint
}

func (b *bitWriter) add(value uint32, n uint) {
	b.held |= uint64(value&(1<<n-1)) << b.count
	for b.count += n; b.count >= 8; b.count -= 8 {
		b.out = append(b.out, byte(b.held))
		b.held >>= 8
	}
}

// appendSequences appends the section of sequences (RFC 8878, 3.1.1.3.2).
func appendSequences(out []byte, all []sequence) []byte {
	switch n := len(all); {
	case n < 128:
		out = append(out, byte(n))
	case n < 0x7F00:
		out = append(out, byte(n>>8)+128, byte(n))
	default:
		out = append(out, 255, byte(n-0x7F00), byte((n-0x7F00)>>8))
	}
	if len(all) == 0 {
		return out
	}
	b := bitWriter{out: append(out, 0)} // all three by the predefined tables
	var literals, matches, offsets fseState
	for i := len(all) - 1; i >= 0; i-- {
		s := all[i]
		ll, ml, of := codeOf(literalCodes[:], s.literals), codeOf(matchCodes[:], s.match), bits.Len32(s.offset+3)-1
		if i == len(all)-1 {
			matches.begin(matchEncoding, ml)
			offsets.begin(offsetEncoding, of)
			literals.begin(literalEncoding, ll)
		} else {
			offsets.encode(&b, of)
			matches.encode(&b, ml)
			literals.encode(&b, ll)
		}
		b.add(s.literals-literalCodes[ll].base, literalCodes[ll].bits)
		b.add(s.match-matchCodes[ml].base, matchCodes[ml].bits)
		b.add(s.offset+3-1<<of, uint(of)) //nolint:gosec // not negative
	}
	for _, s := range []*fseState{&matches, &offsets, &literals} {
		b.add(s.state, s.of.log)
	}
	b.add(1, 1)
	b.add(0, (8-b.count)%8)
	return b.out
}

// code is a range of lengths: from base on, as many as bits can say.
type code struct {
	base uint32
	bits uint
}

// The codes of lengths (RFC 8878, 3.1.1.3.2.1.1).
var (
	literalCodes = codes(0, []uint{
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
	})
	matchCodes = codes(3, []uint{
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
		1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
	})
)

// codes returns codes one after another.
func codes(base uint32, widths []uint) []code {
	all := make([]code, len(widths))
	for i, w := range widths {
		all[i] = code{base, w}
		base += 1 << w
	}
	return all
}

// codeOf returns the code of a length.
func codeOf(all []code, length uint32) int {
	low, high := 0, len(all)
	for low+1 < high {
		if middle := (low + high) / 2; all[middle].base <= length {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// fseEncoding is a table by which symbols are coded with states.
type fseEncoding struct {
	log     uint
	next    []uint16
	symbols []struct{ bits, find int32 }
}

// The predefined distributions (RFC 8878, 3.1.1.3.2.2).
var (
	literalEncoding = newEncoding(6, []int{4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1})
	matchEncoding   = newEncoding(6, []int{
		1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
		-1, -1, -1, -1, -1, -1, -1,
	})
	offsetEncoding = newEncoding(5, []int{1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1})
)

// newEncoding spreads symbols over states as decoders do (RFC 8878, 4.1.1).
func newEncoding(log uint, counts []int) *fseEncoding {
	size := 1 << log
	e := &fseEncoding{log: log, next: make([]uint16, size), symbols: make([]struct{ bits, find int32 }, len(counts))}
	owner := make([]int, size)
	first := make([]int, len(counts)+1)
	high := size - 1
	for s, n := range counts {
		if n < 0 {
			n, owner[high] = 1, s
			high--
		}
		first[s+1] = first[s] + n
	}
	at := 0
	for s, n := range counts {
		for range max(n, 0) {
			owner[at] = s
			for at = (at + size>>1 + size>>3 + 3) & (size - 1); at > high; {
				at = (at + size>>1 + size>>3 + 3) & (size - 1)
			}
		}
	}
	taken := append([]int(nil), first...)
	for state, s := range owner {
		e.next[taken[s]] = uint16(size + state) //nolint:gosec // at most 128
		taken[s]++
	}
	for s, n := range counts {
		n = max(n, -n)
		most := int(log) //nolint:gosec // at most 6
		if n > 1 {
			most -= bits.Len(uint(n-1)) - 1
		}
		e.symbols[s].bits = int32(most<<16 - n<<most) //nolint:gosec // small numbers
		e.symbols[s].find = int32(first[s] - n)       //nolint:gosec // small numbers
	}
	return e
}

// fseState is a state within a table.
type fseState struct {
	of    *fseEncoding
	state uint32
}

func (f *fseState) begin(of *fseEncoding, symbol int) {
	f.of = of
	s := of.symbols[symbol]
	n := uint32(s.bits+1<<15) >> 16                                    //nolint:gosec // not negative
	f.state = uint32(of.next[int32((n<<16-uint32(s.bits))>>n)+s.find]) //nolint:gosec // within the table
}

func (f *fseState) encode(b *bitWriter, symbol int) {
	s := f.of.symbols[symbol]
	n := (f.state + uint32(s.bits)) >> 16 //nolint:gosec // not negative
	b.add(f.state, uint(n))
	f.state = uint32(f.of.next[int32(f.state>>n)+s.find]) //nolint:gosec // within the table
}
