package wire

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	azruntime "github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/streaming"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/containers"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/internal/jsonscan"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// Retries for a fan-out. The SDK's default of three retries gives up on a throttled partition
// after a few seconds. A delay requested by the service beyond MaxRetryDelay ends the retries
// at once.
const (
	maxRetries    = 9 // the other Cosmos SDKs allow as many for a throttled request
	maxRetryDelay = 30 * time.Second
)

// retryStatuses is the SDK's own list, which a custom list replaces, and 449.
var retryStatuses = []int{
	http.StatusRequestTimeout,
	http.StatusTooManyRequests,
	failure.StatusRetryWith,
	http.StatusInternalServerError,
	http.StatusBadGateway,
	http.StatusServiceUnavailable,
	http.StatusGatewayTimeout,
}

// AddPolicies sets the retries, unless the caller has set them, and adds the policies of this
// package and of package route, unless they are present. Only this function defines their
// order: policies per call come before the SDK's retries, policies per retry after them, and
// both after the caller's own.
func AddPolicies(c *azcosmos.ClientOptions) {
	if c.Retry.MaxRetries == 0 {
		c.Retry.MaxRetries = maxRetries
	}
	if c.Retry.MaxRetryDelay == 0 {
		c.Retry.MaxRetryDelay = maxRetryDelay
	}
	if c.Retry.StatusCodes == nil {
		c.Retry.StatusCodes = slices.Clone(retryStatuses)
	}
	c.PerCallPolicies = slices.Clone(c.PerCallPolicies)
	if slices.Contains(c.PerRetryPolicies, policy.Policy(meterTry{})) {
		for i, p := range c.PerCallPolicies {
			if _, ok := p.(meterCall); ok {
				c.PerCallPolicies[i] = meterCall{&c.PreferredRegions}
			}
		}
		return
	}
	c.PerCallPolicies = append(c.PerCallPolicies, meterCall{&c.PreferredRegions}, route.Policy{}, sessions{}, patchBodies{}, offers{}, extras{}, gone{}, metadataRetries{&c.Retry})
	c.PerRetryPolicies = append(slices.Clone(c.PerRetryPolicies), meterTry{}, watching{}, metadataAnswers{}, untrusted{})
}

// metadataAnswers is the policy that refuses incomplete answers about the account, databases,
// containers, physical partitions and throughput, and incomplete pages of change feeds that look
// empty. It also stores the regions of the account. azcosmos reads most of these answers itself,
// and keeps them. The policy comes after the retries, which send the request again as after a
// broken connection.
type metadataAnswers struct{}

// Do implements policy.Policy.
func (metadataAnswers) Do(r *policy.Request) (*http.Response, error) {
	response, err := r.Next()
	if err != nil || response.StatusCode != http.StatusOK && response.StatusCode != http.StatusCreated {
		return response, err
	}
	check := metadataCheck(r.Raw())
	if check == nil {
		return response, nil
	}
	body, err := azruntime.Payload(response) // the body was read before
	if err == nil {
		err = check(response.Header, body)
	}
	if err == nil && asksForRegions(r.Raw()) {
		accountOf(r.Raw().URL.Host).learn(body)
	}
	return response, err
}

// metadataCheck returns the check of the answer to a request. It is nil for a request that is
// neither about metadata nor for changes, or whose answer is not read.
func metadataCheck(r *http.Request) func(http.Header, []byte) error {
	rest := strings.TrimPrefix(r.URL.EscapedPath(), "/")
	var levels [6]string // dbs, its id, colls, its id, pkranges or docs, an id
	depth := 0
	for ; rest != "" && depth < len(levels); depth++ {
		levels[depth], rest, _ = strings.Cut(rest, "/")
	}
	query := r.Header.Get("Content-Type") == "application/query+json"
	switch kind, colls := levels[0], levels[0] == "dbs" && levels[2] == "colls"; {
	case r.Method == http.MethodDelete || r.Header.Get("Prefer") == "return=minimal":
		return nil
	case depth == 0 && r.Method == http.MethodGet:
		return func(_ http.Header, body []byte) error { return checkAccount(body) }
	case kind == "offers" && depth == 1 && query:
		return listCheck("Offers")
	case kind == "offers" && depth == 2:
		return func(_ http.Header, body []byte) error { return checkOffer(body) }
	case kind == "dbs" && depth == 2 && r.Method == http.MethodGet:
		return namedCheck(checkNamed, levels[1])
	case colls && depth == 3 && r.Method == http.MethodPost && !query:
		return namedCheck(checkContainer, "")
	case colls && depth == 4:
		return namedCheck(checkContainer, levels[3])
	case colls && depth == 5 && levels[4] == "pkranges":
		return checkRanges
	case colls && depth == 5 && r.Header.Get("A-IM") != "":
		return checkChanges
	default:
		return nil
	}
}

