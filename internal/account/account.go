package account

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
)

// Account is an account that is read and written. It is safe for concurrent use, except for
// [Account.Sample].
type Account struct {
	endpoint string // without a trailing slash
	key      []byte // the account key; nil if there are tokens
	client   *http.Client
	metadata sync.Mutex // guards the ranges of containers

	mu       sync.Mutex // guards the fields below
	tokens   *tokens
	spent    float64
	pace     pace
	sessions sessions
	ahead    time.Duration // the service's clock minus this machine's, to the second
}

// patient is the time limit of a request, as in the service's SDKs. Without a limit, a lost
// connection would block a nightly job for ever.
const patient = 65 * time.Second

// connections is the number of idle connections that are kept.
const connections = 64

func newClient() *http.Client {
	client := &http.Client{Timeout: patient}
	if standard, ok := http.DefaultTransport.(*http.Transport); ok {
		transport := standard.Clone()
		transport.MaxIdleConnsPerHost = connections
		client.Transport = transport
	}
	return client
}

// Through sends requests through another transport. Tests use one that needs no network, or that
// fails.
func (a *Account) Through(transport http.RoundTripper) { a.client.Transport = transport }

// Open returns the account of a connection string from the portal. It sends nothing.
func Open(connection string) (*Account, error) {
	a := &Account{client: newClient(), pace: realTime()}
	for field := range strings.SplitSeq(connection, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(field), "=")
		switch name {
		case "AccountEndpoint":
			a.endpoint = strings.TrimSuffix(value, "/")
		case "AccountKey":
			key, err := base64.StdEncoding.DecodeString(value)
			if err != nil || len(key) == 0 {
				return nil, errors.New("the AccountKey of the connection string is not base64: copy it again")
			}
			a.key = key
		}
	}
	if a.endpoint == "" || a.key == nil {
		return nil, errors.New("the connection string lacks an AccountEndpoint or an AccountKey: copy it from the account's page of keys")
	}
	return a, a.check()
}

// OpenToken returns the account at an endpoint, authorized by a token of Microsoft Entra ID. If
// token is "" or the service refuses it, credential makes a new one; credential may be nil if there
// is a token. OpenToken sends nothing.
func OpenToken(endpoint, token string, credential azcore.TokenCredential) (*Account, error) {
	a := &Account{client: newClient(), pace: realTime(), endpoint: strings.TrimSuffix(endpoint, "/"), tokens: &tokens{current: token, credential: credential}}
	if token == "" && !a.tokens.renewable() {
		return nil, errors.New("there is no token for the account, and no credential for one")
	}
	return a, a.check()
}

// check returns an error if the endpoint is not an http or https URL.
func (a *Account) check() error {
	u, err := url.Parse(a.endpoint)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return errors.New("the endpoint of the account is not an address such as https://name.documents.azure.com:443/")
	}
	return nil
}

// Spent returns the request units charged so far.
func (a *Account) Spent() float64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.spent
}

// Now returns the time by the service's clock, to the second, according to the last answer.
func (a *Account) Now() time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.pace.now().Add(a.ahead)
}

// StatusError is an unsuccessful answer of the service.
type StatusError struct {
	Status    int    // of HTTP
	SubStatus int    // the service's substatus, or 0
	What      string // what the request asked for
	Message   string // the first line of the service's message, or ""
}

// Error returns the request and the status, with advice.
func (e *StatusError) Error() string {
	advice := ": try again later"
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden:
		advice = ": the key or token may not access it; check that it belongs to the account"
	case http.StatusBadRequest:
		advice = ": the service does not support the request; check that the account is for the NoSQL API"
	case http.StatusNotFound:
		advice = ": it does not exist; check the name"
		if e.SubStatus == lagging {
			advice = ": a replica lacks data that was read before; try again later"
		}
	case http.StatusConflict, http.StatusPreconditionFailed:
		advice = ": another program has written it meanwhile"
	case http.StatusRequestEntityTooLarge:
		advice = ": it is larger than the service allows; make it smaller"
	}
	return fmt.Sprintf("%s: the service answers %d %s (substatus %d)%s", e.What, e.Status, http.StatusText(e.Status), e.SubStatus, advice)
}

