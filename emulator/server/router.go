package server

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/header"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// Operations, for the journal and faults.
const (
	OpReadAccount      = "ReadAccount"
	OpCreateDatabase   = "CreateDatabase"
	OpReadDatabase     = "ReadDatabase"
	OpDeleteDatabase   = "DeleteDatabase"
	OpReadDatabases    = "ReadDatabases"
	OpQueryDatabases   = "QueryDatabases"
	OpCreateContainer  = "CreateContainer"
	OpReadContainer    = "ReadContainer"
	OpReplaceContainer = "ReplaceContainer"
	OpDeleteContainer  = "DeleteContainer"
	OpReadContainers   = "ReadContainers"
	OpQueryContainers  = "QueryContainers"
	OpReadRanges       = "ReadPartitionKeyRanges"
	OpCreateItem       = "CreateItem"
	OpUpsertItem       = "UpsertItem"
	OpReadItem         = "ReadItem"
	OpReplaceItem      = "ReplaceItem"
	OpDeleteItem       = "DeleteItem"
	OpReadItems        = "ReadItems"
	OpQueryItems       = "QueryItems"
	OpReadQueryPlan    = "ReadQueryPlan"
	OpPatchItem        = "PatchItem"
	OpExecuteBatch     = "ExecuteBatch"
	OpDeleteKey        = "DeletePartitionKey"
	OpReadChangeFeed   = "ReadChangeFeed"
	OpReadOffer        = "ReadOffer"
	OpReplaceOffer     = "ReplaceOffer"
	OpReadOffers       = "ReadOffers"
	OpQueryOffers      = "QueryOffers"
)

// target is the resource in the path of a request.
type target struct {
	// kind is the resource type; feed is true for the collection (/dbs) and false for a single
	// resource (/dbs/a).
	kind string
	feed bool
	// ids along the path, unescaped
	database, container, item, offer string
	// resourceType and link are part of the signature. The link of a feed is that of its owner.
	resourceType, link string
}

// parsePath splits an escaped path. It does not use net/url's cleaned path: an id may have an
// escaped slash, which cleaning would treat as a separator.
func parsePath(escaped string) (target, bool) {
	escaped = strings.Trim(escaped, "/")
	if escaped == "" {
		return target{}, true
	}
	segments := strings.Split(escaped, "/")
	for i, s := range segments {
		u, err := url.PathUnescape(s)
		if err != nil || u == "" {
			return target{}, false
		}
		segments[i] = u
	}
	if segments[0] == "offers" {
		return offerTarget(segments)
	}
	levels := []string{"dbs", containerType, "docs"}
	var t target
	ids := []*string{&t.database, &t.container, &t.item}
	for i, s := range segments {
		level := i / 2
		switch {
		case i%2 == 1:
			*ids[level] = s
			t.feed = false
		case level == 2 && s == "pkranges" && i == len(segments)-1:
			t.kind, t.feed = s, true
		case level == 2 && isKeyDeletion(segments[i:]):
			t.kind, t.resourceType, t.link = segments[i+1], containerType, strings.Join(segments[:i], "/")
			return t, true
		case level < len(levels) && s == levels[level]:
			t.kind, t.feed = s, true
		default:
			return target{}, false
		}
	}
	t.resourceType = t.kind
	if t.feed {
		segments = segments[:len(segments)-1]
	}
	t.link = strings.Join(segments, "/")
	return t, true
}

// containerType is the resource type of a container.
const containerType = "colls"

// isKeyDeletion reports whether segments below a container mean the deletion of all items of a
// partition key.
func isKeyDeletion(segments []string) bool {
	return len(segments) == 2 && segments[0] == "operations" && segments[1] == keyDeletion
}

// keyDeletion is the last path segment of that operation.
const keyDeletion = "partitionkeydelete"

// offerTarget is the target of a path below /offers. Its link is the resource id of
// the offer in lower case: clients sign resource ids in lower case.
func offerTarget(segments []string) (target, bool) {
	t := target{kind: "offers", resourceType: "offers"}
	switch len(segments) {
	case 1:
		t.feed = true
	case 2:
		t.offer, t.link = segments[1], strings.ToLower(segments[1])
	}
	return t, len(segments) <= 2
}

// refusedHeaders name triggers, which this server lacks. Ignoring them would lead to a wrong
// answer.
var refusedHeaders = []string{
	"X-Ms-Documentdb-Pre-Trigger-Include",
	"X-Ms-Documentdb-Post-Trigger-Include",
}

// checkHeaders refuses a request with one of these headers, or with a value that the service
// refuses.
func checkHeaders(h http.Header) error {
	for _, name := range refusedHeaders {
		if h.Get(name) != "" {
			return status.Unsupported("triggers: the header %s", strings.ToLower(name))
		}
	}
	if directive := h.Get("X-Ms-Indexing-Directive"); strings.EqualFold(directive, "Exclude") {
		return status.Unsupported("the indexing directive %s", directive)
	}
	return nil
}

