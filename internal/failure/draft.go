package failure

import (
	"net"
	"strings"
)

// DraftError refuses a request of a draft to another machine. It matches [ErrDraft].
type DraftError struct {
	Host    string // the destination of the request
	Command string // the command that seals the layout
}

// Error returns the refusal with advice.
func (e *DraftError) Error() string {
	return ErrDraft.Error() + ", which may still change, and " + e.leaves()
}

// Reason is Error without the text of ErrDraft, for an [Error] that begins with it.
func (e *DraftError) Reason() string { return "it may still change, and " + e.leaves() }

func (e *DraftError) leaves() string {
	return e.Host + " is not this machine, where documents can be thrown away: if it is what you want, for ever, run " + e.Command
}

// Is reports whether target is ErrDraft.
func (*DraftError) Is(target error) bool { return target == ErrDraft }

// NonRetriable prevents retries by the pipeline of azcore.
func (*DraftError) NonRetriable() {}

// IsThisMachine reports whether a host is a loopback address, or a name that is always one (RFC
// 6761, section 6.3). Drafts may send requests only there.
func IsThisMachine(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || net.ParseIP(host).IsLoopback()
}
