package write

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// OpCommit names the operation of a whole transaction in errors and events.
const OpCommit = "commit"

// Transaction has operations on documents of one logical partition that take effect
// together or not at all. It is used once, by one goroutine at a time.
type Transaction struct {
	Writer     *Writer    // of the first operation
	Place      wire.Place // of its document
	Operations []Operation
	bytes      int
	WantsETags bool // a caller wants the ETag of a document

	token string // in the document that the first operation creates; see Witnessed

	// Open is when an earlier Commit began that may have taken effect, or zero.
	Open time.Time
}

// Operation is one operation of a transaction.
type Operation struct {
	wire.Operation
	writer *Writer    // of the document
	place  wire.Place // of the document

	// looks says that the document is read before the transaction is sent. Means selects
	// among documents of the type; see verify.
	looks bool
	means func(doc any) bool

	// stamped is the document that the operation stores, if its stamps depend on a look.
	// Otherwise it is nil.
	stamped *Document

	// Once says that the operation, a patch or one that counts a version, must not take
	// effect twice.
	Once bool

	// Request is the patch, or nil for other operations.
	Request *Patch

	// WasRead says that the transaction has read the document before.
	WasRead bool

	// absent says that a read has found no document, so that none may exist.
	absent bool

	// marked says that the document must be marked as deleted.
	marked bool

	// Repeated says that an earlier transaction of unclear outcome may have stored the
	// document.
	Repeated bool

	// OnCommitted is called after the transaction took effect, with the result if there is
	// one. It may be nil.
	OnCommitted func(wire.Result)
}

// Add adds an operation on the document at p, in the container of s.
func (tx *Transaction) Add(s *Writer, p wire.Place, i Operation) error {
	refusal := tx.objection(s, p, i)
	if refusal == nil {
		refusal = tx.second(s, &i)
	}
	if refusal != nil {
		return s.Failure(i.Op, p, refusal)
	}
	if len(tx.Operations) == 0 {
		tx.Writer, tx.Place = s, p
	}
	i.writer, i.place = s, p
	tx.Operations = append(tx.Operations, i)
	tx.bytes += i.Size()
	return nil
}

// objection returns the reason why the transaction cannot take an operation, or nil.
func (tx *Transaction) objection(s *Writer, p wire.Place, i Operation) error {
	switch {
	case tx.full(s, i):
		return fmt.Errorf("the transaction has %d operations, which is the limit: divide it into several", len(tx.Operations))
	case tx.heavy(i):
		return fmt.Errorf("%w: the transaction would have about %d bytes, and the limit is %d: divide it, or make the documents smaller", wire.ErrTooLarge, tx.bytes+i.Size(), wire.MaxBatchBytes)
	case len(tx.Operations) == 0:
		return nil
	case s.Resident != tx.Writer.Resident:
		return errors.New("only some types of the transaction may have tenants in their own containers: tag all of them own=")
	case s.Client.ID() != tx.Writer.Client.ID():
		return fmt.Errorf("its container is %s and that of the transaction %s, but a transaction is of one container", s.Client.ID(), tx.Writer.Client.ID())
	case *s.Client != *tx.Writer.Client:
		// Clients of the SDK do not reveal their account and database.
		return fmt.Errorf("its repository and the repository of the transaction's first document have different clients for container %s: "+
			"make both repositories with one *azcosmos.ContainerClient, or with those of one *azcosmos.DatabaseClient", s.Client.ID())
	case p.Name != tx.Place.Name:
		return fmt.Errorf("the transaction is for partition %s, and can change only this logical partition", tx.Place.Name)
	}
	return nil
}

// full reports whether the transaction has too many operations to take one more.
func (tx *Transaction) full(s *Writer, i Operation) bool {
	return len(tx.Operations)+tx.reserved(s, i) >= wire.MaxBatchOperations
}

// heavy reports whether the transaction would have too many bytes with one more operation.
func (tx *Transaction) heavy(i Operation) bool { return tx.bytes+i.Size() > wire.MaxBatchBytes }

// reserved returns how many operations must stay free for a tenant that moves: one, and one
// for each deletion.
func (tx *Transaction) reserved(s *Writer, i Operation) int {
	if !s.Resident {
		return 0
	}
	n := 1
	if i.Op == wire.OpDelete {
		n++
	}
	for _, o := range tx.Operations {
		if o.Op == wire.OpDelete {
			n++
		}
	}
	return n
}