// longestEmptyPage is the size in bytes up to which pages are checked. A page without changes has
// about 60 bytes, and parsing larger pages here would cost time for nothing.
const longestEmptyPage = 256

// checkChanges returns an error for an incomplete page of a change feed that azcosmos would take
// for an empty one. After a split, one call of azcosmos reads several physical partitions until
// one has changes, and keeps the position after each page (getChangeFeedForQueue in 1.5.0). The
// caller gets only the last page, which CheckFeed checks.
func checkChanges(header http.Header, body []byte) error {
	if len(body) > longestEmptyPage {
		return nil
	}
	return checkList(header, body, "Documents", text.Length(text.Member(body, "Documents")))
}

// checkRanges returns an error unless an answer is a page of physical partitions with an ETag.
// Without the ETag azcosmos would start again, and have each partition twice.
func checkRanges(header http.Header, body []byte) error {
	if header.Get("ETag") == "" {
		return &brokenAnswerError{"it has no ETag, after which the physical partitions go on"}
	}
	return checkList(header, body, "PartitionKeyRanges", countUnknown)
}

func listCheck(name string) func(http.Header, []byte) error {
	return func(header http.Header, body []byte) error { return checkList(header, body, name, countUnknown) }
}

func namedCheck(check func([]byte, string) error, name string) func(http.Header, []byte) error {
	return func(_ http.Header, body []byte) error { return check(body, name) }
}

// checkNamed returns an error unless body is an object with this id or RID, escaped as in a
// path. "" allows any.
func checkNamed(body []byte, escaped string) error {
	if !jsonscan.Complete(body) {
		return &brokenAnswerError{"it has no whole object"}
	}
	name, err := url.PathUnescape(escaped)
	id, rid := text.Member(body, IDPath[0]), text.Member(body, RIDPath[0])
	if err != nil || id == nil || rid == nil || name != "" && !jsonscan.Spells(id, name) && !jsonscan.Spells(rid, name) {
		return &brokenAnswerError{"it is about another resource, or none"}
	}
	return nil
}

// checkContainer returns an error unless body is a container of this name, escaped as in a
// path. "" allows any.
func checkContainer(body []byte, escaped string) error {
	if err := checkNamed(body, escaped); err != nil {
		return err
	}
	if len(text.Elements(text.ValueAt(body, []string{"partitionKey", "paths"}))) == 0 {
		return &brokenAnswerError{"it has a container without a partition key"}
	}
	return nil
}

// checkAccount returns an error unless body is an account, which has an id and regions.
// azcosmos keeps an error of this request for five minutes.
func checkAccount(body []byte) error {
	if !jsonscan.Complete(body) || text.Member(body, "id") == nil && text.Member(body, "writableLocations") == nil {
		return &brokenAnswerError{"it has no account"}
	}
	return nil
}

// checkOffer returns an error unless body is an offer, the name of throughput in the protocol.
func checkOffer(body []byte) error {
	if !jsonscan.Complete(body) || !jsonscan.Complete(text.Member(body, "content")) {
		return &brokenAnswerError{"it has no throughput"}
	}
	return nil
}

// A client may lack the policy. The functions below check the answers that this package reads.

