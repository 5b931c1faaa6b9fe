package write

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/jsonvalue"
	"github.com/cosmos-pkgen/pkgen/repository/internal/predicate"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// maxOperations is the most operations that a patch may have ("Frequently asked questions
// about partial document update in Azure Cosmos DB").
const maxOperations = 10

// Patch is a checked patch. Its JSON is the body of the request.
type Patch struct {
	Condition  string           `json:"condition,omitempty"`
	Operations []PatchOperation `json:"operations"`

	// Once says that the patch must not take effect twice, so that a request is repeated
	// only if it certainly had no effect.
	Once bool `json:"-"`

	// stamps are the type's, or nil. At is the time that the patch writes.
	stamps *Stamps
	at     time.Time

	// guarded says that the condition requires the document not to have the time of the
	// patch, so that a repetition is harmless.
	guarded bool

	// counts says that guarded is not enough: if another program writes the document after
	// the patch, the time is gone, and the patch would take effect again.
	counts bool

	computed Computed

	// completed is the number of operations that the run time added for indexes.
	completed int

	// asked is the caller's condition without values, for errors, or empty. Tree is that
	// condition, and ofType the condition of the type.
	asked  string
	tree   condition.Node
	ofType string
}

// Add adds operations. It returns an error for an inexact integer, an invalid vector, or a
// computed property.
func (p *Patch) Add(c PatchOperations, s *Writer) error {
	exact := s.Integers
	if c.Err != nil && !exact.acknowledged(c.Operations) {
		return c.Err
	}
	for _, o := range c.Operations {
		if err := exact.check(o.Value, o.names()...); err != nil {
			return fmt.Errorf("operation on %q: %w", o.Path, err)
		}
		if err := errors.Join(s.Vectors.checkOperation(o), s.Computed.checkOperation(o)); err != nil {
			return fmt.Errorf("operation on %q: %w", o.Path, err)
		}
	}
	p.computed = s.Computed
	p.Operations = append(p.Operations, c.Operations...)
	return nil
}

// WithCondition returns p with its conditions and the stamps of the type, which may be nil.
// It returns an error if the patch is invalid.
func (p Patch) WithCondition(ofType string, asked condition.Node, stamps *Stamps) (Patch, error) {
	own := stamps.operations()
	switch n, most := len(p.Operations)-p.completed, maxOperations-own-p.completed; {
	case n == 0:
		return Patch{}, errors.New("there are no operations: pass at least one")
	case n > most:
		text := fmt.Sprintf("the %d of one patch", most)
		if own > 0 {
			text += fmt.Sprintf(", which are %d and %d for the stamps", maxOperations, own)
		}
		if p.completed > 0 {
			text += fmt.Sprintf(", which are %d less %d for indexes", most+p.completed, p.completed)
		}
		return Patch{}, fmt.Errorf("there are %d operations, more than %s: "+
			"make several patches, or read the document and replace it", n, text)
	}
	p.Once = !repeatable(p.Operations)
	if own > 0 {
		p.stamp(stamps, stamps.now())
	}
	p.ofType, p.tree = ofType, asked
	if asked != nil {
		p.asked = predicate.PlaceholderSQL(asked)
		if err := p.computed.checkCondition(p.asked); err != nil {
			return Patch{}, err
		}
	}
	return p.conditioned()
}

// conditioned returns p with its condition as text.
func (p Patch) conditioned() (Patch, error) {
	conditions := make([]string, 0, 3)
	if p.ofType != "" {
		conditions = append(conditions, "("+p.ofType+")")
	}
	if p.tree != nil {
		text, err := predicate.PatchSQL(p.tree)
		if err != nil {
			return Patch{}, err
		}
		conditions = append(conditions, "("+text+")")
	}
	if p.guarded {
		conditions = append(conditions, p.unless())
	}
	if len(conditions) > 0 {
		p.Condition = "from c where " + strings.Join(conditions, " AND ")
	}
	return p, nil
}

// after returns p for a renewed document: a condition on the former ETag becomes one on the
// new ETag.
func (p Patch) after(r Renewal) (Patch, error) {
	if p.tree == nil || r.Before == "" {
		return p, nil
	}
	p.tree = predicate.WithETag(p.tree, string(r.Before), string(r.After))
	return p.conditioned()
}

// Size returns the bytes of the patch in a request.
func (p Patch) Size() (int, error) {
	body, err := json.Marshal(p)
	return len(body), err
}

