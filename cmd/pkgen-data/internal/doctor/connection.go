package doctor

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/account"
	"github.com/cosmos-pkgen/pkgen/internal/writeregions"
)

// Limits on the difference between the service's and this machine's clock. The service refuses
// requests whose date is off by 15 minutes ("Access control on Azure Cosmos DB resources"); its
// answers have whole seconds.
const (
	clockNoted = 5 * time.Second
	clockWrong = 5 * time.Minute
)

// The remaining validity of the account's certificate that is reported: Azure renews its own weeks
// before they expire.
const (
	certificateNoted = 14 * 24 * time.Hour
	certificateWrong = 24 * time.Hour
)

// slow is the latency from which an answer is noted: within a region it is a few milliseconds.
const slow = 100 * time.Millisecond

// connection examines the connection to the account, and reports whether the account answers.
func (e *examination) connection(ctx context.Context) bool {
	r := e.report
	u, err := url.Parse(e.Account.Endpoint())
	if err != nil {
		r.add(Wrong, "endpoint", "copy the connection string again", "is no address")
		return false
	}
	where := "an account of Azure"
	if local(u.Hostname()) {
		where = "this machine"
	} else if _, domain, ok := strings.Cut(u.Hostname(), "."); ok {
		r.hide(u.Hostname(), "ACCOUNT."+domain)
		where = "ACCOUNT." + domain
	}
	o, err := e.Account.Overview(ctx)
	if err != nil {
		e.unreached(err)
		return false
	}
	with := "a key"
	if e.Account.Identity() {
		with = "a token of Microsoft Entra ID"
	}
	r.add(OK, "endpoint", "", "%s, with %s", where, with)
	e.encryption(u, o.TLS)
	e.clock(o)
	if o.Took > slow {
		r.add(Note, "round trip", "run programs in the region of the account, where a request takes a few milliseconds; each round of a query's requests waits that long", "%d ms", o.Took.Milliseconds())
	} else {
		r.add(OK, "round trip", "", "%.1f ms", float64(o.Took.Microseconds())/1000)
	}
	e.consistency(o)
	return true
}

// local reports whether a host is this machine.
func local(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}

// unreached reports why the account does not answer.
func (e *examination) unreached(err error) {
	wayOut := "check the address, the network, the firewall of the account (Networking in the portal), and a proxy in HTTPS_PROXY"
	var name *net.DNSError
	var certificate *tls.CertificateVerificationError
	switch {
	case account.Is(err, http.StatusUnauthorized):
		wayOut = "the key or the token belongs to another account, or is no longer valid: copy it again, and check the clock of this machine"
	case account.Is(err, http.StatusForbidden):
		wayOut = "the firewall of the account refuses this machine, keys are disabled there (disableLocalAuth), the identity has no role, or the clock of this machine is wrong: allow it, or use Azure identity"
	case errors.As(err, &name):
		wayOut = "the host does not exist: check the address, and the DNS of a private endpoint"
	case errors.As(err, &certificate):
		wayOut = "the certificate is not trusted: for an emulator set SSL_CERT_FILE to the file of its certificate; otherwise a proxy between this machine and Azure answers in its place"
	}
	if errors.Is(err, context.Canceled) {
		e.report.add(Unknown, "endpoint", "", "interrupted")
		return
	}
	e.report.add(Wrong, "endpoint", wayOut, "%v", err)
}

// encryption examines TLS and the certificate.
func (e *examination) encryption(u *url.URL, state *tls.ConnectionState) {
	r := e.report
	switch {
	case u.Scheme == "http" && local(u.Hostname()):
		r.add(OK, "TLS", "", "none, on this machine")
		return
	case u.Scheme == "http":
		r.add(Wrong, "TLS", "use the https address: keys and documents go over the network unencrypted", "none")
		return
	case state == nil || len(state.PeerCertificates) == 0:
		r.add(Unknown, "TLS", "", "the connection does not report it")
		return
	case state.Version < tls.VersionTLS12:
		r.add(Wrong, "TLS", "a proxy between this machine and Azure uses an old version: the service requires TLS 1.2 or later", "%s", tls.VersionName(state.Version))
	default:
		r.add(OK, "TLS", "", "%s", tls.VersionName(state.Version))
	}
	end := state.PeerCertificates[0].NotAfter
	left, found := end.Sub(e.Now()), "until "+end.UTC().Format(time.DateOnly)
	const wayOut = "renew it: programs cannot connect after it expires"
	switch {
	case left < certificateWrong:
		r.add(Wrong, "certificate", wayOut, "%s", found)
	case left < certificateNoted:
		r.add(Note, "certificate", wayOut, "%s", found)
	default:
		r.add(OK, "certificate", "", "%s", found)
	}
}