// second prepares a second write to a document. A look reads the state before the
// transaction, so it does not show the first write. After a write of the same type, no look
// is needed. The second write is refused if that does not tell whose document it is, or if
// the first one is of another type.
func (tx *Transaction) second(s *Writer, i *Operation) error {
	for _, other := range tx.Operations {
		if other.ID != i.ID || other.Op == wire.OpGet || i.Op == wire.OpGet {
			continue
		}
		if other.Marks {
			return errors.New("the transaction deletes this id already, which marks the document and keeps it there: write it before that, or restore it afterwards")
		}
		if !other.looks && !i.looks {
			continue
		}
		if i.stamped != nil || other.stamped != nil {
			return errors.New("the transaction writes this id already, and the stamps of a document grow by one write in a transaction: write it once")
		}
		if s.Ambiguous || other.writer.Ambiguous || i.looks && other.writer.Type != s.Type {
			return errors.New("the transaction writes this id already, and a read cannot check its type after that: write it once, or with its ETag")
		}
		i.looks = false
	}
	return nil
}

// OperationError is an alias, so that types can embed documents.Error under this name.
type OperationError = documents.Error

// CommitError is the error of one attempt at a transaction.
type CommitError struct {
	*OperationError
	Operation int // the index of the operation at fault, or wire.NoOperation

	lost      bool // the attempt may have taken effect
	repeated  bool // the client's pipeline sent it more than once, and an earlier sending may have taken effect
	unnamed   bool // the service has not named the operation at fault, but would if asked
	overtaken bool // another attempt may succeed
	lacking   bool // the container does not exist
}

func (tx *Transaction) whole(err error) *documents.Error {
	return tx.Writer.Failed(OpCommit, "", tx.Place.Name, true, err)
}

type commit struct {
	*Transaction
	began   time.Time // before the first attempt
	full    bool      // answers have the results of all operations
	unclear bool      // an attempt may have taken effect
	open    bool      // a look could not show whether an attempt took effect
	refused bool      // an attempt was refused, perhaps because its request arrived twice
	present bool      // the document of a refused patch has the present form
	unread  bool      // the document with the token could not be read
	misses  int       // of the container
}

// Commit sends the transaction until its outcome is clear. It returns the results of its
// operations, or none if these did not arrive.
func (tx *Transaction) Commit(ctx context.Context) ([]wire.Result, *CommitError) {
	c := commit{Transaction: tx, began: time.Now(), full: tx.WantsETags}
	if !tx.Open.IsZero() {
		c.began, c.unclear = tx.Open, true
		if results, took := c.tookEffect(ctx); took {
			return results, nil
		}
	}
	for attempt := 1; ; attempt++ {
		results, failed := tx.attempt(ctx, c.full)
		if failed == nil {
			return results, nil
		}
		if results, took := c.shown(ctx, failed, attempt); took {
			return results, nil
		}
		wait, again := c.again(ctx, failed, attempt)
		if !again {
			return c.end(ctx, failed, attempt)
		}
		c.refused = c.refused || failed.refused() && !tx.counts(failed)
		if !failed.pause(ctx, wait) {
			return nil, tx.failure(failed, c.unclear || c.open || c.refused)
		}
	}
}

func (c *commit) refusal(failed *CommitError) refusal {
	return refusal{failed.OperationError, c.unclear, c.began}
}

// sentBefore reports whether the transaction was sent before this attempt, or by another
// Commit.
func (c *commit) sentBefore(attempt int) bool { return attempt > 1 || !c.Open.IsZero() }

// shown reports, after a failed attempt, whether stored documents show that the transaction
// took effect.
func (c *commit) shown(ctx context.Context, failed *CommitError, attempt int) ([]wire.Result, bool) {
	c.unclear = c.unclear || failed.lost || failed.repeated
	if c.token != "" {
		return c.told(ctx, failed)
	}
	if c.unclear {
		if results, took := c.tookEffect(ctx); took {
			return results, true
		}
	}
	if !c.counts(failed) {
		return nil, false
	}
	results, v := c.own(ctx, failed, c.refusal(failed), c.sentBefore(attempt))
	c.open = c.open || v == untold
	return results, v == stored
}