// handler serves one operation.
type handler func(*Server, *call) (*reply, error)

// handlers is the table of operations.
var handlers = map[string]handler{
	OpReadAccount:      (*Server).readAccount,
	OpCreateDatabase:   (*Server).createDatabase,
	OpReadDatabase:     (*Server).readDatabase,
	OpDeleteDatabase:   (*Server).deleteDatabase,
	OpReadDatabases:    (*Server).readDatabases,
	OpQueryDatabases:   (*Server).readDatabases,
	OpCreateContainer:  (*Server).createContainer,
	OpReadContainer:    (*Server).readContainer,
	OpReplaceContainer: (*Server).replaceContainer,
	OpDeleteContainer:  (*Server).deleteContainer,
	OpReadContainers:   (*Server).readContainers,
	OpQueryContainers:  (*Server).readContainers,
	OpReadRanges:       (*Server).readRanges,
	OpCreateItem:       (*Server).serveItem,
	OpUpsertItem:       (*Server).serveItem,
	OpReadItem:         (*Server).serveItem,
	OpReplaceItem:      (*Server).serveItem,
	OpPatchItem:        (*Server).serveItem,
	OpDeleteItem:       (*Server).serveItem,
	OpExecuteBatch:     (*Server).executeBatch,
	OpDeleteKey:        (*Server).deleteKey,
	OpReadChangeFeed:   (*Server).readChangeFeed,
	OpReadOffer:        (*Server).readOffer,
	OpReplaceOffer:     (*Server).replaceOffer,
	OpReadOffers:       (*Server).readOffers,
	OpQueryOffers:      (*Server).readOffers,
	OpReadItems:        (*Server).readItems,
	OpQueryItems:       (*Server).queryItems,
	OpReadQueryPlan:    (*Server).readQueryPlan,
}

// operation returns the operation of a request, or the empty string if this server lacks it.
func operation(r *http.Request, t target) string {
	type route struct {
		kind, method string
		feed         bool
	}
	method := r.Method
	if method == http.MethodHead { // a read without a body
		method = http.MethodGet
	}
	switch (route{t.kind, method, t.feed}) {
	case route{"", "GET", false}:
		return OpReadAccount
	case route{"dbs", "POST", true}:
		return choose(isQuery(r), OpQueryDatabases, OpCreateDatabase)
	case route{"dbs", "GET", true}:
		return OpReadDatabases
	case route{"dbs", "GET", false}:
		return OpReadDatabase
	case route{"dbs", "DELETE", false}:
		return OpDeleteDatabase
	case route{"colls", "POST", true}:
		return choose(isQuery(r), OpQueryContainers, OpCreateContainer)
	case route{"colls", "GET", true}:
		return OpReadContainers
	case route{"colls", "GET", false}:
		return OpReadContainer
	case route{"colls", "PUT", false}:
		return OpReplaceContainer
	case route{"colls", "DELETE", false}:
		return OpDeleteContainer
	case route{"pkranges", "GET", true}:
		return OpReadRanges
	case route{keyDeletion, "POST", false}:
		return OpDeleteKey
	case route{"docs", "POST", true}:
		return postOfItems(r)
	case route{"docs", "GET", true}:
		return choose(r.Header.Get("A-Im") != "", OpReadChangeFeed, OpReadItems)
	case route{"docs", "GET", false}:
		return OpReadItem
	case route{"docs", "PUT", false}:
		return OpReplaceItem
	case route{"docs", "PATCH", false}:
		return OpPatchItem
	case route{"docs", "DELETE", false}:
		return OpDeleteItem
	case route{"offers", "POST", true}:
		return choose(isQuery(r), OpQueryOffers, "")
	case route{"offers", "GET", true}:
		return OpReadOffers
	case route{"offers", "GET", false}:
		return OpReadOffer
	case route{"offers", "PUT", false}:
		return OpReplaceOffer
	}
	return ""
}

// postOfItems returns the operation of a POST to the items of a container.
func postOfItems(r *http.Request) string {
	switch {
	case header.IsTrue(r.Header, "X-Ms-Cosmos-Is-Batch-Request"):
		return OpExecuteBatch
	case header.IsTrue(r.Header, "X-Ms-Cosmos-Is-Query-Plan-Request"):
		return OpReadQueryPlan
	case isQuery(r):
		return OpQueryItems
	}
	return choose(header.IsTrue(r.Header, "X-Ms-Documentdb-Is-Upsert"), OpUpsertItem, OpCreateItem)
}

func choose(condition bool, yes, no string) string {
	if condition {
		return yes
	}
	return no
}

// isQuery reports whether a POST is a query. SDKs use one of two headers, or the
// content type.
func isQuery(r *http.Request) bool {
	return header.IsTrue(r.Header, "X-Ms-Documentdb-Query") || header.IsTrue(r.Header, "X-Ms-Documentdb-Isquery") ||
		strings.HasPrefix(r.Header.Get("Content-Type"), "application/query+json")
}
