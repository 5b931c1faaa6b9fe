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

// OpCommit is the operation of a transaction as a whole, as errors and events
// name it.
const OpCommit = "commit"

// Transaction is operations on documents of one logical partition that take
// effect together or not at all. It is used once, and by one goroutine at a time.
type Transaction struct {
	Writer     *Writer    // of the first operation
	Place      wire.Place // of its document
	Operations []Operation
	bytes      int
	WantsETags bool // a document is to be told its ETag

	token string // in the document that the first operation creates; see Witnessed

	// Open is when an earlier Commit began that may have taken effect, and zero if none may
	// have.
	Open time.Time
}

// Operation is an operation of a transaction.
type Operation struct {
	wire.Operation
	writer *Writer    // of the document
	place  wire.Place // of the document

	// looks says that a look comes before the transaction is sent, and means which
	// document of the type is meant; see verify.
	looks bool
	means func(doc any) bool

	// stamped is the document that the operation stores, if it has stamps that a look
	// decides; nil for others.
	stamped *Document

	// Once says that it is a patch, or counts a version, which must not take effect twice.
	Once bool

	// Request is the patch of a patch; nil for others.
	Request *Patch

	// WasRead says that the transaction has read the document before.
	WasRead bool

	// absent says that a read has found no document, so that there must be none.
	absent bool

	// marked says that the operation is on a document that is marked as deleted.
	marked bool

	// Repeated says that the document may have been stored by an earlier
	// transaction whose outcome was unclear.
	Repeated bool

	// OnCommitted is called once the transaction has taken effect, with the result if
	// there is one. It may be nil.
	OnCommitted func(wire.Result)
}

// Add adds an operation on the document at p, of the container of s.
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

// objection returns why the transaction does not take an operation, nil if it
// does.
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
		// The SDK does not tell databases and accounts of clients.
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

// reserved returns how many operations of a transaction are kept for those that it gets
// while its tenant moves: one, and one for each deletion.
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

// second prepares a second write to a document. A look reads the document from before
// the transaction, and so does not show what the first write makes. After a write to
// a document of the same type, the document is of the type, and there is no need to
// look. If that does not tell whose document it is, and after a write to a document of
// another type, the second write is refused.
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

// OperationError is an error that other types embed under this name.
type OperationError = documents.Error

// CommitError is why an attempt at a transaction failed.
type CommitError struct {
	*OperationError
	Operation int // to blame, counted from 0, or wire.NoOperation

	lost      bool // it may have taken effect
	repeated  bool // the client's pipeline sent it more than once, and an attempt before the last may have
	unnamed   bool // the service has not said which operation is to blame, and would if asked
	overtaken bool // it may succeed if it is sent again
	lacking   bool // the container does not exist
}

// whole returns the error of a transaction that failed as a whole.
func (tx *Transaction) whole(err error) *documents.Error {
	return tx.Writer.Failed(OpCommit, "", tx.Place.Name, true, err)
}

// commit is the state of a transaction that is sent until its outcome is clear.
type commit struct {
	*Transaction
	began   time.Time // before the first attempt
	full    bool      // answers have the results of all operations
	unclear bool      // an attempt may have taken effect
	open    bool      // a look could not tell whether an attempt did
	refused bool      // an attempt was, which the same request may have caused that arrived before
	present bool      // the document of a patch that was refused is of the present form
	unread  bool      // the document with the token could not be read
	misses  int       // of the container
}

// Commit sends the transaction until its outcome is clear, and returns the
// results of its operations, or none where these did not arrive.
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

// refusal is a failure as one that may be settled.
func (c *commit) refusal(failed *CommitError) refusal {
	return refusal{failed.OperationError, c.unclear, c.began}
}

// sentBefore reports whether the transaction was sent before this attempt, also by another Commit.
func (c *commit) sentBefore(attempt int) bool { return attempt > 1 || !c.Open.IsZero() }

// shown reports, before the transaction is sent again, whether the stored documents show that
// it took effect.
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

// again reports whether the transaction is to be sent again after a failed attempt, and how
// long to wait before that, as a number of attempts.
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

