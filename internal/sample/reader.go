package sample

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// MaxBytes is the maximum length of a document: 2 MiB. Azure Cosmos DB takes items of 2 MB
// (https://learn.microsoft.com/azure/cosmos-db/concepts-limits#per-item-limits).
const MaxBytes = 2 << 20

// bufferBytes is the size of a read.
const bufferBytes = 64 << 10

// Reader reads documents one by one. It is not safe for concurrent use, and needs a few MiB: for
// the longest document, and the window of Zstandard.
type Reader struct {
	in    *bufio.Reader
	array bool
	ended bool
	line  int64 // the line of the next byte, from 1
	long  []byte
	stack []byte // open brackets of an element
}

// Document is a document of the input.
type Document struct {
	// Text has no surrounding white space, and is valid until the next call of Next. It is nil if
	// there is a Problem.
	Text []byte
	// Line is the line of its beginning, from 1, after decompression.
	Line int64
	// Problem says why the text is no document, as the predicate of a sentence: "is longer than 2
	// MiB". Otherwise it is "".
	Problem string
}

// NewReader returns a reader of documents. It reads the first bytes to detect the format. It
// returns an error if the input fails, or is broken compressed data.
func NewReader(r io.Reader) (*Reader, error) {
	in := bufio.NewReaderSize(r, bufferBytes)
	unpacked, err := unpack(in)
	if err != nil {
		return nil, err
	}
	s := &Reader{in: unpacked, line: 1}
	if mark, _ := s.in.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		_, _ = s.in.Discard(len(byteOrderMark)) // the bytes are in the buffer
	}
	first, err := s.skip(space)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, s.failure(err)
	}
	if first == '[' {
		s.array = true
		_, _ = s.in.Discard(1) // the byte is in the buffer
	}
	return s, nil
}

// byteOrderMark may begin a text from Windows.
const byteOrderMark = "\uFEFF"

// mostWindow is the maximum window of Zstandard in bytes. RFC 8878 (section 3.1.1.1.2) recommends
// that readers support 8 MiB; zstd --long needs 128 MiB.
const mostWindow = 128 << 20

// unpack decompresses input if necessary.
func unpack(in *bufio.Reader) (*bufio.Reader, error) {
	head, err := in.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}): // RFC 1952
		unzipped, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("the input begins like gzip, but is not: %w", err)
		}
		return bufio.NewReaderSize(unzipped, bufferBytes), nil
	case bytes.Equal(head, []byte{0x28, 0xb5, 0x2f, 0xfd}), // RFC 8878
		len(head) == 4 && head[0]&0xf0 == 0x50 && bytes.Equal(head[1:], []byte{0x2a, 0x4d, 0x18}): // a skippable frame
		// A decoder with concurrency 1 has no goroutines, and need not be closed.
		unpacked, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(mostWindow))
		if err != nil {
			return nil, fmt.Errorf("the input begins like Zstandard, but is not: %w", err)
		}
		return bufio.NewReaderSize(unpacked, bufferBytes), nil
	}
	return in, nil
}

// Next returns the next document, and io.EOF after the last one. Any other error concerns the
// input, and is final. It does not allocate, unless a document is longer than all before it.
func (s *Reader) Next() (Document, error) {
	if s.ended {
		return Document{}, io.EOF
	}
	if s.array {
		return s.element()
	}
	for {
		d, err := s.textLine()
		if err != nil || len(d.Text) > 0 || d.Problem != "" {
			return d, err
		}
	}
}

// The problems of texts.
const (
	tooLong  = "is longer than 2 MiB, which no document can be"
	unclosed = "does not end: the input ends first"
	after    = "follows the end of the array"
)

// textLine reads a line, which may be blank.
func (s *Reader) textLine() (Document, error) {
	d := Document{Line: s.line}
	text, err := s.in.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		s.long = s.long[:0]
		for errors.Is(err, bufio.ErrBufferFull) {
			if d.Problem == "" && len(s.long)+len(text) <= MaxBytes {
				s.long = append(s.long, text...)
			} else {
				d.Problem = tooLong
			}
			text, err = s.in.ReadSlice('\n')
		}
		s.long = append(s.long, text...)
		text = s.long
	}
	switch {
	case errors.Is(err, io.EOF) && (len(text) > 0 || d.Problem != ""):
		s.ended = true
	case err != nil:
		return Document{}, s.failure(err)
	}
	s.line++
	text = bytes.Trim(text, space)
	if len(text) > MaxBytes {
		d.Problem = tooLong
	}
	if d.Problem == "" {
		d.Text = text
	}
	return d, nil
}

// failure returns an error for a failing input.
func (s *Reader) failure(err error) error {
	s.ended = true
	if errors.Is(err, io.EOF) {
		return io.EOF
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("reading line %d: the compressed input is cut short, or other data follows it: write it again: %w", s.line, err)
	}
	return fmt.Errorf("reading line %d: %w", s.line, err)
}

// space is the white space of JSON.
const space = " \t\r\n"

// skip skips bytes, and peeks at the first other one.
func (s *Reader) skip(over string) (byte, error) {
	for {
		b, err := s.in.ReadByte()
		if err != nil {
			return 0, err
		}
		if strings.IndexByte(over, b) < 0 {
			return b, s.in.UnreadByte()
		}
		if b == '\n' {
			s.line++
		}
	}
}