// AddTo sets p as the patch of o, an operation of a batch.
func (p Patch) AddTo(o *wire.Operation) (err error) {
	if o.Patch, err = p.SDK(); err == nil {
		o.PatchBytes, err = p.Size()
	}
	return err
}

// repeatable reports whether the operations leave the same document if they take effect
// twice.
func repeatable(operations []PatchOperation) bool {
	for i, o := range operations {
		if o.tidies {
			continue
		}
		switch o.Op {
		case PatchSet, PatchAdd:
			// The name may be an index, before which another element is inserted.
			if name := o.Path[strings.LastIndexByte(o.Path, '/')+1:]; name == "-" || strings.Trim(name, "0123456789") == "" {
				return false
			}
		case PatchReplace:
		default:
			return false
		}
		// A value set inside another one is lost if that is set later.
		for _, later := range operations[i+1:] {
			if rest, within := strings.CutPrefix(o.Path, later.Path); within && strings.HasPrefix(rest, "/") {
				return false
			}
		}
	}
	return true
}

// ErrFraction is the reason why azcosmos cannot send a patch: its AppendIncrement takes an
// int64.
var ErrFraction = errors.New("an increment is a fraction, or beyond the range of int64")

// SDK returns p as operations of azcosmos, or ErrFraction.
func (p Patch) SDK() (wire.PatchOperations, error) {
	var all wire.PatchOperations
	if p.Condition != "" {
		// azcosmos writes it between quotes without escaping (MarshalJSON in
		// cosmos_patch_operations.go).
		quoted, err := json.Marshal(p.Condition)
		if err != nil {
			return wire.PatchOperations{}, err
		}
		all.SetCondition(string(quoted[1 : len(quoted)-1]))
	}
	for _, o := range p.Operations {
		switch o.Op {
		case PatchAdd:
			all.AppendAdd(o.Path, o.Value)
		case PatchSet:
			all.AppendSet(o.Path, o.Value)
		case PatchReplace:
			all.AppendReplace(o.Path, o.Value)
		case PatchRemove:
			all.AppendRemove(o.Path)
		case PatchIncrement:
			by, err := strconv.ParseInt(string(o.Value), 10, 64)
			if err != nil {
				return wire.PatchOperations{}, ErrFraction
			}
			all.AppendIncrement(o.Path, by)
		}
	}
	return all, nil
}

// PatchOperations are the operations of one call, or the reason why they cannot run.
type PatchOperations struct {
	Operations []PatchOperation
	Err        error
}

// PatchOperation is one operation of a patch, in the JSON of the service.
type PatchOperation struct {
	Op    string          `json:"op"`
	Path  string          `json:"path"`
	Value json.RawMessage `json:"value,omitempty"`

	// tidies says that the operation removes a property that the previous one has set, so
	// that both can be repeated.
	tidies bool
}

// The operations of a patch, from "Supported operations" on Microsoft's page
// "Partial document update in Azure Cosmos DB".
const (
	PatchAdd       = "add"
	PatchSet       = "set"
	PatchReplace   = "replace"
	PatchRemove    = "remove"
	PatchIncrement = "incr"
)

// Within reports whether the operation may change the given property.
func (o PatchOperation) Within(name string) bool {
	names := jsonpointer.Names(o.Path)
	return len(names) > 0 && names[0] == name
}

// String returns the operations as JSON, separated by commas.
func (c PatchOperations) String() string {
	if c.Err != nil {
		return "invalid: " + c.Err.Error()
	}
	texts := make([]string, len(c.Operations))
	for i, o := range c.Operations {
		data, err := json.Marshal(o)
		if err != nil {
			return "invalid: " + err.Error()
		}
		texts[i] = string(data)
	}
	return strings.Join(texts, ",")
}

// NewPatchOperations returns the operation, or one that keeps err. If old documents have
// the property under another name, it returns several operations.
func NewPatchOperations(o PatchOperation, method string, err error) PatchOperations {
	path, aliases := text.Renamed(o.Path)
	o.Path = path
	if err == nil {
		err = checkPath(o.Path)
	}
	all := []PatchOperation{o}
	if aliases != nil && (err == nil || errors.Is(err, jsonvalue.ErrBeyondExact)) {
		var refused error
		if all, refused = renamed(o, aliases); refused != nil {
			err = refused
		}
	}
	if err == nil {
		return PatchOperations{Operations: all}
	}
	c := PatchOperations{Err: fmt.Errorf("operation on %q: %s: %w", o.Path, method, err)}
	if errors.Is(err, jsonvalue.ErrBeyondExact) && o.Op != PatchIncrement {
		c.Operations = all // the caller decides by the tag of the field
	}
	return c
}