// again reports whether to send the transaction again, and how long to wait, as a number of
// attempts.
func (c *commit) again(ctx context.Context, failed *CommitError, attempt int) (wait int, again bool) {
	repeats := !c.unread && (!c.unclear || c.repeatable())
	switch {
	case failed.lacking && c.stores() && c.Writer.Supply(ctx, &c.misses, failed.OperationError):
	case repeats && failed.lost && attempt <= wire.MaxResends:
		return attempt + wire.UnclearPause, true
	case repeats && failed.unnamed && !c.full:
		c.full = true
	case !c.unclear && attempt < backoff.MaxAttempts && c.renew(ctx, failed, &c.present):
	case repeats && failed.overtaken && attempt < backoff.MaxAttempts:
	default:
		return 0, false
	}
	return attempt, true
}

// end returns the outcome after the last attempt.
func (c *commit) end(ctx context.Context, failed *CommitError, attempt int) ([]wire.Result, *CommitError) {
	if failed.overtaken && attempt == backoff.MaxAttempts {
		failed.Note = Contended
	}
	open := false
	if c.token == "" { // otherwise the token has shown everything
		results, v := c.compared(ctx, failed, attempt)
		if v == stored {
			return results, nil
		}
		open = v == untold
	}
	if other := c.ofOtherType(ctx, failed); other != nil {
		failed.OperationError = other
	}
	return nil, c.failure(failed, c.unclear || open)
}

// compared decides from the stored documents whether the transaction took effect, after the
// last attempt.
func (c *commit) compared(ctx context.Context, failed *CommitError, attempt int) ([]wire.Result, verdict) {
	open := c.open || c.refused && MayHaveStored(failed.OperationError)
	if results, took := c.settle(ctx, failed, c.unclear); took {
		return results, stored
	}
	if !c.counts(failed) {
		results, v := c.own(ctx, failed, c.refusal(failed), c.sentBefore(attempt))
		if v == stored {
			return results, stored
		}
		open = open || v == untold
	}
	if open {
		return nil, untold
	}
	return nil, notStored
}

// pause waits before another attempt. If the context ends, it adds the error and returns
// false.
func (f *CommitError) pause(ctx context.Context, attempt int) bool {
	err := backoff.Pause(ctx, attempt)
	if err != nil && !errors.Is(f.Err, err) {
		f.Err = errors.Join(f.Err, err)
	}
	return err == nil
}

// refused reports whether the service refused an operation because of the stored document.
func (f *CommitError) refused() bool {
	return f.Operation != wire.NoOperation && f.Status != 0 && overtaken(f.OperationError)
}

// counts reports whether the transaction must not be sent again until the document of the
// failed operation has shown whether it took effect.
func (tx *Transaction) counts(f *CommitError) bool {
	if f.Operation == wire.NoOperation {
		return false
	}
	i := &tx.Operations[f.Operation]
	return i.looks && (i.stamped != nil || i.Request != nil || i.Marks)
}

// own decides from the document of the failed operation whether the transaction took effect.
// It costs one read. It also reads each other stored document if the first one leaves that
// open, or if their ETags are wanted. The results have the stored ETags. Sent says that the
// transaction was sent before this attempt, which a look may have refused.
func (tx *Transaction) own(ctx context.Context, f *CommitError, r refusal, sent bool) ([]wire.Result, verdict) {
	if f.Operation == wire.NoOperation || f.Status == 0 && !sent || !overtaken(f.OperationError) {
		return nil, notStored
	}
	at := tx.witness(f)
	if at < 0 {
		return nil, notStored
	}
	i := &tx.Operations[at]
	answer, err := i.writer.ReadStored(ctx, OpCommit, i.place)
	if err != nil {
		return nil, unread(err)
	}
	var v verdict
	switch {
	case i.Marks:
		if i.writer.Deleted.hasMark(answer.Value, i.Mark) {
			v = stored
		}
	case i.Request != nil:
		v = r.judgeRefused(i.writer, *i.Request, answer)
	default:
		w := Document{Place: i.place, Body: i.Body}
		if i.stamped != nil {
			w.Stamp = i.stamped.Stamp
		}
		r.unclear = false // another program may have stored an equal document: settle compares all
		v = r.judge(i.writer, w, answer, i.Op == wire.OpCreate)
	}
	switch {
	case v != untold:
	case !tx.sameElsewhere(ctx, i.ID):
		v = notStored
	case tx.blind() && i.writer.Shows(answer.Value):
		v = stored
	}
	if v != stored {
		return nil, v
	}
	return tx.resultsWith(ctx, at, answer.ETag), stored
}

