package transport

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Event is a request of a history.
type Event struct {
	*Request
	At     time.Duration
	Status int
	ETag   string // in the answer
	Fate   Fate

	Unheard   bool   // nothing listens at its address
	Substatus string // in the answer
}

func (e Event) String() string {
	words := []string{fmt.Sprintf("%9s op %d: %s %s", e.At, e.Index, e.Method, e.URL.Path)}
	for _, more := range []string{e.Header.Get("x-ms-documentdb-partitionkey"), e.Header.Get("If-Match"), e.Header.Get("x-ms-documentdb-partitionkeyrangeid"), e.Region, e.Fate.String()} {
		if more != "" {
			words = append(words, more)
		}
	}
	text := strings.Join(append(words, "→", strconv.Itoa(e.Status)), " ")
	if len(e.Body) > 0 {
		text += "\n\t\t" + string(bytes.ReplaceAll(e.Body, []byte("\n"), []byte(" ")))
	}
	return text
}

// drawn matches ETags (activity ids), tokens of reservations and of moves, times, and seconds: of
// stored documents, and others since 2000.
var drawn = regexp.MustCompile(`([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})|\b([0-9a-f]{24})\b|(\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.]+Z)|"_ts":\d+|\b[A-Z2-7]{12}(?:[A-Z2-7]{14})?\b|\bvm-[A-Z2-7]{10}\b|\b9[4-9]\d{7}\b`)

// Plain returns a function that replaces random words and times by numbers, per kind in order of
// appearance. Equal words have equal numbers.
func Plain() func(text string) string {
	words, count := map[string]string{}, map[string]int{}
	return func(text string) string {
		return drawn.ReplaceAllStringFunc(text, func(word string) string {
			if words[word] == "" {
				kind := "token-"
				switch {
				case strings.HasPrefix(word, `"_ts":`):
					kind = `"_ts":second-`
				case len(word) == 9:
					kind = "second-"
				case len(word) == 36:
					kind = "etag-"
				case strings.Contains(word, ":"):
					kind = "time-"
				}
				count[kind]++
				words[word] = fmt.Sprintf("%s%d", kind, count[kind])
			}
			return words[word]
		})
	}
}

// Lines returns the history in the form of Plain.
func (a *Account) Lines() []string {
	out, plain := make([]string, len(a.History)), Plain()
	for i, e := range a.History {
		out[i] = plain(e.String())
	}
	return out
}

// Of returns the requests for a document.
func (a *Account) Of(id string) string {
	var b strings.Builder
	for _, e := range a.History {
		if strings.Contains(e.URL.Path, id) || bytes.Contains(e.Body, []byte(`"`+id+`"`)) {
			fmt.Fprintln(&b, "\t"+e.String())
		}
	}
	return b.String()
}