// clock compares the clocks.
func (e *examination) clock(o account.Overview) {
	off := o.Ahead.Round(time.Second)
	found := fmt.Sprintf("the service's clock is %v ahead of this machine's", off)
	if off < 0 {
		found = fmt.Sprintf("this machine's clock is %v ahead of the service's", -off)
	}
	const wayOut = "let NTP set the clock of this machine: the service refuses requests that are 15 minutes off, and created and updated stamps have the time of the program"
	switch {
	case !o.Clocked:
		e.report.add(Unknown, "clock", "", "the answer has no date")
	case off.Abs() >= clockWrong:
		e.report.add(Wrong, "clock", wayOut, "%s", found)
	case off.Abs() > clockNoted:
		e.report.add(Note, "clock", wayOut, "%s", found)
	default:
		e.report.add(OK, "clock", "", "within %v of the service's", clockNoted)
	}
}

// consistency examines the consistency and the regions of the account.
func (e *examination) consistency(o account.Overview) {
	r := e.report
	switch o.Consistency {
	case "Strong", "BoundedStaleness":
		r.add(OK, "consistency", "", "%s", o.Consistency)
	case "Session":
		r.add(OK, "consistency", "", "Session: a read may miss a recent write of another program; pkgen-data migrate and changed bucket counts need a stronger level, see docs/migration.md")
	case "":
		r.add(Unknown, "consistency", "", "the account does not report it")
	default:
		r.add(Note, "consistency", "set the default consistency of the account to session or stronger: moves of tenants, leases and Session need it", "%s", o.Consistency)
	}
	if len(o.Writable)+len(o.Readable) == 0 {
		r.add(Unknown, "regions", "", "the account does not report it")
		return
	}
	found := fmt.Sprintf("writes in %s, reads in %s", strings.Join(o.Writable, ", "), strings.Join(o.Readable, ", "))
	if !o.SeveralWrites || len(o.Writable) < 2 {
		if r.add(OK, "regions", "", "%s", found); len(o.Readable) > 1 {
			e.moving()
		}
		return
	}
	r.add(Note, "regions", "ETags, conditions and unique keys hold only within one region, and the later of two writes in two regions wins: docs/errors.md lists what the run time refuses", "%s", found)
	e.severalWrites()
}

// moving names the types that programs read in the write region alone.
func (e *examination) moving() {
	if types := e.relying(writeregions.Buckets, writeregions.Tenancy, writeregions.Migrations); len(types) > 0 {
		e.report.add(Note, "regions, documents that move", "keep programs of these types near the write region, and make their clients with repository.Configure",
			"of %s: all reads go to the write region", strings.Join(types, ", "))
	}
}

// relying returns the types with one of these uses.
func (e *examination) relying(uses ...*writeregions.Use) (types []string) {
	for _, c := range e.Wanted {
		for _, r := range c.relies {
			if slices.Contains(uses, r.use) && !slices.Contains(types, r.of) {
				types = append(types, r.of)
			}
		}
	}
	return types
}

// severalWrites reports the types that require a single write region.
func (e *examination) severalWrites() {
	for _, use := range writeregions.All {
		types := e.relying(use)
		state := Wrong
		if use == writeregions.Conditions {
			state = Note // the type may have no conditional writes
		}
		if len(types) > 0 {
			e.report.add(state, "regions, "+use.Name, use.Instead, "of %s; they rely on one write region: %s", strings.Join(types, ", "), use.Why)
		}
	}
}