// checkPath returns an error if path is not a JSON pointer.
func checkPath(path string) error {
	switch {
	case !strings.HasPrefix(path, "/"):
		return fmt.Errorf("the path is not a JSON pointer: it begins with a slash, as %q does", "/speed")
	case !jsonpointer.WellEscaped(path):
		return errors.New("the path is not a JSON pointer: write ~0 for ~ and ~1 for / in a name")
	case !utf8.ValidString(path):
		return errors.New("the path is not valid UTF-8, and names of properties are: correct the key of the map")
	}
	return nil
}

// A property that old documents have under an alias is written under its own name, and its
// aliases are removed, so that no document has it twice. The service refuses to remove a
// missing property, so each alias is set and then removed. The service applies operations
// in order and in one step ("Partial document update in Azure Cosmos DB: supported
// operations"), so this needs no read.

// renamed returns the operations of o on a property with aliases.
func renamed(o PatchOperation, aliases []string) ([]PatchOperation, error) {
	var all []PatchOperation
	switch {
	case strings.Count(o.Path, "/") > 1:
		return nil, errors.New("old documents have the enclosing property under another name, where a patch does not find it: set the whole property, or use Update")
	case o.Op == PatchSet || o.Op == PatchAdd:
		all = append(all, o)
	case o.Op == PatchRemove:
		all = append(all, removed(o.Path)...)
	default:
		return nil, errors.New("old documents have the property under another name, which a patch does not read: use Set or Update")
	}
	for _, name := range aliases {
		all = append(all, removed("/"+jsonpointer.Escape(name))...)
	}
	return all, nil
}

// removed returns the operations that remove a property, whether or not it exists.
func removed(path string) []PatchOperation {
	return []PatchOperation{
		{Op: PatchSet, Path: path, Value: json.RawMessage("null")},
		{Op: PatchRemove, Path: path, tidies: true},
	}
}

// SendPatch patches the document at p. Means is as in verify. The stored document goes to c.
func SendPatch(ctx context.Context, s *Writer, p wire.Place, means func(doc any) bool, request Patch, c *wire.Content) error {
	const op = wire.OpPatch
	if err := s.JoinSession(ctx, op); err != nil {
		return err
	}
	return inForm(s, p, request, func(request Patch) error { return sendPatch(ctx, s, p, means, request, c) }, func() (Renewal, error) {
		return Renew(ctx, s, op, p, means, nil, 0)
	})
}

// inForm sends a patch. If the document is of an earlier form of its type, renew brings it
// to the present form first.
func inForm(s *Writer, p wire.Place, request Patch, send func(Patch) error, renew func() (Renewal, error)) error {
	for attempt, last := 1, false; ; attempt++ {
		err := send(request)
		if s.Schema == nil || last || !errors.Is(err, wire.ErrPreconditionFailed) || errors.Is(err, wire.ErrUnclear) {
			return err
		}
		if attempt == backoff.MaxAttempts {
			return wire.Noted(err, Contended, nil)
		}
		if !errors.Is(err, errOlder) {
			if request.counts { // or its request arrived twice, and another program has written since
				return err
			}
			last = true // another program may have renewed it since the patch was refused
			continue
		}
		renewed, err := renew()
		if err != nil {
			return err
		}
		if request, err = request.after(renewed); err != nil {
			return s.Failure(wire.OpPatch, p, err)
		}
	}
}

// errOlder is the reason why a patch was refused: in a document of an earlier form its
// properties may be elsewhere, and a later upgrade would overwrite them.
var errOlder = errors.New("the document is of an earlier form of its type: call Update, or Upgrade of the repository, first")