// end returns the outcome of a transaction that is not sent again after this attempt.
func (c *commit) end(ctx context.Context, failed *CommitError, attempt int) ([]wire.Result, *CommitError) {
	if failed.overtaken && attempt == backoff.MaxAttempts {
		failed.Note = Contended
	}
	open := false
	if c.token == "" { // else it has told all that there is to know
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

// compared is what the stored documents tell of a transaction that is not sent again.
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

// pause waits before another attempt. It returns false, and adds the reason to the failure,
// if the context ends meanwhile.
func (f *CommitError) pause(ctx context.Context, attempt int) bool {
	err := backoff.Pause(ctx, attempt)
	if err != nil && !errors.Is(f.Err, err) {
		f.Err = errors.Join(f.Err, err)
	}
	return err == nil
}

// refused reports whether the service has refused an operation of the transaction, since what
// is stored is not as it wants it.
func (f *CommitError) refused() bool {
	return f.Operation != wire.NoOperation && f.Status != 0 && overtaken(f.OperationError)
}

// counts reports whether the transaction must not be sent again, after a look, before the
// document of the operation that failed has told whether the transaction took effect.
func (tx *Transaction) counts(f *CommitError) bool {
	if f.Operation == wire.NoOperation {
		return false
	}
	i := &tx.Operations[f.Operation]
	return i.looks && (i.stamped != nil || i.Request != nil || i.Marks)
}

// own returns what the document of the operation that failed tells of the transaction: one
// read, and if that shows that the transaction took effect, one more for each other document
// that it stores. Results are the ETags of what is stored. Sent says that the transaction was
// sent before this attempt, in which a look may have refused it.
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
		r.unclear = false // somebody else may have stored this one: settle looks at all
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

// resultsWith returns the ETags of the documents that a transaction has stored, as results:
// operation n has tag, and a read finds each other one that is wanted.
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

// blind reports whether the transaction stores documents, each in place of any version, and
// does nothing else: then equal documents are as good as its own.
func (tx *Transaction) blind() bool {
	return !slices.ContainsFunc(tx.Operations, func(i Operation) bool {
		return i.Op != wire.OpUpsert && i.Op != wire.OpReplace || i.Unchanged != "" && i.Unchanged != azcore.ETagAny
	})
}

// witness returns the index of the operation whose document tells whether a transaction took
// effect that a failed operation has stopped: that operation, or the first one that stores a
// document if the operation removes one and has found none. It is -1 if there is none.
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

// stores reports whether the transaction stores a document that need not be there.
func (tx *Transaction) stores() bool {
	return slices.ContainsFunc(tx.Operations, func(i Operation) bool { return i.Op == wire.OpCreate || i.Op == wire.OpUpsert })
}

// sameElsewhere reports whether the documents of other ids are stored as the transaction
// wants them.
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

// NotifyCommitted tells those who want to know that the transaction took effect.
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

// failure completes the failure of a transaction.
func (tx *Transaction) failure(f *CommitError, unclear bool) *CommitError {
	f.Unclear = unclear
	if f.Operation == wire.NoOperation && !unclear && f.Note == "" {
		f.Note = "nothing of the transaction was stored"
	}
	return f
}

// attempt sends the transaction once.
func (tx *Transaction) attempt(ctx context.Context, full bool) ([]wire.Result, *CommitError) {
	if err := ctx.Err(); err != nil {
		return nil, &CommitError{OperationError: tx.whole(err), Operation: wire.NoOperation}
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

// rolledBack returns what the results of a transaction say that failed.
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

// busyStatuses are those of an operation that failed because the service was
// busy, and not because of what is stored. The client repeats requests that fail
// so, and does not look into batches.
var busyStatuses = []int{http.StatusTooManyRequests, failure.StatusRetryWith}

// settle reports whether a transaction has failed for the reason that an earlier
// attempt took effect, and returns the ETags of what is stored as results. It has
// if all documents are stored as the transaction wanted them. To look at one of
// them is not enough: somebody else may have stored that one.
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
		seen[item.ID] = true // what was written before the last time does not stay
		if item.Op == wire.OpPatch {
			continue // nobody knows what it made of the document
		}
		tag, as := tx.stored(ctx, item)
		if !as {
			return nil, false
		}
		results[i].ETag = tag
	}
	return results, true
}

// stored reports whether the document of an operation is stored as it wanted,
// and returns its ETag.
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

// WithLook returns i as an operation that looks before the transaction is sent: a read
// says whose document is there, and the operation is sent on the condition that it is
// unchanged. Means is that of verify.
func (i Operation) WithLook(means func(doc any) bool) Operation {
	i.looks, i.means = true, means
	return i
}

// Since returns i on condition that the document is still the one that a read has found,
// with this ETag, or that there is still none, if that is empty. An ETag that i has itself
// stays its condition.
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

// Conditional reports whether operation n has the condition that the document is still the
// one that was read, of which the failure says that it does not hold.
func (tx *Transaction) Conditional(n int) bool {
	i := &tx.Operations[n]
	return i.absent || i.Unchanged != "" && i.Unchanged != azcore.ETagAny
}

// WithStamps returns i, which stores w, with a look that says what its stamps are.
func (i Operation) WithStamps(s *Writer, w Document) Operation {
	if s.Stamps.Carries() {
		i.looks, i.stamped = true, &w
		i.Once = s.Stamps.Version != "" && !s.Stamps.tells()
	}
	return i
}

// looked returns the operations as they can be sent now.
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

// restamp stamps the document of an operation as the one that takes the place of the
// document that a look has seen.
func (i *Operation) restamp(seen sight) error {
	w, err := Restamp(i.writer, i.Op, *i.stamped, seen.raw)
	i.Body = w.Body
	return err
}

// tookEffect reports whether the documents with stamps are stored as the transaction sent
// them last, which shows that it took effect, if they have the times of their last writes.
// Else it takes that for shown which settle does. It returns the ETags of what is stored as
// results.
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

// sights returns the documents at the places of operations that look, by their ids:
// by a point read for one of them, by one query for several.
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

// ofOtherType returns the error of an operation that was refused because the
// document is of another type, hidden or of another form, of which the service says that
// a condition does not hold: that of a patch. Else it returns nil. A mark is refused in
// no form.
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

// unmarked is why a deletion that marks was refused: the error of reading the document. It is nil
// if reads show the document, and if it had to be of an ETag, which then is not its own.
func (i *Operation) unmarked(ctx context.Context) error {
	_, _, err := i.writer.Read(ctx, i.Op, i.place)
	if i.Unchanged != "" && !errors.Is(err, wire.ErrNotFound) {
		return nil
	}
	return err
}

// renew brings the document of a patch to the present form of its type, if the service has
// refused the patch since the document is of an earlier one. It reports whether the patch
// may take effect now, which it does once of a document that is of the present form: somebody
// else may have brought it there.
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

// renewed makes i the patch of a document that was renewed.
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

// repeatable reports whether the transaction can be sent again when it may have
// taken effect: twice is the same as once, or an operation fails the second time,
// and the others with it.
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

// proven reports whether the stored documents show that the transaction has taken
// effect, if they are equal to those that it writes. A document that it creates shows
// it. A document that it replaces or patches on condition does not: another program
// may have made the same of it.
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

// patches reports whether the transaction has a patch, of which the document that
// it leaves does not tell whether it took effect.
func (tx *Transaction) patches() bool {
	return slices.ContainsFunc(tx.Operations, func(i Operation) bool { return i.Op == wire.OpPatch })
}

// writes are the first and the last write of a transaction to one document.
type writes struct{ first, last *Operation }

// writes returns those to each document, by its id.
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

// creates reports whether a document is there that was not there before.
func (w writes) creates() bool { return w.first.Op == wire.OpCreate && w.last.Op != wire.OpDelete }

// failsAgain reports whether the first write fails where both have taken effect:
// it creates a document that exists then, deletes one that is gone or marked, or has a condition that has
// become false. An ETag that is read before each attempt is no such condition.
func (w writes) failsAgain() bool {
	return w.creates() || w.last.Marks || w.first.Op == wire.OpDelete && w.last.Op == wire.OpDelete ||
		w.first.Unchanged != "" && w.first.Unchanged != azcore.ETagAny
}
