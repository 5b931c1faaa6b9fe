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

// brokenAnswerError is the reason why an answer with a success status is unusable: its body
// was lost on the way, was cut off, or is about something else. The request is sent again, as
// after a broken connection.
//
// azcosmos treats an empty body as a page without documents, or as an item of no bytes
// (UnmarshalAsJSON in azcore), so that a query would end early and a document would seem
// absent. The checks here compare an answer with its request and with the counts in its
// headers.
type brokenAnswerError struct {
	why string
}

func (b *brokenAnswerError) Error() string {
	return "the answer is broken: it was cut or changed on the way: " + b.why
}

// Unwrap returns the usual error of a body that ends early.
func (*brokenAnswerError) Unwrap() error { return io.ErrUnexpectedEOF }

// Broken returns the error for an unusable answer.
func Broken(why string) error { return &brokenAnswerError{why} }

// IsBroken reports whether err is about an unusable answer.
func IsBroken(err error) bool {
	if err == nil {
		return false // without an allocation
	}
	var own *brokenAnswerError
	return errors.As(err, &own)
}

// Reread calls read, and repeats it while the answer is broken, as often as a write with an
// unclear outcome is sent again.
func Reread(ctx context.Context, read func() error) error {
	return backoff.Policy{Most: 1 + MaxResends, Slow: UnclearPause, Again: IsBroken}.Do(ctx, read)
}

// checkItem returns an error unless raw is a document with this id and the ETag of the answer:
// the result of a point read, or of a write that returns the document. A cache may combine an
// older body with the newest ETag, and a write with that ETag would undo other writes.
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

// spellsETag is jsonscan.Spells for ETags, which include quotes. It allocates nothing for the
// ETags of the service.
func spellsETag(version []byte, tag string) bool {
	if n := len(tag); n > 2 && tag[0] == '"' && tag[n-1] == '"' && len(version) == n+4 {
		own := tag[1 : n-1]
		if string(version[:3]) == `"\"` && string(version[3:n+1]) == own && string(version[n+1:]) == `\""` && !strings.ContainsAny(own, `\"`) {
			return true
		}
	}
	return jsonscan.Spells(version, tag)
}

// checkRead returns an error unless raw is the document at p, with this ETag.
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

// CheckWritten checks the document in the answer to a write, if there must be one: the service
// omits it on request, and after a deletion.
func CheckWritten(response Answer, id string) error {
	raw := response.RawResponse
	if raw == nil || raw.Request == nil || raw.StatusCode == http.StatusNoContent || raw.StatusCode == http.StatusNotModified ||
		raw.Request.Header.Get("Prefer") == "return=minimal" {
		return nil
	}
	return checkItem(response.Value, id, response.ETag)
}

// CheckPage returns an error unless a page has as many items as its headers and its body
// claim, each an object with this property.
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
	body, err := azruntime.Payload(response) // the body was read before
	if err != nil {
		return err
	}
	return checkList(response.Header, body, "Documents", len(items))
}

// CheckFeed returns an error unless an answer of a change feed has an ETag with which the feed
// continues, and a whole page as in CheckPage. Without an ETag, the feed would start again, or
// start now in the mode of all versions.
func CheckFeed(response azcosmos.ChangeFeedResponse, property string) error {
	if response.ETag == "" {
		return &brokenAnswerError{"it has no ETag, after which the changes go on"}
	}
	if response.RawResponse.StatusCode == http.StatusNotModified {
		return nil
	}
	return CheckPage(response.RawResponse, response.Items, property)
}

// headerItemCount is in Go's canonical form, which saves an allocation.
const headerItemCount = "X-Ms-Item-Count"

// countUnknown is the length of a list whose elements, which have ids, have not been counted.
const countUnknown = -1

// checkList returns an error unless body is an object with a list of this name whose length
// agrees with the counts in the body and in the headers. An empty list must come with a count.
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

// countList returns the length of the list of this name in body. It counts the elements only
// if length is countUnknown.
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

// lastCount returns the _count at the end of a page, where the service writes it, and false if
// the page ends otherwise. body must be valid JSON: then quotes without a backslash delimit a
// name in the outermost object.
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

// checkCommitted returns an error unless each operation of a committed batch has a successful
// result. A read must have its document, and so must a write if full is true. Otherwise the
// answer may have no body at all.
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

// Unparsed returns err as a broken answer if azcosmos received an answer but could not parse
// it. All other errors of azcosmos have a known type, or come from the service.
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

// Content is the document in the answer to a write that requests it (Prefer:
// return=representation). With a nil Content, the request does not ask for it, and the answer
// has no body.
type Content struct{ body []byte }

// Options returns the options of a request for the content. o may be nil.
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

// Keep stores the document of an answer, and returns the answer.
func (c *Content) Keep(response Answer, err error) (Answer, error) {
	if c != nil && err == nil {
		c.body = response.Value
	}
	return response, err
}

// Document returns the document of the answer, or nil if it has none.
func (c *Content) Document() []byte { return c.body }

// ErrNoDate is the error of an answer without a readable Date header.
var ErrNoDate = errors.New("the service does not say what time it is, in the header Date")

// DateOf returns the time of an answer in whole seconds, from the header Date, which uses the
// same clock as _ts. It returns ErrNoDate if there is no answer, and if the header is missing
// or unreadable.
//
// A caller returns the error if the time decides whether something is removed, or which
// documents a query returns. Other callers do without the time: they wait as long as may be
// necessary, or leave a time to live unchanged.
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