// sendPatch is SendPatch for a document of the present form.
func sendPatch(ctx context.Context, s *Writer, p wire.Place, means func(doc any) bool, request Patch, c *wire.Content) error {
	const op = wire.OpPatch
	send, err := patching(s, p, request, c)
	if err != nil {
		return s.Failure(op, p, err)
	}
	if s.Ambiguous {
		request.Once = request.Once || request.Increments()
		return patchVerified(ctx, s, op, p, means, request, verified{change: send, once: request.Once, counts: request.counts})
	}
	var why error             // the reason for the refusal, apart from the caller's condition
	var unchanged azcore.ETag // of a document that the patch certainly has not changed
	w := Request{
		Send: func(ctx context.Context) (wire.Answer, error) { return send(ctx, unchanged) },
		once: request.Once,
		settle: func(ctx context.Context, r refusal) (azcore.ETag, verdict) {
			if r.Status != http.StatusPreconditionFailed {
				return "", notStored
			}
			_, answer, err := s.Read(ctx, op, p)
			if why = s.refusedFor(op, p, answer.Value, err); err != nil {
				return "", unread(err)
			}
			return answer.ETag, r.judgeRefused(s, request, answer)
		},
	}
	if request.counts {
		w.before = func(ctx context.Context, r refusal) (azcore.ETag, verdict) {
			answer, err := s.Fetch(ctx, op, p)
			if err != nil {
				return "", untold
			}
			unchanged = answer.ETag
			if v := r.judgePatch(request, answer); v != notStored || !r.recent(answer) {
				return answer.ETag, v
			}
			return "", untold
		}
	}
	if request.Increments() {
		if err := request.sentAgain(s, p, c, &w); err != nil {
			return s.Failure(op, p, err)
		}
	}
	_, err = Send(ctx, s, op, p, w)
	var own *documents.Error
	if !errors.As(err, &own) || own.Status != http.StatusPreconditionFailed {
		return err
	}
	if why != nil {
		return wire.StillUnclear(why, own.Unclear)
	}
	if request.asked != "" {
		own.Kind = notHeldError{request.asked}
	}
	return own
}

// refusal returns the reason why the service refused a patch, if the document is of another
// type, hidden, or of another form. Each patch has these conditions.
func (s *Writer) refusal(ctx context.Context, op string, p wire.Place) error {
	if s.PatchCondition() == "" {
		return nil
	}
	_, response, err := s.Read(ctx, op, p)
	return s.refusedFor(op, p, response.Value, err)
}

// refusedFor is refusal for a document that was read, or whose read failed by err.
func (s *Writer) refusedFor(op string, p wire.Place, raw []byte, err error) error {
	if err != nil {
		if s.Schema == nil && !errors.Is(err, wire.ErrNotFound) {
			return nil
		}
		return err
	}
	if err := s.Schema.Newer(raw); err != nil {
		return s.Failure(op, p, err)
	}
	if s.Schema.IsOlder(raw) {
		failure := s.Failure(op, p, errOlder)
		failure.Kind = wire.ErrPreconditionFailed
		return failure
	}
	return nil
}

// notHeldError is ErrPreconditionFailed with the condition of a patch.
type notHeldError struct{ condition string }

func (e notHeldError) Error() string { return "the condition does not hold: " + e.condition }

func (e notHeldError) Unwrap() error { return wire.ErrPreconditionFailed }

// patching returns a function that sends the patch to p. Unless its ETag is empty, the
// document must have it. The stored document goes to c.
func patching(s *Writer, p wire.Place, request Patch, c *wire.Content) (func(context.Context, azcore.ETag) (wire.Answer, error), error) {
	operations, err := request.SDK()
	if errors.Is(err, ErrFraction) {
		return patchingFractions(s, p, request, c)
	}
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, unchanged azcore.ETag) (wire.Answer, error) {
		return c.Keep(s.PatchItem(request.retries(ctx), p.Key, p.ID, operations, c.Options(wire.IfMatch(ctx, unchanged))))
	}, nil
}

// patchingFractions is patching for increments that azcosmos cannot write: a policy of the
// client replaces the body. Without the policy the service refuses the request, because it
// has no operations.
func patchingFractions(s *Writer, p wire.Place, request Patch, c *wire.Content) (func(context.Context, azcore.ETag) (wire.Answer, error), error) {
	body, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, unchanged azcore.ETag) (wire.Answer, error) {
		if s.IsFenced(ctx) {
			return wire.Answer{}, fmt.Errorf("%w, which cannot be sent while the tenant moves to another container: replace the document, or try again later", ErrFraction)
		}
		callCtx, own := wire.WithPatchBody(request.retries(ctx), body)
		response, err := c.Keep(s.PatchItem(callCtx, p.Key, p.ID, wire.PatchOperations{}, c.Options(wire.IfMatch(ctx, unchanged))))
		var refused *azcore.ResponseError
		if !own.Sent() && (err == nil || errors.As(err, &refused) && refused.StatusCode == http.StatusBadRequest) {
			err = fmt.Errorf("%w, which azcosmos does not send: %w", ErrFraction, route.ErrNotConfigured)
		}
		return response, err
	}, nil
}