// resultsWith returns the ETags of the stored documents as results. Operation n has tag;
// the others are read, if wanted.
func (tx *Transaction) resultsWith(ctx context.Context, n int, tag azcore.ETag) []wire.Result {
	results := make([]wire.Result, len(tx.Operations))
	for i, other := range tx.Operations {
		switch {
		case i == n:
			results[i].ETag = tag
		case other.Body != nil && tx.WantsETags:
			results[i].ETag, _ = tx.stored(ctx, other)
		}
	}
	return results
}

// blind reports whether the transaction only stores documents over any version. Then equal
// documents prove it, whichever program stored them.
func (tx *Transaction) blind() bool {
	return !slices.ContainsFunc(tx.Operations, func(i Operation) bool {
		return i.Op != wire.OpUpsert && i.Op != wire.OpReplace || i.Unchanged != "" && i.Unchanged != azcore.ETagAny
	})
}

// witness returns the index of the operation whose document shows whether the transaction
// took effect: the failed one, or, if that removes a document that is missing, the first
// one that stores a document. It returns -1 if there is none.
func (tx *Transaction) witness(f *CommitError) int {
	switch i := tx.Operations[f.Operation]; {
	case i.Op == wire.OpGet:
		return -1
	case i.Op != wire.OpDelete || i.Marks:
		return f.Operation
	case !errors.Is(f.OperationError, wire.ErrNotFound):
		return -1
	}
	all := tx.writes()
	for n := range tx.Operations {
		if i := &tx.Operations[n]; i.Body != nil && i.Op != wire.OpDelete && all[i.ID].last == i {
			return n
		}
	}
	return -1
}

// stores reports whether the transaction creates or upserts a document.
func (tx *Transaction) stores() bool {
	return slices.ContainsFunc(tx.Operations, func(i Operation) bool { return i.Op == wire.OpCreate || i.Op == wire.OpUpsert })
}

// sameElsewhere reports whether the documents of other ids are stored as the transaction
// writes them.
func (tx *Transaction) sameElsewhere(ctx context.Context, id string) bool {
	for other, w := range tx.writes() {
		if other == id || w.last.Body == nil {
			continue
		}
		if _, same := tx.stored(ctx, *w.last); !same {
			return false
		}
	}
	return true
}

// NotifyCommitted calls OnCommitted of each operation.
func (tx *Transaction) NotifyCommitted(results []wire.Result) {
	for i := range tx.Operations {
		if took := tx.Operations[i].OnCommitted; took != nil {
			var result wire.Result
			if i < len(results) {
				result = results[i]
			}
			took(result)
		}
	}
}

func (tx *Transaction) failure(f *CommitError, unclear bool) *CommitError {
	f.Unclear = unclear
	if f.Operation == wire.NoOperation && !unclear && f.Note == "" {
		f.Note = "nothing of the transaction was stored"
	}
	return f
}

func (tx *Transaction) attempt(ctx context.Context, full bool) ([]wire.Result, *CommitError) {
	if err := ctx.Err(); err != nil {
		return nil, &CommitError{OperationError: tx.whole(err), Operation: wire.NoOperation}
	}
	for _, i := range tx.Operations {
		ctx = i.writer.RelyingOf(ctx, i.Op) //nolint:fatcontext // two contexts at most: the first use that is refused stays
	}
	operations, failed := tx.looked(ctx)
	if failed != nil {
		return nil, failed
	}
	if !tx.repeatable() {
		ctx = wire.RetryRefused(ctx)
	}
	watchCtx, watch := wire.Watch(ctx)
	results, committed, err := tx.Writer.SendBatch(watchCtx, OpCommit, tx.Place, operations, full)
	if err == nil && committed {
		return results, nil
	}
	failed = tx.rolledBack(results)
	if err != nil {
		failed = &CommitError{OperationError: tx.whole(err), Operation: wire.NoOperation, lost: wire.IsUnclear(err)}
		failed.unnamed = overtaken(failed.OperationError)
		failed.lacking = tx.Writer.Lacks(err)
	}
	failed.repeated = watch.Unclear()
	return nil, failed
}