// ContainerAnswer returns err, or an error if an answer about a container is broken.
func ContainerAnswer(response azcosmos.ContainerResponse, id string, err error) error {
	if err != nil {
		return Unparsed(err)
	}
	body, err := azruntime.Payload(response.RawResponse)
	if err != nil {
		return err
	}
	return checkContainer(body, url.PathEscape(id))
}

// ContainersAnswer returns err, or an error if a page of containers is broken.
func ContainersAnswer(page azcosmos.QueryContainersResponse, err error) error {
	if err != nil {
		return Unparsed(err)
	}
	body, err := azruntime.Payload(page.RawResponse)
	if err != nil {
		return err
	}
	return checkList(page.RawResponse.Header, body, "DocumentCollections", countUnknown)
}

// DatabasesAnswer returns err, or an error if a page of databases is broken.
func DatabasesAnswer(page azcosmos.QueryDatabasesResponse, err error) error {
	if err != nil {
		return Unparsed(err)
	}
	body, err := azruntime.Payload(page.RawResponse)
	if err != nil {
		return err
	}
	return checkList(page.RawResponse.Header, body, "Databases", countUnknown)
}

// ThroughputAnswer returns err, or an error if an answer about throughput is broken. azcosmos
// returns status 404 for a list without an offer.
func ThroughputAnswer(response azcosmos.ThroughputResponse, err error) error {
	var refused *azcore.ResponseError
	switch {
	case err == nil:
		body, err := azruntime.Payload(response.RawResponse)
		if err != nil {
			return err
		}
		return checkOffer(body)
	case IsAnswered(err) && errors.As(err, &refused):
		body, readErr := azruntime.Payload(refused.RawResponse)
		if readErr != nil {
			return readErr
		}
		if refusal := checkList(refused.RawResponse.Header, body, "Offers", countUnknown); refusal != nil {
			return refusal
		}
		return err
	default:
		return Unparsed(err)
	}
}

// IsAnswered reports whether azcosmos returned an error for an answer of status 200, as it
// does for a list without an offer.
func IsAnswered(err error) bool {
	var refused *azcore.ResponseError
	return errors.As(err, &refused) && refused.RawResponse != nil && strings.HasPrefix(refused.RawResponse.Status, "200 ")
}

// MaxReads is the number of attempts of a patient read: the client has sent each request up to
// ten times by then.
const MaxReads = 3

// Reads is the policy for repeated reads.
func Reads(again func(err error) bool) backoff.Policy {
	return backoff.Policy{Most: MaxReads, Slow: backoff.MaxAttempts, Again: again}
}

// MayPass reports whether a request that failed with err may succeed later.
func MayPass(err error) bool {
	if isUntrusted(err) {
		return false
	}
	var own *documents.Error
	if errors.As(err, &own) && Retried(own.Status) {
		return true
	}
	var connection net.Error
	return errors.As(err, &connection)
}

// refusedOnly are the retries of a request that must not take effect twice. A list of statuses
// would not be enough: a pipeline repeats any request that fails with an unknown error
// (retryPolicy.Do in azcore).
var refusedOnly = policy.RetryOptions{
	MaxRetries:    maxRetries,
	MaxRetryDelay: maxRetryDelay,
	ShouldRetry: func(response *http.Response, err error) bool {
		return err == nil && (response.StatusCode == http.StatusTooManyRequests || response.StatusCode == failure.StatusRetryWith)
	},
}

// RetryRefused returns a context under which the pipeline repeats a request only if the answer
// proves that it had no effect.
func RetryRefused(ctx context.Context) context.Context {
	return context.WithValue(policy.WithRetryOptions(ctx, refusedOnly), refusedOnlyKey{}, true)
}

type refusedOnlyKey struct{}

// metadataRetries is the policy that repeats requests about the account and its containers
// with the client's own retries. azcosmos sends them under the context of a request for
// documents, which [RetryRefused] may restrict, and keeps the error of a failed read of the
// account for five minutes (globalEndpointManager.Update).
type metadataRetries struct{ own *policy.RetryOptions }