// lagging is the substatus of a 404 from a replica that lacks writes of the request's session token
// (READ_SESSION_NOT_AVAILABLE in the SDKs). The document may exist.
const lagging = 1002

// Absent reports whether an error proves that a document does not exist. A missing container and a
// lagging replica do not count.
func Absent(err error) bool {
	var answer *StatusError
	return errors.As(err, &answer) && answer.Status == http.StatusNotFound && answer.SubStatus == 0
}

// Is reports whether an error is a StatusError with an HTTP status.
func Is(err error, status int) bool { return is(err, status) }

func is(err error, status int) bool {
	var answer *StatusError
	return errors.As(err, &answer) && answer.Status == status
}

// request is a request to an account.
type request struct {
	what         string // what it asks for, in errors
	method, path string
	resource     string // "dbs", "colls", "pkranges" or "docs"
	link         string // the link of the resource, or of its parent
	body         string
	header       map[string]string
	of           string // the container that its documents are in, or ""
}

// versionHeader is the header with the protocol version.
const versionHeader = "x-ms-version"

// attempts is the maximum number of attempts of a request.
const attempts = 10

// do sends a request until it is answered, decodes the answer, and returns its header. Before each
// attempt it pauses to keep the rate.
func (a *Account) do(ctx context.Context, r request, into any) (http.Header, error) {
	renewed := false
	for attempt := 1; ; attempt++ {
		reserved, err := a.wait(ctx)
		if err != nil {
			return nil, err
		}
		if err := permitted(ctx); err != nil {
			a.pay(0, reserved)
			return nil, err
		}
		header, wait, err := a.send(ctx, r, into, reserved)
		if is(err, http.StatusUnauthorized) && !renewed && a.forgetToken() {
			renewed, wait = true, 0
		}
		if a.waits(err) { // without a limit on attempts
			attempt, wait = 0, max(wait, leastWait)
		}
		if err == nil || wait < 0 || attempt == attempts {
			return header, err
		}
		if err := a.pace.sleep(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// leastWait is the minimum pause of a request that is throttled repeatedly.
const leastWait = 20 * time.Millisecond

// waits reports whether a failed request is repeated until it succeeds: it was throttled, and
// requests run concurrently.
func (a *Account) waits(err error) bool {
	if !is(err, http.StatusTooManyRequests) {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.pace.expected > 0
}

// checkKey is the context key of a check.
type checkKey struct{}

// Checking returns a context whose requests call check before each attempt, after all pauses, and
// are not sent if it fails.
func Checking(ctx context.Context, check func(context.Context) error) context.Context {
	return context.WithValue(ctx, checkKey{}, check)
}

// permitted calls the check of a context, if it has one.
func permitted(ctx context.Context) error {
	if check, ok := ctx.Value(checkKey{}).(func(context.Context) error); ok {
		return check(context.WithValue(ctx, checkKey{}, nil))
	}
	return nil
}

// wait pauses until the next request may be sent, and obtains a token if there is none. It returns
// the request units reserved for the request.
func (a *Account) wait(ctx context.Context) (reserved float64, err error) {
	for {
		a.mu.Lock()
		d := a.pace.left()
		if d <= 0 {
			reserved = a.pace.reserve()
			err = a.tokens.refresh(ctx, a.pace.now())
			a.mu.Unlock()
			return reserved, errors.Join(ctx.Err(), err)
		}
		a.mu.Unlock()
		if err := a.pace.sleep(ctx, d); err != nil {
			return 0, err
		}
	}
}

// forgetToken drops the token, and reports whether a new one can be obtained.
func (a *Account) forgetToken() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.tokens.renewable() {
		return false
	}
	a.tokens.forget()
	return true
}

// pay records the charge of a request and releases its reservation.
func (a *Account) pay(charge, reserved float64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.spent += charge
	a.pace.spend(charge, reserved)
}

// send sends a request once. After a failure, wait is the pause before the next attempt, or
// negative if another attempt would not help. The header is that of the answer, successful or not.
func (a *Account) send(ctx context.Context, r request, into any, reserved float64) (header http.Header, wait time.Duration, err error) {
	charge := 0.0
	defer func() { a.pay(charge, reserved) }()
	req, err := http.NewRequestWithContext(ctx, r.method, a.endpoint+"/"+r.path, strings.NewReader(r.body))
	if err != nil {
		return nil, -1, fmt.Errorf("%s: %w", r.what, err)
	}
	req.Header.Set(versionHeader, "2020-07-15")
	for name, value := range r.header {
		req.Header.Set(name, value)
	}
	if token := a.sessionOf(r); token != "" {
		req.Header.Set(sessionHeader, token)
	}
	date := a.pace.now().UTC().Format(http.TimeFormat)
	req.Header.Set("x-ms-date", date)
	req.Header.Set("Authorization", a.authorization(r, date))
	answer, err := a.client.Do(req)
	if untrusted := (*tls.CertificateVerificationError)(nil); errors.As(err, &untrusted) {
		return nil, -1, fmt.Errorf("%s: %w: if it is an emulator, set SSL_CERT_FILE to the file of its certificate", r.what, err)
	}
	if err != nil {
		return nil, time.Second, fmt.Errorf("%s: %w", r.what, err)
	}
	charge, _ = strconv.ParseFloat(answer.Header.Get("x-ms-request-charge"), 64)
	if date, err := http.ParseTime(answer.Header.Get("Date")); err == nil {
		a.mu.Lock()
		a.ahead = date.Sub(a.pace.now()).Round(time.Second)
		a.mu.Unlock()
	}
	a.keepSession(r, answer.Header.Get(sessionHeader))
	body, err := io.ReadAll(answer.Body)
	if err := errors.Join(err, answer.Body.Close()); err != nil {
		return nil, time.Second, fmt.Errorf("%s: %w", r.what, err)
	}
	if answer.StatusCode/100 != 2 {
		sub, _ := strconv.Atoi(answer.Header.Get("x-ms-substatus"))
		return answer.Header, patience(answer), &StatusError{Status: answer.StatusCode, SubStatus: sub, What: r.what, Message: messageOf(body)}
	}
	if into == nil {
		return answer.Header, 0, nil
	}
	if err := json.NewDecoder(bytes.NewReader(body)).Decode(into); err != nil {
		return nil, time.Second, fmt.Errorf("%s: the answer is not JSON: %w", r.what, err)
	}
	if all, ok := into.(selfChecking); ok {
		if err := all.check(answer.Header); err != nil {
			return nil, time.Second, fmt.Errorf("%s: the answer is broken: %w", r.what, err)
		}
	}
	return answer.Header, 0, nil
}

// longestMessage is the maximum number of bytes kept of the service's message.
const longestMessage = 300

// messageOf returns the first line of the message in an error body, without the identifiers that
// follow it.
func messageOf(body []byte) string {
	var answer struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(body, &answer) != nil {
		return ""
	}
	line, _, _ := strings.Cut(strings.TrimPrefix(answer.Message, "Message: "), "\n")
	line = strings.TrimSpace(line)
	if len(line) > longestMessage {
		line = strings.ToValidUTF8(line[:longestMessage], "") + "…"
	}
	return line
}

// patience returns the pause after an answer, or -1 if another attempt would not help.
func patience(answer *http.Response) time.Duration {
	switch answer.StatusCode {
	case http.StatusNotFound:
		if answer.Header.Get("x-ms-substatus") != strconv.Itoa(lagging) {
			return -1
		}
	case http.StatusTooManyRequests, http.StatusRequestTimeout, 449, http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
	default:
		return -1
	}
	ms, err := strconv.ParseFloat(answer.Header.Get("x-ms-retry-after-ms"), 64)
	if err != nil {
		return time.Second
	}
	return time.Duration(ms * float64(time.Millisecond))
}

// authorization returns the authorization header of a request ("Access control on Azure Cosmos DB
// resources").
func (a *Account) authorization(r request, date string) string {
	if a.tokens != nil {
		a.mu.Lock()
		defer a.mu.Unlock()
		return url.QueryEscape("type=aad&ver=1.0&sig=" + a.tokens.current)
	}
	mac := hmac.New(sha256.New, a.key)
	fmt.Fprintf(mac, "%s\n%s\n%s\n%s\n\n", strings.ToLower(r.method), r.resource, r.link, strings.ToLower(date))
	return url.QueryEscape("type=master&ver=1.0&sig=" + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
}