// rolledBack returns the error that the results of a failed transaction give.
func (tx *Transaction) rolledBack(results []wire.Result) *CommitError {
	i := wire.Culprit(results)
	if i == wire.NoOperation {
		err := errors.New("the service has rolled it back, and does not name the operation that failed")
		return &CommitError{OperationError: tx.whole(err), Operation: wire.NoOperation, unnamed: true}
	}
	item, status := &tx.Operations[i], int(results[i].StatusCode)
	failed := &CommitError{OperationError: wire.Rejected(item.Op, item.writer.Type, item.ID, tx.Place.Name, status), Operation: i}
	failed.overtaken = item.looks && overtaken(failed.OperationError) || slices.Contains(busyStatuses, status)
	return failed
}

// busyStatuses are the statuses of an operation that failed because the service was busy.
// The client retries such a request, but does not look into batches.
var busyStatuses = []int{http.StatusTooManyRequests, failure.StatusRetryWith}

// settle reports whether an earlier attempt took effect, and returns the stored ETags as
// results. That is so if all documents are stored as the transaction writes them. One
// document is not enough, because another program may have stored it.
func (tx *Transaction) settle(ctx context.Context, f *CommitError, unclear bool) ([]wire.Result, bool) {
	if f.Operation == wire.NoOperation || !overtaken(f.OperationError) || !tx.proven() {
		return nil, false
	}
	if !unclear && (!tx.Operations[f.Operation].Repeated || tx.patches()) {
		return nil, false
	}
	results := make([]wire.Result, len(tx.Operations))
	seen := map[string]bool{}
	for i, item := range slices.Backward(tx.Operations) {
		if item.Op == wire.OpGet || seen[item.ID] {
			continue
		}
		seen[item.ID] = true // an earlier write of the same document is overwritten
		if item.Op == wire.OpPatch {
			continue // the result of a patch is not known
		}
		tag, as := tx.stored(ctx, item)
		if !as {
			return nil, false
		}
		results[i].ETag = tag
	}
	return results, true
}

// stored reports whether the document of an operation is stored as written, and returns its
// ETag.
func (tx *Transaction) stored(ctx context.Context, i Operation) (azcore.ETag, bool) {
	w := Document{Place: tx.Place, Body: i.Body}
	w.ID = i.ID
	answer, same, err := storedAt(ctx, i.writer, OpCommit, w)
	if i.Marks && err == nil {
		_, _, err = i.writer.Read(ctx, OpCommit, w.Place)
		return "", i.writer.gone(err)
	}
	if i.Op == wire.OpDelete {
		return "", errors.Is(err, wire.ErrNotFound)
	}
	return answer.ETag, same && err == nil
}

// WithLook returns i with a look: before the transaction is sent, the document is read, and
// the operation is conditional on it. Means is as in verify.
func (i Operation) WithLook(means func(doc any) bool) Operation {
	i.looks, i.means = true, means
	return i
}

// Since returns i on condition that the document still has the ETag of an earlier read, or,
// if tag is empty, still does not exist. An ETag that i already has takes precedence.
func (i Operation) Since(tag azcore.ETag) Operation {
	switch {
	case i.Op == wire.OpCreate || i.Op == wire.OpGet || i.Unchanged != "":
	case i.looks:
		i.Unchanged, i.absent = tag, tag == ""
	case i.Op == wire.OpUpsert || tag != "":
		i.Operation = i.Given(tag)
	}
	return i
}

// Conditional reports whether operation n requires the document to be unchanged since it
// was read.
func (tx *Transaction) Conditional(n int) bool {
	i := &tx.Operations[n]
	return i.absent || i.Unchanged != "" && i.Unchanged != azcore.ETagAny
}

