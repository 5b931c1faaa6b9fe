package failure

import (
	"net"
	"strings"
)

// DraftError refuses a request of a draft that would leave this machine. It matches [ErrDraft].
type DraftError struct {
	Host    string // where the request would go
	Command string // what seals the layout
}

// Error says what to do.
func (e *DraftError) Error() string {
	return ErrDraft.Error() + ", which may still change, and " + e.leaves()
}

// Reason is the text of Error without that of ErrDraft, for an [Error] that begins with it.
func (e *DraftError) Reason() string { return "it may still change, and " + e.leaves() }

func (e *DraftError) leaves() string {
	return e.Host + " is not this machine, where documents can be thrown away: if it is what you want, for ever, run " + e.Command
}

// Is reports whether target is ErrDraft.
func (*DraftError) Is(target error) bool { return target == ErrDraft }

// NonRetriable tells the pipeline of azcore that another attempt would fail alike.
func (*DraftError) NonRetriable() {}

// IsThisMachine reports whether a host is a loopback address or a name that can only be
// one (RFC 6761, section 6.3). Requests of drafts go there alone.
func IsThisMachine(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || net.ParseIP(host).IsLoopback()
}