// Do implements policy.Policy.
func (m metadataRetries) Do(r *policy.Request) (*http.Response, error) {
	raw := r.Raw()
	restricted := raw.Context().Value(refusedOnlyKey{}) != nil
	if _, rest := route.SplitLink(raw.URL.EscapedPath()); !restricted || raw.Method != http.MethodGet || route.OfDocuments(rest) {
		return r.Next()
	}
	return r.WithContext(policy.WithRetryOptions(raw.Context(), *m.own)).Next()
}

// Retried reports whether the pipeline repeats a request with this status by default.
func Retried(status int) bool { return slices.Contains(retryStatuses, status) }

// OfferChange is a change of throughput that azcosmos 1.5.0 has no option for. Throughput is
// called an offer in the protocol.
type OfferChange struct {
	// Unchanged is the required ETag of the throughput, or "" for any.
	Unchanged azcore.ETag

	// ToAutoscale and ToManual change the kind, and let the service choose the amount
	// ("Replace an Offer", examples 3 and 4).
	ToAutoscale, ToManual bool

	sent bool // whether the policy has seen the request
}

// Replace changes the throughput of a container. It ignores p for a change of kind. If a
// client without the policy requests a change of kind, the service refuses it, and the error
// is ErrNotConfigured.
func (c *OfferChange) Replace(ctx context.Context, container *azcosmos.ContainerClient, p azcosmos.ThroughputProperties) (azcosmos.ThroughputResponse, error) {
	switch { // the service requires content of the current kind, and ignores the number
	case c.ToAutoscale:
		p = azcosmos.NewManualThroughputProperties(-1)
	case c.ToManual:
		p = azcosmos.NewAutoscaleThroughputProperties(-1)
	}
	response, err := container.ReplaceThroughput(context.WithValue(ctx, offerChangeKey{}, c), p, nil)
	var refused *azcore.ResponseError
	if (c.ToAutoscale || c.ToManual) && errors.As(err, &refused) && refused.StatusCode == http.StatusBadRequest && !c.sent {
		return response, route.ErrNotConfigured
	}
	return response, ThroughputAnswer(response, err)
}

type offerChangeKey struct{}

// offers is the policy that adds the OfferChange of the context to the request that replaces
// throughput. azcosmos first sends other requests, to find the offer.
type offers struct{}

// Do implements policy.Policy.
func (offers) Do(r *policy.Request) (*http.Response, error) {
	raw := r.Raw()
	change, _ := raw.Context().Value(offerChangeKey{}).(*OfferChange)
	if change == nil || raw.Method != http.MethodPut || !strings.HasPrefix(raw.URL.EscapedPath(), "/offers/") {
		return r.Next()
	}
	change.sent = true
	if change.Unchanged != "" {
		raw.Header.Set("If-Match", string(change.Unchanged))
	}
	if change.ToAutoscale {
		raw.Header.Set("x-ms-cosmos-migrate-offer-to-autopilot", "true")
	}
	if change.ToManual {
		raw.Header.Set("x-ms-cosmos-migrate-offer-to-manual-throughput", "true")
	}
	return r.Next()
}

// ContainerExtras are properties of a container that azcosmos 1.5.0 does not have: the
// definition of a global secondary index, and computed properties. The context of requests for
// the container carries them, and the policy adds them to the request that creates or replaces
// the container.
type ContainerExtras struct {
	// Properties are the properties as JSON. They must be set before the request.
	Properties map[string]json.RawMessage

	seen atomic.Bool // set by the policy; azcosmos sends requests about the account in the background
}

type containerExtrasKey struct{}

// WithContainerExtras returns a context for creating and replacing a container with additional
// properties.
func WithContainerExtras(ctx context.Context) (context.Context, *ContainerExtras) {
	extras := &ContainerExtras{Properties: map[string]json.RawMessage{}}
	return context.WithValue(ctx, containerExtrasKey{}, extras), extras
}

// Seen reports whether the policy has seen a request with the context. A client without the
// policy would create or replace the container without the properties.
func (c *ContainerExtras) Seen() bool { return c.seen.Load() }

// extras is the policy that writes these properties, and the tuning of vector indexes. It
// comes before the retries, which all send the same body.
type extras struct{}