// WithStamps returns i, which stores w, with a look for the stamps.
func (i Operation) WithStamps(s *Writer, w Document) Operation {
	if s.Stamps.Carries() {
		i.looks, i.stamped = true, &w
		i.Once = s.Stamps.Version != "" && !s.Stamps.tells()
	}
	return i
}

// looked returns the operations with the conditions of a new look.
func (tx *Transaction) looked(ctx context.Context) ([]wire.Operation, *CommitError) {
	seen, err := tx.sights(ctx)
	var own *documents.Error
	if errors.As(err, &own) {
		return nil, &CommitError{OperationError: own, Operation: wire.NoOperation}
	}
	operations := make([]wire.Operation, len(tx.Operations))
	for n := range tx.Operations {
		i := &tx.Operations[n]
		operations[n] = i.Operation
		if !i.looks {
			continue
		}
		tag, err := judge(i.writer, i.Op, i.place, seen[i.ID], i.means, i.Op == wire.OpUpsert)
		if errors.As(err, &own) {
			return nil, &CommitError{OperationError: own, Operation: n}
		}
		if i.Unchanged != "" && i.Unchanged != azcore.ETagAny && i.Unchanged != tag || i.absent && tag != "" {
			err = i.writer.changedError(i.Op, i.place)
			errors.As(err, &own)
			return nil, &CommitError{OperationError: own, Operation: n}
		}
		if i.stamped != nil {
			if err := i.restamp(seen[i.ID]); errors.As(err, &own) {
				return nil, &CommitError{OperationError: own, Operation: n}
			}
		}
		operations[n] = i.Given(tag)
	}
	return operations, nil
}

// restamp stamps the document of an operation as the successor of the one seen.
func (i *Operation) restamp(seen sight) error {
	w, err := Restamp(i.writer, i.Op, *i.stamped, seen.raw)
	i.Body = w.Body
	return err
}

// tookEffect reports whether the stored documents with stamps are the ones sent last, which
// proves that the transaction took effect. Without times of last writes this is proof only
// if proven says so. The results have the stored ETags.
func (tx *Transaction) tookEffect(ctx context.Context) ([]wire.Result, bool) {
	results := make([]wire.Result, len(tx.Operations))
	shown := false
	for n := range tx.Operations {
		i := &tx.Operations[n]
		if i.stamped == nil {
			continue
		}
		if !i.writer.Stamps.tells() && !tx.proven() {
			return nil, false
		}
		response, err := i.writer.ReadStored(ctx, OpCommit, i.place)
		sent := Document{Body: i.Body, Stamp: i.stamped.Stamp}
		if err != nil || !sent.tookEffect(response.Value) {
			return nil, false
		}
		results[n].ETag, shown = response.ETag, true
	}
	for n, i := range tx.Operations {
		if shown && i.stamped == nil && i.Body != nil {
			results[n].ETag, _ = tx.stored(ctx, i)
		}
	}
	return results, shown
}

// sights returns the documents of operations that look, by id: by a point read for one, by
// one query for several.
func (tx *Transaction) sights(ctx context.Context) (map[string]sight, error) {
	var look []*Operation
	var ids []string
	whole := false
	for n := range tx.Operations {
		if i := &tx.Operations[n]; i.looks {
			look, ids, whole = append(look, i), append(ids, i.ID), whole || i.writer.Ambiguous
		}
	}
	switch len(look) {
	case 0:
		return nil, nil
	case 1:
		one := look[0]
		response, err := one.writer.Fetch(ctx, one.Op, one.place)
		if errors.Is(err, wire.ErrNotFound) {
			return nil, nil
		}
		return map[string]sight{one.ID: {response.Value, response.ETag}}, err
	}
	return lookAtAll(ctx, look[0].writer, OpCommit, tx.Place, ids, whole)
}

// ofOtherType returns the error of a patch or a mark that was refused because the document
// is of another type, hidden, or for a patch of another form. Otherwise it returns nil.
func (tx *Transaction) ofOtherType(ctx context.Context, f *CommitError) *documents.Error {
	if f.Operation == wire.NoOperation || !errors.Is(f.OperationError, wire.ErrPreconditionFailed) {
		return nil
	}
	i := &tx.Operations[f.Operation]
	if i.Op != wire.OpPatch && !i.Marks || i.marked {
		return nil
	}
	var err error
	if i.Marks {
		err = i.unmarked(ctx)
	} else {
		err = i.writer.refusal(ctx, i.Op, i.place)
	}
	var own *documents.Error
	if err != nil && !absent(err) && errors.As(err, &own) {
		return own
	}
	return nil
}

