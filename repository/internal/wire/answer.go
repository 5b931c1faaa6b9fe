package wire

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	azruntime "github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/jsonscan"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// brokenAnswerError is why an answer cannot be used although its status is that of a
// success: its body was lost on the way, was cut off, or is about something else. The
// request is sent again, as after a connection that broke.
//
// azcosmos takes an empty body for a page without documents, or for an item of no bytes
// (UnmarshalAsJSON in azcore), so that a query would end early and a document would seem
// absent. The checks here compare an answer with its request and with the counts in its
// headers.
type brokenAnswerError struct {
	why string
}

func (b *brokenAnswerError) Error() string {
	return "the answer is broken: it was cut or changed on the way: " + b.why
}

// Unwrap returns what a body that ends early is to everybody else.
func (*brokenAnswerError) Unwrap() error { return io.ErrUnexpectedEOF }

// Broken returns the error about an answer that cannot be used.
func Broken(why string) error { return &brokenAnswerError{why} }

// IsBroken reports whether err is about an answer that cannot be used.
func IsBroken(err error) bool {
	if err == nil {
		return false // without an allocation
	}
	var own *brokenAnswerError
	return errors.As(err, &own)
}

// Reread calls read, and again if the answer is broken, as often as a write is
// sent again whose outcome is unclear.
func Reread(ctx context.Context, read func() error) error {
	return backoff.Policy{Most: 1 + MaxResends, Slow: UnclearPause, Again: IsBroken}.Do(ctx, read)
}

// checkItem returns an error unless raw is a document of this id in the version of the
// answer's ETag: what a read of one has to bring, and a write that has the document sent
// back. A cache may have an older body under the newest ETag, and a write on that ETag would
// undo what others have written since.
func checkItem(raw []byte, id string, tag azcore.ETag) error {
	if !jsonscan.Complete(raw) {
		return &brokenAnswerError{"it has no whole document"}
	}
	if found := text.Member(raw, IDPath[0]); found == nil || !jsonscan.Spells(found, id) {
		return &brokenAnswerError{"it has a document of another id, or of none"}
	}
	if version := text.Member(raw, ETagPath[0]); version != nil && !spellsETag(version, string(tag)) {
		return &brokenAnswerError{"it has a document of another ETag than its own"}
	}
	return nil
}

// spellsETag is jsonscan.Spells for ETags, which have quotes of their own. It allocates nothing
// for those of the service.
func spellsETag(version []byte, tag string) bool {
	if n := len(tag); n > 2 && tag[0] == '"' && tag[n-1] == '"' && len(version) == n+4 {
		own := tag[1 : n-1]
		if string(version[:3]) == `"\"` && string(version[3:n+1]) == own && string(version[n+1:]) == `\""` && !strings.ContainsAny(own, `\"`) {
			return true
		}
	}
	return jsonscan.Spells(version, tag)
}

// checkRead returns an error unless raw is the document that was read at p, of this ETag.
func (c *Container) checkRead(raw []byte, p Place, tag azcore.ETag) error {
	if err := checkItem(raw, p.ID, tag); err != nil {
		return err
	}
	return c.checkKey(raw, p.Value)
}

// checkKey returns an error unless a document has the partition key under which
// it was read.
func (c *Container) checkKey(raw []byte, key any) error {
	levels, ok := key.([]any)
	if !ok {
		return checkLevel(raw, c.Paths[0], key)
	}
	for i, level := range levels {
		if err := checkLevel(raw, c.Paths[i], level); err != nil {
			return err
		}
	}
	return nil
}

func checkLevel(raw []byte, path string, level any) error {
	found := raw
	for rest := path; rest != "" && found != nil; {
		var name string
		name, rest, _ = strings.Cut(strings.TrimPrefix(rest, "/"), "/")
		found = text.Member(found, jsonpointer.Unescape(name))
	}
	var same bool
	switch level := level.(type) {
	case string:
		same = len(found) > 1 && found[0] == '"' && jsonscan.Spells(found, level)
	default:
		var value any
		same = json.Unmarshal(found, &value) == nil && value == level
	}
	if !same {
		return &brokenAnswerError{"it has a document of another partition key; if that lasts, Ensure says what is wrong with the container"}
	}
	return nil
}

// CheckWritten checks the document in the answer to a write, if there has to be
// one: the service leaves it out where it is asked to, and of what was deleted.
func CheckWritten(response Answer, id string) error {
	raw := response.RawResponse
	if raw == nil || raw.Request == nil || raw.StatusCode == http.StatusNoContent || raw.StatusCode == http.StatusNotModified ||
		raw.Request.Header.Get("Prefer") == "return=minimal" {
		return nil
	}
	return checkItem(response.Value, id, response.ETag)
}

// CheckPage returns an error unless a page has as many items as its headers and
// its body count, each an object with the property of this name.
func CheckPage(response *http.Response, items [][]byte, property string) error {
	for _, item := range items {
		if property == "" && !bytes.HasPrefix(item, []byte("{")) || property != "" && text.Member(item, property) == nil {
			return &brokenAnswerError{"it has a document without " + cmp.Or(property, "properties")}
		}
	}
	return CheckValues(response, items)
}

// CheckValues is CheckPage of a query whose items are values of any type.
func CheckValues(response *http.Response, items [][]byte) error {
	body, err := azruntime.Payload(response) // it was read before
	if err != nil {
		return err
	}
	return checkList(response.Header, body, "Documents", len(items))
}