// Do implements policy.Policy.
func (extras) Do(r *policy.Request) (*http.Response, error) {
	raw := r.Raw()
	more, _ := raw.Context().Value(containerExtrasKey{}).(*ContainerExtras)
	if more != nil {
		more.seen.Store(true)
	}
	container, rest := route.SplitLink(raw.URL.EscapedPath())
	creates := raw.Method == http.MethodPost && strings.HasSuffix(raw.URL.EscapedPath(), "/colls") && raw.Header.Get("Content-Type") != "application/query+json"
	replaces := raw.Method == http.MethodPut && container != "" && rest == ""
	if !creates && !replaces {
		return r.Next()
	}
	body, err := io.ReadAll(r.Body())
	if err != nil {
		return nil, err
	}
	text, err := WithTunings(body)
	if err == nil && more != nil && len(more.Properties) > 0 {
		text, err = withProperties(text, more.Properties)
	}
	if err != nil {
		return nil, err
	}
	if err := r.SetBody(streaming.NopCloser(bytes.NewReader(text)), "application/json"); err != nil {
		return nil, err
	}
	return r.Next()
}

// withProperties returns an object with some properties replaced.
func withProperties(object []byte, values map[string]json.RawMessage) ([]byte, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(object, &all); err != nil {
		return nil, err
	}
	maps.Copy(all, values)
	return json.Marshal(all)
}

// WithTunings returns the definition of a container with the tuning of each vector index as
// properties, not in its type: see package containers.
func WithTunings(body []byte) ([]byte, error) {
	const indexesOf = "vectorIndexes"
	policy := text.ValueAt(body, []string{"indexingPolicy"})
	all := text.Elements(text.Member(policy, indexesOf))
	tuned := false
	for i, raw := range all {
		var x struct {
			Path string `json:"path"`
			Type string `json:"type"`
		}
		if err := json.Unmarshal(raw, &x); err != nil {
			return nil, err
		}
		if !strings.Contains(x.Type, " ") {
			continue
		}
		tuned = true
		var err error
		if all[i], err = json.Marshal(containers.TypeOf(x.Path, x.Type)); err != nil {
			return nil, err
		}
	}
	if !tuned {
		return body, nil
	}
	list, err := json.Marshal(all)
	if err == nil {
		policy, err = withProperties(policy, map[string]json.RawMessage{indexesOf: list})
	}
	if err != nil {
		return nil, err
	}
	return withProperties(body, map[string]json.RawMessage{"indexingPolicy": policy})
}

// notExecuted are the substatuses of a 410 that prove that a write had no effect: the name now
// belongs to another container, the physical partition was split, or a split or a migration is
// completing.
var notExecuted = []string{"1000", "1002", "1007", "1008"}

// gone is the policy that repeats requests for documents that were answered with 410, and
// batches that were rolled back because of a 410. It does not repeat requests to one physical
// partition: they need another partition, which package query and azcosmos find. It is the
// last policy before the retries, so that the other policies see all attempts as one call.
type gone struct{}

// Do implements policy.Policy.
func (gone) Do(r *policy.Request) (*http.Response, error) {
	raw := r.Raw()
	_, rest := route.SplitLink(raw.URL.EscapedPath())
	if !route.OfDocuments(rest) || raw.Header.Get(route.HeaderRange) != "" {
		return r.Next()
	}
	for attempt := 1; ; attempt++ {
		response, err := r.Next()
		if err != nil {
			return response, err
		}
		back := goneBack(raw, response)
		if response.StatusCode != http.StatusGone || attempt == backoff.MaxAttempts {
			return response, nil
		}
		if !back && writes(raw) && !slices.Contains(notExecuted, response.Header.Get(headerSubstatus)) {
			return response, nil
		}
		answer := azruntime.NewResponseError(response) // reads and closes the body
		if err := backoff.Settle(raw.Context(), attempt); err != nil {
			return nil, errors.Join(answer, err)
		}
		if err := r.RewindBody(); err != nil {
			return nil, err
		}
	}
}

