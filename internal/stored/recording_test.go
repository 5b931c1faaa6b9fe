package stored

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// recording is what was stored during the operations of a scenario: the text form of a file
// in testdata.
type recording struct {
	texts map[string]string
	stops []stop
}

// stop is a state in which all processes stopped.
type stop struct {
	at      time.Time
	steps   int      // of the scenario, which had been acknowledged
	within  bool     // the next step had begun
	what    string   // the request whose effect was the last
	handled []string // what processors had handled since the stop before
	changes []change // since the stop before
}

func (s stop) String() string {
	return fmt.Sprintf("after step %d, %s", s.steps, s.what)
}

// firstLine is the first line of each file.
const firstLine = "pkgen stored 1"

// text returns the file. About says what it holds.
func (r *recording) text(about string) []byte {
	var b bytes.Buffer
	fmt.Fprintln(&b, firstLine)
	for line := range strings.Lines(about) {
		fmt.Fprintf(&b, "# %s\n", strings.TrimSpace(line))
	}
	for _, s := range r.stops {
		fmt.Fprintf(&b, "\nstop %s %d %t %s\n", s.at.UTC().Format(time.RFC3339Nano), s.steps, s.within, s.what)
		for _, name := range s.handled {
			fmt.Fprintf(&b, "handled %s\n", name)
		}
		for _, c := range s.changes {
			if c.value == nil {
				fmt.Fprintf(&b, "drop %s %s\n", c.table, hexOf([]byte(c.key)))
				continue
			}
			// A record is a checksum of 4 bytes, for documents a number of 8, and JSON.
			head, rest := c.value, []byte(nil)
			if i := bytes.IndexByte(c.value, '{'); i >= 0 && printable(c.value[i:]) {
				head, rest = c.value[:i], c.value[i:]
			}
			fmt.Fprintf(&b, "put %s %s %s %s\n", c.table, hexOf([]byte(c.key)), hexOf(head), rest)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.texts)) {
		fmt.Fprintf(&b, "\ntext %s %s\n", name, strconv.Quote(r.texts[name]))
	}
	return b.Bytes()
}

func printable(b []byte) bool {
	return !bytes.ContainsFunc(b, func(r rune) bool { return r < ' ' || r == 0x7f || r == 0xfffd })
}

// hexOf is never empty, so that a line has a fixed number of words.
func hexOf(b []byte) string { return "x" + hex.EncodeToString(b) }

func unhex(word string) ([]byte, error) { return hex.DecodeString(strings.TrimPrefix(word, "x")) }

// parse reads a file.
func parse(text []byte) (*recording, error) {
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 4<<20)
	if !lines.Scan() || lines.Text() != firstLine {
		return nil, fmt.Errorf("the first line is not %q", firstLine)
	}
	r := &recording{texts: map[string]string{}}
	for n := 2; lines.Scan(); n++ {
		if err := r.line(lines.Text()); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	return r, lines.Err()
}

func (r *recording) line(line string) (err error) {
	kind, rest, _ := strings.Cut(line, " ")
	words := strings.SplitN(rest, " ", 4)
	var last *stop
	if len(r.stops) > 0 {
		last = &r.stops[len(r.stops)-1]
	}
	switch {
	case kind == "" || kind == "#":
	case kind == "stop" && len(words) == 4:
		s := stop{what: words[3], within: words[2] == "true"}
		if s.at, err = time.Parse(time.RFC3339Nano, words[0]); err == nil {
			s.steps, err = strconv.Atoi(words[1])
		}
		r.stops = append(r.stops, s)
	case kind == "handled" && last != nil:
		last.handled = append(last.handled, rest)
	case kind == "put" && last != nil && len(words) == 4, kind == "drop" && last != nil && len(words) == 2:
		c := change{table: words[0]}
		key, err := unhex(words[1])
		if err != nil {
			return err
		}
		if c.key = string(key); kind == "put" {
			if c.value, err = unhex(words[2]); err != nil {
				return err
			}
			c.value = append(c.value, words[3]...)
		}
		last.changes = append(last.changes, c)
	case kind == "text" && len(words) >= 2:
		name, quoted, _ := strings.Cut(rest, " ")
		r.texts[name], err = strconv.Unquote(quoted)
	default:
		return fmt.Errorf("it has no meaning: %.40q", line)
	}
	return err
}