// CheckFeed returns an error unless an answer of a change feed says after which ETag the
// feed goes on, and has a whole page, as of CheckPage. Without an ETag the feed would begin
// again, or begin now where it has all versions.
func CheckFeed(response azcosmos.ChangeFeedResponse, property string) error {
	if response.ETag == "" {
		return &brokenAnswerError{"it has no ETag, after which the changes go on"}
	}
	if response.RawResponse.StatusCode == http.StatusNotModified {
		return nil
	}
	return CheckPage(response.RawResponse, response.Items, property)
}

// headerItemCount is written as Go keeps it, which saves an allocation.
const headerItemCount = "X-Ms-Item-Count"

// countUnknown is for lists whose elements, which have ids, are still to be counted.
const countUnknown = -1

// checkList returns an error unless body is an object with a list of this name,
// which is as long as it says itself and as its headers say. One that is empty has
// to say so.
func checkList(header http.Header, body []byte, name string, length int) error {
	said, ok := lastCount(body)
	if !ok || length < 1 {
		var err error
		if length, err = countList(body, name, length); err != nil {
			return err
		}
		if said, ok = count(text.Member(body, "_count")); !ok {
			said = length
		}
	}
	counted, sure := count([]byte(header.Get(headerItemCount)))
	if length == 0 && !ok && !sure {
		return &brokenAnswerError{"it has no " + name + " and does not say how many there are"}
	}
	if said != length || sure && counted != length {
		return &brokenAnswerError{"it has " + strconv.Itoa(length) + " " + name + " and says that there are " + strconv.Itoa(max(said, counted))}
	}
	return nil
}

// countList returns the length of the list of this name in body, which is the one
// that is known already, unless that is countUnknown.
func countList(body []byte, name string, length int) (int, error) {
	if !jsonscan.Complete(body) {
		return 0, &brokenAnswerError{"it has no whole page"}
	}
	list := text.Member(body, name)
	if len(list) == 0 || list[0] != '[' {
		return 0, &brokenAnswerError{"it has no list of " + name}
	}
	if length != countUnknown {
		return length, nil
	}
	all := text.Elements(list)
	if slices.ContainsFunc(all, func(one json.RawMessage) bool { return text.Member(one, IDPath[0]) == nil }) {
		return 0, &brokenAnswerError{"it has one of " + name + " without an id"}
	}
	return len(all), nil
}

// lastCount returns the _count with which a page ends, as those of the service do,
// false if it ends otherwise. Body is valid JSON, so that the quotes, which no
// backslash precedes, are those of a name in the outermost object.
func lastCount(body []byte) (int, bool) {
	const name = `"_count":`
	i := bytes.LastIndexByte(body, ':') + 1
	if i < len(name)+1 || string(body[i-len(name):i]) != name || body[i-len(name)-1] != ',' || !bytes.HasSuffix(body, []byte("}")) {
		return 0, false
	}
	return count(body[i : len(body)-1])
}

// count reads a number of elements.
func count(text []byte) (int, bool) {
	n, err := strconv.Atoi(string(text))
	return n, err == nil && n >= 0
}

// checkCommitted returns an error unless each operation of a batch that took effect
// has a result that says so. A read has its document, and writes have theirs where
// full has asked for these. Without either, the answer may have no body at all.
func checkCommitted(response azcosmos.TransactionalBatchResponse, operations []Operation, full bool) error {
	reads := slices.ContainsFunc(operations, func(o Operation) bool { return o.Op == OpGet })
	if body, err := azruntime.Payload(response.RawResponse); err != nil || len(body) == 0 && !full && !reads {
		return err
	}
	results := response.OperationResults
	if len(results) != len(operations) {
		return &brokenAnswerError{"it does not have a result for each operation"}
	}
	for i, result := range results {
		switch {
		case result.StatusCode < http.StatusOK || result.StatusCode >= http.StatusBadRequest:
			return &brokenAnswerError{"it has a result without a status"}
		case operations[i].Op == OpGet || full && operations[i].Op != OpDelete:
			if err := checkItem(result.ResourceBody, operations[i].ID, result.ETag); err != nil {
				return err
			}
		}
	}
	return nil
}

// Unparsed returns err as one of a broken answer if azcosmos had an answer and
// could not read it. What it returns for all else is of a type by which it is
// known, or was refused by the service.
func Unparsed(err error) error {
	if err == nil {
		return nil // without an allocation
	}
	var (
		response *azcore.ResponseError
		syntax   *json.SyntaxError
		kind     *json.UnmarshalTypeError
	)
	if errors.As(err, &response) {
		return err
	}
	if errors.As(err, &syntax) || errors.As(err, &kind) || strings.HasPrefix(err.Error(), "unmarshalling type ") {
		return &brokenAnswerError{"it is not JSON as it has to be"}
	}
	return err
}

// Content is the document that the answer to a write has, where the request asks
// for it (Prefer: return=representation). With a nil Content the
// request does not ask, and the answer has no body.
type Content struct{ body []byte }

// Options returns o, which may be nil, as the options of a request that asks for c.
func (c *Content) Options(o *azcosmos.ItemOptions) *azcosmos.ItemOptions {
	if c == nil {
		return o
	}
	if o == nil {
		o = &azcosmos.ItemOptions{}
	}
	o.EnableContentResponseOnWrite = true
	return o
}

// Keep notes what the answer to a write has, and returns it.
func (c *Content) Keep(response Answer, err error) (Answer, error) {
	if c != nil && err == nil {
		c.body = response.Value
	}
	return response, err
}

// Document returns what the answer has, empty if it has none.
func (c *Content) Document() []byte { return c.body }

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

// StatusOf returns the status of the answer in err, or 0 if there was none.
func StatusOf(err error) int {
	var response *azcore.ResponseError
	if errors.As(err, &response) {
		return response.StatusCode
	}
	return 0
}
