package wire

import (
	"errors"
	"net/http"
	"time"
)

// ErrNoDate is the error of an answer that does not say when the service gave it.
var ErrNoDate = errors.New("the service does not say what time it is, in the header Date")

// DateOf returns when the service gave an answer, by the header Date: in whole seconds,
// by the clock that _ts has, too. It returns ErrNoDate if there is no answer, and if the
// header is missing or cannot be read.
//
// A caller for whom time decides whether something is removed, or which documents a
// query has, returns the error. Another one does without: it waits as long as may be
// necessary, or leaves a time to live as it is.
func DateOf(answer *http.Response) (time.Time, error) {
	if answer == nil {
		return time.Time{}, ErrNoDate
	}
	date, err := http.ParseTime(answer.Header.Get("Date"))
	if err != nil {
		return time.Time{}, ErrNoDate
	}
	return date, nil
}
