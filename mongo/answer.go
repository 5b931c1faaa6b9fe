package mongo

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	driver "go.mongodb.org/mongo-driver/v2/mongo"

	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// Codes of servers. Cosmos DB's are on Microsoft's page "Troubleshoot common issues in Azure
// Cosmos DB's API for MongoDB", the others in MongoDB's src/mongo/base/error_codes.yml.
const (
	codeDuplicateKey    = 11000
	codeThrottled       = 16500
	codeTimeLimit       = 50  // the request ran longer than the service allows
	codeWriteConflict   = 112 // nothing was written
	codeNotPrimary      = 10107
	codeNotPrimaryNoOK  = 13435
	codeObjectTooLarge  = 10334
	codeDocumentTooLong = 17419 // a document after an update
	codeNamespaceExists = 48

	codeCommandNotFound       = 59
	codeCommandNotSupported   = 115
	codeIndexOptionsConflict  = 85
	codeIndexKeySpecsConflict = 86
)

// unknown are the codes after which a write may have taken effect: the server or its network
// failed.
var unknown = map[int]bool{
	codeTimeLimit: true, 1: true, 8: true, 6: true, 7: true, 89: true, 91: true, 189: true, 262: true, 9001: true, 11600: true, 11602: true,
}

// sends describes the commands of one collection.
type sends struct {
	// monitored reports that the monitor of Configure has seen a command, and so sees all of
	// them.
	monitored atomic.Bool
}

// one sends one command with f, and returns its error as an answer.
func (s *sends) one(ctx context.Context, f func(context.Context) error) error {
	ctx, p := probed(ctx)
	err := f(ctx)
	if p.sent && !s.monitored.Load() {
		s.monitored.Store(true)
	}
	if err == nil {
		return nil
	}
	return s.answer(err, p)
}

// answer returns a driver's error as an answer.
func (s *sends) answer(err error, p *probe) error {
	var already *failure.Answer
	if errors.As(err, &already) {
		return err
	}
	a := &failure.Answer{Err: err}
	if w := (driver.WriteException{}); errors.As(err, &w) && w.WriteConcernError != nil && len(w.WriteErrors) == 0 {
		// The write took effect on the server that responds, and may be lost with it.
		a.Code, a.Unanswered = strconv.Itoa(w.WriteConcernError.Code), true
		return a
	}
	var server driver.ServerError
	if errors.As(err, &server) {
		if codes := server.ErrorCodes(); len(codes) > 0 && codes[0] != 0 {
			s.coded(a, server, codes[0])
			return a
		}
	}
	switch {
	case p.sent:
		a.Unanswered = true
	case isSelection(err): // after the driver's time limit
	case s.monitored.Load():
		a.Unsent = !driver.IsTimeout(err)
	default: // it is unknown whether it was sent
		a.Unanswered = driver.IsNetworkError(err) || driver.IsTimeout(err)
	}
	if isTooLarge(err) {
		a.Kind, a.Unanswered, a.Unsent = failure.ErrTooLarge, false, false
	}
	return a
}

// coded sets the meaning of the code of a server's response.
func (s *sends) coded(a *failure.Answer, err driver.ServerError, code int) {
	a.Code = strconv.Itoa(code)
	switch {
	case driver.IsDuplicateKeyError(err):
		a.Kind = failure.ErrAlreadyExists
	case err.HasErrorCode(codeThrottled):
		a.Kind, a.Unsent, a.After = failure.ErrThrottled, true, retryAfter(err.Error())
	case code == codeWriteConflict, code == codeNotPrimary, code == codeNotPrimaryNoOK:
		a.Unsent = true
	case code == codeObjectTooLarge, code == codeDocumentTooLong, isTooLarge(err):
		a.Kind = failure.ErrTooLarge
	case unknown[code]:
		a.Unanswered = true
	}
}

var retryAfterMs = regexp.MustCompile(`RetryAfterMs=(\d{1,7})`)

// retryAfter returns the wait requested in the text of code 16500, or 0.
func retryAfter(text string) time.Duration {
	m := retryAfterMs.FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	ms, _ := strconv.Atoi(m[1]) // at most seven digits
	return time.Duration(ms) * time.Millisecond
}

// isTooLarge reports whether an error means that a document is too large. Cosmos DB's gateway
// and the driver have only texts for that.
func isTooLarge(err error) bool {
	text := err.Error()
	return strings.Contains(text, "Request size is too large") ||
		strings.Contains(text, "RequestEntityTooLarge") ||
		strings.Contains(text, "an inserted document is too large")
}

// isSelection reports whether the driver found no server.
func isSelection(err error) bool { return strings.Contains(err.Error(), "server selection") }
