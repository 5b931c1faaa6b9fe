package suggest

import (
	"slices"

	"github.com/cosmos-pkgen/pkgen/internal/goname"
)

// rank orders the properties that may be in a key: a lower rank comes first.
type rank int

const (
	tenantRank    rank = iota + 1 // shares of very different sizes
	customerRank                  // some customers are larger than others
	userRank                      // one person
	deviceRank                    // something that writes by itself
	referenceRank                 // the id of any other document
)

// owners says what rank the thing has that a property names by its last word,
// such as user in OwnerUserID.
var owners = map[string]rank{
	"tenant": tenantRank, "organization": tenantRank, "organisation": tenantRank, "org": tenantRank, "company": tenantRank,
	"workspace": tenantRank, "merchant": tenantRank, "project": tenantRank, "store": tenantRank, "shop": tenantRank, "site": tenantRank, "team": tenantRank,

	"customer": customerRank, "account": customerRank, "client": customerRank, "subscription": customerRank, "household": customerRank,

	"user": userRank, "member": userRank, "patient": userRank, "player": userRank, "employee": userRank, "student": userRank,
	"driver": userRank, "subscriber": userRank, "owner": userRank, "seller": userRank, "buyer": userRank,

	"device": deviceRank, "vehicle": deviceRank, "vin": deviceRank, "sensor": deviceRank, "machine": deviceRank, "meter": deviceRank,
	"imei": deviceRank, "camera": deviceRank, "robot": deviceRank, "gateway": deviceRank, "turbine": deviceRank, "terminal": deviceRank,
}

// markers are last words that say that a property identifies something.
var markers = []string{"id", "uuid", "guid", "uid", "number", "no", "serial"}

// strangers are things whose ids hardly any request for a document knows: they
// name one message, one attempt, or the document itself in another system.
var strangers = []string{
	"trace", "span", "request", "correlation", "message", "event", "external", "parent", "previous", "next", "root",
	"version", "revision", "schema", "batch", "phone", "house", "line", "sequence", "transaction", "serial", "process",
}

// fewValues are last words of properties with few values.
var fewValues = []string{
	"status", "state", "type", "kind", "category", "level", "severity", "priority", "role", "plan", "tier", "stage", "phase",
	"region", "country", "currency", "language", "locale", "gender", "color", "colour", "unit", "channel", "source", "environment", "env",
}

// periods are last words of properties that hold a period as text.
var periods = []string{"date", "day", "month"}

// instants are last words of properties that hold an instant as text or number.
var instants = []string{"timestamp", "time", "ts", "at", "datetime", "when"}

// states are words of times at which something happened to a document, or will:
// documents that are written now have different ones, or change them.
var states = []string{
	"created", "updated", "modified", "changed", "deleted", "archived", "expires", "expiry", "expiration", "valid", "due", "start", "end", "started", "ended",
	"birth", "born", "birthday", "dob", "joined", "registered", "verified", "seen", "login", "last", "next", "first", "paid", "shipped", "delivered", "cancelled", "canceled",
}

// beginnings are those of them by which documents pile up all the same.
var beginnings = []string{"created", "start", "started", "registered", "joined"}

// leases are things that somebody holds for a while, as lease documents of a change
// feed are: who holds one changes all the time, and a stored key cannot.
var leases = []string{"lease", "lock", "mutex", "semaphore", "leader", "election", "claim", "checkpoint"}

// holdings are words of properties that say who holds one.
var holdings = []string{"owner", "holder", "worker", "host", "instance", "consumer", "leader", "member", "client", "process", "node"}

// dropHolders takes from a lease the fields that say who holds it.
func (s *structure) dropHolders() {
	lease := anyOf(goname.LowerWords(s.name), leases)
	for i := range s.fields {
		f := &s.fields[i]
		if f.rank == 0 || !anyOf(f.words, holdings) || !lease && !anyOf(f.words, leases) {
			continue
		}
		f.rank = 0
		s.passed = append(s.passed, f.property+": it says who holds a lease or a lock, which changes, and a stored key cannot")
	}
}

// changing are words of properties that are given another value while a document exists:
// who has it, who works on it now, or has last.
var changing = []string{
	"owner", "manager", "supervisor", "assignee", "assigned", "assignment", "reviewer", "approver", "editor", "updater", "responsible",
	"current", "latest", "last", "preferred", "updated", "modified", "changed", "status", "state",
}

// changes reports whether the name of a field that may be in a key says that its value
// changes.
func (f field) changes() bool { return f.rank > 0 && anyOf(f.words, changing) }

// dropChanging takes the fields whose names say that their values change.
func (s *structure) dropChanging() {
	for i := range s.fields {
		f := &s.fields[i]
		if !f.changes() {
			continue
		}
		f.rank = 0
		s.passed = append(s.passed, f.property+": its name says that it changes, and a stored key cannot")
		s.changing = append(s.changing, f.name)
	}
}

// rankOf returns what a property of these words may be in a key, or 0.
func rankOf(words []string) rank {
	last := words[len(words)-1]
	thing, marked := last, false
	if len(words) > 1 && slices.Contains(markers, last) {
		thing, marked = words[len(words)-2], true
	}
	switch {
	case owners[thing] != 0:
		return owners[thing]
	case marked && !slices.Contains(strangers, thing):
		return referenceRank
	}
	return 0
}

// anyOf reports whether one of the words is in the list.
func anyOf(words, list []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(list, word) })
}