// unmarked returns the error of reading a document whose mark was refused. It is nil if
// reads show the document, and if the operation requires an ETag and the document exists.
func (i *Operation) unmarked(ctx context.Context) error {
	_, _, err := i.writer.Read(ctx, i.Op, i.place)
	if i.Unchanged != "" && !errors.Is(err, wire.ErrNotFound) {
		return nil
	}
	return err
}

// renew brings the document of a refused patch to the present form of its type. It reports
// whether the patch may succeed now. If the document has the present form already, that is
// so once, because another program may have renewed it.
func (tx *Transaction) renew(ctx context.Context, f *CommitError, last *bool) bool {
	if f.Operation == wire.NoOperation || !errors.Is(f.OperationError, wire.ErrPreconditionFailed) {
		return false
	}
	i := &tx.Operations[f.Operation]
	if i.Op != wire.OpPatch || i.marked || i.writer.Schema == nil || *last {
		return false
	}
	renewed, err := Renew(ctx, i.writer, i.Op, i.place, i.means, nil, 0)
	var own *documents.Error
	if err != nil && !absent(err) && errors.As(err, &own) {
		f.OperationError = own
	}
	*last = !renewed.Stored
	if err == nil && i.Request != nil {
		err = i.renewed(renewed)
	}
	return err == nil && (renewed.Stored || i.Request == nil || !i.Request.counts) // see SendPatch
}

// renewed changes i into the patch of a renewed document.
func (i *Operation) renewed(r Renewal) error {
	request, err := i.Request.after(r)
	if err != nil {
		return err
	}
	patch, err := request.SDK()
	if err == nil {
		i.Request, i.Patch = &request, patch
	}
	return err
}

// repeatable reports whether a transaction that may have taken effect can be sent again:
// that is harmless, or one operation fails the second time, and all others with it.
func (tx *Transaction) repeatable() bool {
	if !slices.ContainsFunc(tx.Operations, func(i Operation) bool { return i.Once }) {
		return true
	}
	for _, w := range tx.writes() {
		if w.failsAgain() {
			return true
		}
	}
	return false
}

// proven reports whether equal stored documents prove that the transaction took effect. A
// document that it creates proves it. A document that it replaces on an ETag or patches
// does not, because another program may have made the same change.
func (tx *Transaction) proven() bool {
	for _, w := range tx.writes() {
		if w.creates() {
			return true
		}
	}
	return !slices.ContainsFunc(tx.Operations, func(i Operation) bool {
		return i.Op == wire.OpPatch || i.Unchanged != "" && i.Op != wire.OpDelete
	})
}

// patches reports whether the transaction has a patch. The stored document does not show
// whether a patch took effect.
func (tx *Transaction) patches() bool {
	return slices.ContainsFunc(tx.Operations, func(i Operation) bool { return i.Op == wire.OpPatch })
}

// writes are the first and the last write to one document.
type writes struct{ first, last *Operation }

// writes returns the writes to each document, by id.
func (tx *Transaction) writes() map[string]writes {
	all := map[string]writes{}
	for i := range tx.Operations {
		item := &tx.Operations[i]
		if item.Op == wire.OpGet {
			continue
		}
		w := all[item.ID]
		if w.first == nil {
			w.first = item
		}
		w.last = item
		all[item.ID] = w
	}
	return all
}

// creates reports whether the writes create a document and leave it.
func (w writes) creates() bool { return w.first.Op == wire.OpCreate && w.last.Op != wire.OpDelete }

// failsAgain reports whether the first write fails if all took effect before: it creates a
// document that exists, deletes one that is gone or marked, or has a condition that became
// false. An ETag that is read before each attempt is not such a condition.
func (w writes) failsAgain() bool {
	return w.creates() || w.last.Marks || w.first.Op == wire.OpDelete && w.last.Op == wire.OpDelete ||
		w.first.Unchanged != "" && w.first.Unchanged != azcore.ETagAny
}