// retries returns a context in which the pipeline does not repeat p, if a repetition would
// be harmful or would hide that the condition held before.
func (p Patch) retries(ctx context.Context) context.Context {
	if !p.Once && p.Condition == "" && p.stamps == nil {
		return ctx
	}
	return wire.RetryRefused(ctx)
}

// patchVerified sends a patch with a look first. A false condition and a changed ETag have
// the same status. So after a refusal it reads the document: if the ETag is unchanged, the
// condition is false, and the patch does not start again.
func patchVerified(ctx context.Context, s *Writer, op string, p wire.Place, means func(doc any) bool, request Patch, v verified) error {
	held := true
	var unheld []byte                            // the document for which another condition was false
	open, r := false, refusal{began: time.Now()} // open: a refused attempt may have taken effect
	v.isSent, v.shared = request.isShown, s.Stamps.shared
	if request.onlySets() { // an equal document of another program is as good
		v.isSent, v.shared = request.isStored, nil
	}
	if request.asked != "" || s.Schema != nil {
		v.final = func(ctx context.Context, unchanged azcore.ETag) bool {
			_, response, err := s.Read(ctx, op, p)
			held = err != nil || response.ETag != unchanged
			if !held {
				unheld = response.Value
			} else if err == nil {
				open = open || r.judgePatch(request, response) != notStored
			}
			return !held
		}
	}
	_, err := verify(ctx, s, op, p, means, v)
	if err != nil {
		err = wire.StillUnclear(err, open)
	}
	if !held {
		return s.notHeld(op, p, request, unheld, err)
	}
	return err
}

// notHeld returns the error of a conditional patch, which failed by err because of its
// other condition: the document is of another form, or the caller's condition is false.
func (s *Writer) notHeld(op string, p wire.Place, request Patch, raw []byte, err error) error {
	if why := s.refusedFor(op, p, raw, nil); why != nil {
		return wire.StillUnclear(why, errors.Is(err, wire.ErrUnclear))
	}
	var own *documents.Error
	if request.asked != "" && errors.As(err, &own) {
		own.Kind = notHeldError{request.asked}
	}
	return err
}

// A patch carries the stamps: it sets the time and increments the version. A patch that
// must not take effect twice requires that the document does not have its time yet, so it
// counts once, however often its request arrives. Another program that writes the document
// replaces that time. So after an unclear failure, a patch that counts is sent again only
// on the ETag of a document that was not written since the call. With a clock of the
// caller, which may repeat a time, only resends have the condition. Without a time in the
// documents, such a patch is not sent again.

// operations returns how many operations the stamps need in a patch.
func (s *Stamps) operations() int {
	n := 0
	if s != nil && s.Updated != "" {
		n++
	}
	if s != nil && s.Version != "" {
		n++
	}
	return n
}

// stamp adds the stamps to p. At is in UTC, in units of 100 nanoseconds.
func (p *Patch) stamp(s *Stamps, at time.Time) {
	if s.operations() == 0 {
		return
	}
	p.stamps, p.at = s, at
	p.Operations = p.Operations[:len(p.Operations):len(p.Operations)]
	if s.Updated != "" {
		p.Operations = append(p.Operations, PatchOperation{Op: PatchSet, Path: "/" + jsonpointer.Escape(s.Updated), Value: p.time()})
	}
	if s.Version != "" {
		p.Operations = append(p.Operations, PatchOperation{Op: PatchIncrement, Path: "/" + jsonpointer.Escape(s.Version), Value: json.RawMessage("1")})
		p.Once = p.Once || s.Updated == ""
	}
	if (p.Once || s.Version != "") && s.proves(false) {
		p.Once, p.guarded, p.counts = false, true, p.Once
	}
}

// MustNotOvertake reports whether p must not take effect again after another program wrote
// the document.
func (p *Patch) MustNotOvertake() bool { return p.Once || p.counts || p.Increments() }

func (p *Patch) time() json.RawMessage {
	return json.RawMessage(strconv.Quote(p.at.Format(stampLayout)))
}

