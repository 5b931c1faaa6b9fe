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

// Account is an account that is read and written. It is safe for concurrent use, but
// for [Account.Sample].
type Account struct {
	endpoint string // without a slash at its end
	key      []byte // of the account; nil if there are tokens
	client   *http.Client
	metadata sync.Mutex // of the physical partitions that containers remember

	mu       sync.Mutex // of what follows
	tokens   *tokens
	spent    float64
	pace     pace
	sessions sessions
	ahead    time.Duration // of the service's clock before this machine's, to the second
}

// patient is how long a request may take, as in the SDKs of the service: without an end,
// a connection that is lost would keep a nightly job for ever.
const patient = 65 * time.Second

// connections is how many connections are kept for requests at the same time.
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

// Through sends requests through another transport: tests have one that needs no
// network, or that fails.
func (a *Account) Through(transport http.RoundTripper) { a.client.Transport = transport }

// Open returns the account of a connection string, as the portal shows it. It sends
// nothing.
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

// OpenToken returns the account at an endpoint, which a token of Microsoft Entra ID
// may read. If token is "", or when the service does not take it any more, the credential
// makes one, unless it is nil. OpenToken sends nothing.
func OpenToken(endpoint, token string, credential azcore.TokenCredential) (*Account, error) {
	a := &Account{client: newClient(), pace: realTime(), endpoint: strings.TrimSuffix(endpoint, "/"), tokens: &tokens{current: token, credential: credential}}
	if token == "" && !a.tokens.renewable() {
		return nil, errors.New("there is no token for the account, and no credential for one")
	}
	return a, a.check()
}

// check returns why the endpoint is no address, or nil.
func (a *Account) check() error {
	u, err := url.Parse(a.endpoint)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return errors.New("the endpoint of the account is not an address such as https://name.documents.azure.com:443/")
	}
	return nil
}

// Spent returns the request units that the account has charged so far.
func (a *Account) Spent() float64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.spent
}

// Now returns the time by the service's clock, to the second, as its last answer had it.
func (a *Account) Now() time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.pace.now().Add(a.ahead)
}

// StatusError is an answer of the service that is not a success.
type StatusError struct {
	Status    int    // of HTTP
	SubStatus int    // what the service says besides, or 0
	What      string // was asked for
	Message   string // of the service: the first line of its own words, or ""
}

// Error says what was asked for, and the status.
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

// lagging is the substatus of 404 if the replica that was asked lacks what the session
// token of the request knows of (READ_SESSION_NOT_AVAILABLE in the SDKs). It says nothing
// of the document.
const lagging = 1002

// Absent reports whether an error says that a document is not there, and not that its
// container is not there, or that a replica lags.
func Absent(err error) bool {
	var answer *StatusError
	return errors.As(err, &answer) && answer.Status == http.StatusNotFound && answer.SubStatus == 0
}

// Is reports whether an error is a status of HTTP.
func Is(err error, status int) bool { return is(err, status) }

// is reports whether an error is a status.
func is(err error, status int) bool {
	var answer *StatusError
	return errors.As(err, &answer) && answer.Status == status
}

// request is what is asked of an account.
type request struct {
	what         string // for errors
	method, path string
	resource     string // "dbs", "colls", "pkranges" or "docs"
	link         string // of the resource, or of the one around it
	body         string
	header       map[string]string
	of           string // the container whose documents it is about, or ""
}

// versionHeader has the version of the protocol.
const versionHeader = "x-ms-version"

// attempts is how often a request is sent at most.
const attempts = 10

// do sends a request until it is answered, decodes the answer, and returns its header.
// Before each attempt it pauses as long as the rate needs.
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
		if a.waits(err) { // however often
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

// leastWait is how long a request waits at least that is throttled again and again.
const leastWait = 20 * time.Millisecond

// waits reports whether a request that failed waits until it is served: if it is
// throttled, among others that are sent at the same time.
func (a *Account) waits(err error) bool {
	if !is(err, http.StatusTooManyRequests) {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.pace.expected > 0
}

// checkKey is the key of a context's check.
type checkKey struct{}

// Checking returns a context whose requests are sent only if check returns no error,
// which is asked before each attempt, after all pauses.
func Checking(ctx context.Context, check func(context.Context) error) context.Context {
	return context.WithValue(ctx, checkKey{}, check)
}

// permitted asks the check of a context, if it has one.
func permitted(ctx context.Context) error {
	if check, ok := ctx.Value(checkKey{}).(func(context.Context) error); ok {
		return check(context.WithValue(ctx, checkKey{}, nil))
	}
	return nil
}

// wait pauses until the next request may be sent, and makes sure that there is a token.
// It returns the request units that it has set aside for the request.
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

// forgetToken drops the token, and reports whether there can be another one.
func (a *Account) forgetToken() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.tokens.renewable() {
		return false
	}
	a.tokens.forget()
	return true
}

// pay counts the charge of a request, for which some request units were set aside.
func (a *Account) pay(charge, reserved float64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.spent += charge
	a.pace.spend(charge, reserved)
}

// send sends a request once. If it failed, wait is how long to wait before it is sent
// again, or negative if that would not help. The header is that of the answer, also of
// one that is not a success.
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

// longestMessage is how many bytes of the service's own words are kept.
const longestMessage = 300

// messageOf returns the first line of what the service says in the body of an error,
// without the identifiers that follow it.
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

// patience returns how long to wait after an answer, or -1 if nothing helps.
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

// authorization returns the header that lets a request in ("Access control on Azure
// Cosmos DB resources").
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