// writes reports whether a request for documents may change documents.
func writes(r *http.Request) bool {
	return r.Method != http.MethodGet && r.Header.Get("x-ms-documentdb-query") == ""
}

// goneBack reports whether a transactional batch was rolled back because of an operation with
// status 410. If so, it changes the status of the response to 410 for the whole request, since
// all operations are in one physical partition.
func goneBack(request *http.Request, response *http.Response) bool {
	if response.StatusCode != http.StatusMultiStatus || request.Header.Get("x-ms-cosmos-batch-atomic") != "True" {
		return false
	}
	body, err := azruntime.Payload(response) // the pipeline has read the body
	var results []azcosmos.TransactionalBatchResult
	if err != nil || json.Unmarshal(body, &results) != nil {
		return false // azcosmos returns an error for such a body
	}
	bad := Culprit(results)
	if bad == NoOperation || results[bad].StatusCode != http.StatusGone {
		return false
	}
	var reasons []struct {
		Substatus int `json:"subStatusCode"`
	}
	if json.Unmarshal(body, &reasons) == nil && reasons[bad].Substatus != 0 {
		response.Header.Set(headerSubstatus, strconv.Itoa(reasons[bad].Substatus))
	}
	response.StatusCode, response.Status = http.StatusGone, "410 Gone"
	return true
}

// PatchBody is the body of a patch that azcosmos cannot write. The context of the patch
// carries it, and the policy replaces the body of azcosmos by it.
type PatchBody struct {
	json []byte
	sent bool // by the policy
}

type patchBodyKey struct{}

// WithPatchBody returns the context of a patch whose body is JSON that azcosmos cannot
// write.
func WithPatchBody(ctx context.Context, json []byte) (context.Context, *PatchBody) {
	body := &PatchBody{json: json}
	return context.WithValue(ctx, patchBodyKey{}, body), body
}

// Sent reports whether the policy has put the body into the request. A client without the
// policy sends the body of azcosmos.
func (b *PatchBody) Sent() bool { return b.sent }

// patchBodies is the policy that writes these bodies. It comes before the retries, which all
// send the same body.
type patchBodies struct{}

// Do implements policy.Policy.
func (patchBodies) Do(r *policy.Request) (*http.Response, error) {
	// The SDK sends requests for metadata with the same context.
	if body, ok := r.Raw().Context().Value(patchBodyKey{}).(*PatchBody); ok && r.Raw().Method == http.MethodPatch {
		if err := r.SetBody(streaming.NopCloser(bytes.NewReader(body.json)), "application/json"); err != nil {
			return nil, err
		}
		body.sent = true
	}
	return r.Next()
}

// untrusted is the policy that ends a request at once if this program does not trust the
// server's certificate. The SDK would repeat the request until its own timeout, and then
// report the timeout.
type untrusted struct{}

// Do sends a request.
func (untrusted) Do(r *policy.Request) (*http.Response, error) {
	answer, err := r.Next()
	if err != nil && isUntrusted(err) {
		return answer, &untrustedError{r.Raw().URL.Host, failure.IsThisMachine(r.Raw().URL.Hostname()), err}
	}
	return answer, err
}

// isUntrusted reports whether a request failed because the server's certificate is not
// trusted.
func isUntrusted(err error) bool {
	var verification *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	return errors.As(err, &verification) || errors.As(err, &authority)
}

// untrustedError is the error for a server's certificate that is not trusted.
type untrustedError struct {
	host        string
	thisMachine bool
	err         error
}

// Error names the server and the remedy.
func (e *untrustedError) Error() string {
	if e.thisMachine {
		return fmt.Sprintf("%s has a certificate that this program does not trust: if it is an emulator, set SSL_CERT_FILE to the certificate that pkgen-emulator prints, or start it with -http: %v", e.host, e.err)
	}
	return fmt.Sprintf("%s has a certificate that this program does not trust: %v", e.host, e.err)
}

// Unwrap returns the error of the connection.
func (e *untrustedError) Unwrap() error { return e.err }

// NonRetriable tells the pipeline not to repeat the request.
func (*untrustedError) NonRetriable() {}