// Increments reports whether p increments a version without a guard. A resend then needs
// the condition of again, even if its other operations may be repeated.
func (p *Patch) Increments() bool {
	return !p.Once && !p.guarded && p.stamps != nil && p.stamps.Version != ""
}

// unless returns the condition that a document does not have the time of p.
func (p Patch) unless() string {
	property := text.Property("/" + jsonpointer.Escape(p.stamps.Updated))
	return "(NOT IS_DEFINED(" + property + ") OR " + property + " != " + string(p.time()) + ")"
}

// again returns p for a resend: with the condition of unless.
func (p Patch) again() Patch {
	if p.Condition == "" {
		p.Condition = "from c where " + p.unless()
	} else {
		p.Condition += " AND " + p.unless()
	}
	return p
}

// sentAgain makes w send p.again() from the second time on.
func (p Patch) sentAgain(s *Writer, at wire.Place, c *wire.Content, w *Request) error {
	again, err := patching(s, at, p.again(), c)
	if err != nil {
		return err
	}
	first, sent := w.Send, false
	w.Send = func(ctx context.Context) (wire.Answer, error) {
		if sent {
			return again(ctx, "")
		}
		sent = true
		return first(ctx)
	}
	return nil
}

// judgePatch decides from the stored document whether the patch took effect.
func (r refusal) judgePatch(p Patch, answer wire.Answer) verdict {
	shown, compared := p.shows(answer.Value)
	switch {
	case !shown:
		return notStored
	case p.stamps.proves(false) || r.unclear && p.stamps.tells():
		return stored
	case compared && r.recent(answer):
		return untold
	}
	return notStored
}

// judgeRefused is judgePatch for a patch whose condition was refused. If the document does
// not explain the refusal, a patch that counts may have taken effect: its request arrived
// twice, and another program has written since.
func (r refusal) judgeRefused(s *Writer, p Patch, answer wire.Answer) verdict {
	v := r.judgePatch(p, answer)
	explained := p.asked != "" || !s.Shows(answer.Value) || s.Schema.IsOlder(answer.Value) || s.Schema.Newer(answer.Value) != nil
	if v == notStored && p.counts && !explained {
		return untold
	}
	return v
}

// shows reports whether a document has the values that p sets, including its time, and
// whether p sets any. Increments are not compared.
func (p Patch) shows(raw []byte) (shown, compared bool) {
	for i, o := range p.Operations {
		value := text.ValueAt(raw, jsonpointer.Names(o.Path))
		sets := o.Op == PatchSet || o.Op == PatchAdd || o.Op == PatchReplace
		switch {
		case p.overwrites(i+1, o.Path):
		case o.tidies && value != nil, sets && p.lasts(i+1, o.Path) && !sameValue(value, o.Value):
			return false, false
		default:
			compared = compared || sets
		}
	}
	return true, compared
}

func (p Patch) isShown(raw []byte) bool {
	shown, _ := p.shows(raw)
	return shown
}

// onlySets reports whether p has no condition and can take effect twice with the same
// result, version included.
func (p Patch) onlySets() bool {
	return !p.Once && !p.guarded && p.asked == "" && !p.Increments()
}

// isStored reports whether a document has everything that p sets.
func (p Patch) isStored(raw []byte) bool {
	for i, o := range p.Operations {
		if !o.tidies && !p.overwrites(i+1, o.Path) && !p.lasts(i+1, o.Path) {
			return false // the document does not show it
		}
	}
	return p.isShown(raw)
}

// lasts reports whether the value at a path can be compared after the operations from index
// n: the path is not an index of a list, and no later operation changes a part of it.
func (p Patch) lasts(n int, path string) bool {
	name := path[strings.LastIndexByte(path, '/')+1:]
	return name != "-" && strings.Trim(name, "0123456789") != "" &&
		!slices.ContainsFunc(p.Operations[n:], func(o PatchOperation) bool {
			return strings.HasPrefix(o.Path, path+"/") || strings.HasPrefix(path, o.Path+"/")
		})
}

// overwrites reports whether an operation from index n on has the same path.
func (p Patch) overwrites(n int, path string) bool {
	return slices.ContainsFunc(p.Operations[n:], func(o PatchOperation) bool { return o.Path == path })
}

func sameValue(a, b []byte) bool {
	wrap := func(value []byte) []byte { return bytes.Join([][]byte{[]byte(`{"v":`), value, []byte("}")}, nil) }
	return a != nil && sameDocument(wrap(a), wrap(b))
}
