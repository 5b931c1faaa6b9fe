package server

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// Request is one line of the journal: a request and its response.
type Request struct {
	// Method and Path are as the client sent them; the path is escaped.
	Method, Path string
	// Operation is one of the Op constants, or empty for an unknown path.
	Operation string
	// PartitionKey is the partition key header as canonical JSON, such as `["a"]`, or empty if
	// the request has none.
	PartitionKey string
	// Range is the id of the partition key range that served the request; for a query across
	// partitions, the range of this page. It is empty for requests that no range serves.
	Range string
	// RangeHeader is the id of the range to which the client limited the request.
	RangeHeader string
	// Region is the name of the region that the request reached, in an account with several
	// regions; otherwise empty.
	Region string
	// Query is the SQL text of a query.
	Query string
	// Items is the number of documents in the response to a query or feed.
	Items int
	// Status and Substatus are those of the response. A dropped connection has status 0.
	Status, Substatus int
	// Charge is the request charge in request units.
	Charge float64
	// Faulted reports that an injected fault acted on the request.
	Faulted bool
	// Start is when the request arrived, and Duration how long it took.
	Start    time.Time
	Duration time.Duration
}

// Limits of the journal. It drops the oldest requests, so that the memory of a long-running
// server does not grow.
const (
	maxJournal      = 100_000  // requests
	maxJournalBytes = 64 << 20 // of memory; a query can be long
)

// journal is a list of requests in the order of their responses. It is safe for concurrent use.
type journal struct {
	mu     sync.Mutex
	blocks [][]line // none is empty
	count  int      // of all lines
	bytes  int
	latest int    // the bytes of the last block
	ever   uint64 // number of all requests, including those before a reset
}

// Limits of a block, which the journal drops as a whole.
const (
	blockLines = 512
	blockBytes = 1 << 20
)

// line is a request as the journal keeps it, in little memory.
type line struct {
	method, operation, path, key, rangeID string
	region                                string      // one of a few texts
	more                                  *moreOfLine // nil for most requests
	start, duration                       int64       // nanoseconds
	charge                                float64
	items, status, substatus              int32
	faulted                               bool
}

// moreOfLine has fields that few requests need.
type moreOfLine struct{ rangeHeader, query string }

// lineSize is about the memory of a request without its texts.
const lineSize = 256

// size is the memory that a request takes, in bytes. Operation is a constant.
func (l *line) size() int {
	n := lineSize + len(l.path) + len(l.key) + len(l.rangeID)
	if l.more != nil {
		n += len(l.more.rangeHeader) + len(l.more.query)
	}
	return n
}

// methods are the usual ones: an unusual text would keep the request's first line in memory.
var methods = []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodHead, http.MethodOptions}

// lineOf returns a request as the journal stores it.
func lineOf(r *Request) line {
	l := line{
		method: r.Method, operation: r.Operation, path: r.Path, key: r.PartitionKey, rangeID: r.Range, region: r.Region,
		start: r.Start.UnixNano(), duration: int64(r.Duration), charge: r.Charge,
		items: int32(r.Items), status: int32(r.Status), substatus: int32(r.Substatus), faulted: r.Faulted,
	}
	if i := slices.Index(methods, r.Method); i >= 0 {
		l.method = methods[i]
	}
	if r.RangeHeader != "" || r.Query != "" {
		l.more = &moreOfLine{r.RangeHeader, r.Query}
	}
	return l
}

// request returns a line as a Request.
func (l *line) request() Request {
	r := Request{
		Method: l.method, Operation: l.operation, Path: l.path, PartitionKey: l.key, Range: l.rangeID, Region: l.region,
		Start: time.Unix(0, l.start), Duration: time.Duration(l.duration), Charge: l.charge,
		Items: int(l.items), Status: int(l.status), Substatus: int(l.substatus), Faulted: l.faulted,
	}
	if l.more != nil {
		r.RangeHeader, r.Query = l.more.rangeHeader, l.more.query
	}
	return r
}

// maxRefusedText is how many bytes of each text of a refused request the journal keeps.
const maxRefusedText = 1 << 10

// shorten drops everything that a client without a valid signature has sent, except for the
// beginning of its path, and cuts long texts of other refused requests. So failing requests
// cannot fill the memory.
func (r *Request) shorten() {
	if r.Status < status.CodeBadRequest || r.Faulted {
		return
	}
	if r.Status == status.Unauthorized {
		r.PartitionKey, r.RangeHeader, r.Query = "", "", ""
	}
	for _, text := range []*string{&r.Path, &r.PartitionKey, &r.RangeHeader, &r.Query} {
		if len(*text) > maxRefusedText {
			*text = strings.Clone((*text)[:maxRefusedText])
		}
	}
}

func (j *journal) add(r Request) {
	j.mu.Lock()
	defer j.mu.Unlock()
	last := len(j.blocks) - 1
	if last < 0 || len(j.blocks[last]) == blockLines || j.latest > blockBytes {
		j.blocks = append(j.blocks, make([]line, 0, blockLines))
		j.latest = 0
		last++
	}
	l := lineOf(&r)
	if n := len(j.blocks[last]); n > 0 && j.blocks[last][n-1].path == l.path {
		l.path = j.blocks[last][n-1].path // most requests follow others with the same path: one text for all
	}
	j.blocks[last] = append(j.blocks[last], l)
	j.count++
	j.ever++
	j.bytes += l.size()
	j.latest += l.size()
	for len(j.blocks) > 1 && (j.count-len(j.blocks[0]) >= maxJournal || j.bytes > maxJournalBytes) {
		j.forget()
	}
}

// forget drops the oldest block.
func (j *journal) forget() {
	for i := range j.blocks[0] {
		j.bytes -= j.blocks[0][i].size()
	}
	j.count -= len(j.blocks[0])
	j.blocks = slices.Delete(j.blocks, 0, 1)
}

func (j *journal) all() []Request {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.last(maxJournal)
}

// last returns the last n requests, or all if there are fewer. The caller holds the lock.
func (j *journal) last(n int) []Request {
	skip := max(0, j.count-n)
	list := make([]Request, 0, j.count-skip)
	for _, block := range j.blocks {
		for i := min(skip, len(block)); i < len(block); i++ {
			list = append(list, block[i].request())
		}
		skip -= min(skip, len(block))
	}
	return list
}

// since returns the latest requests after a number, at most most of them, and the number of the
// last one. Requests are numbered from 1.
func (j *journal) since(number uint64, most int) (list []Request, last uint64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if number >= j.ever {
		return nil, j.ever
	}
	return j.last(int(min(j.ever-number, uint64(most)))), j.ever
}

func (j *journal) reset() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.blocks, j.count, j.bytes, j.latest = nil, 0, 0, 0
}
