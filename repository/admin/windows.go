package admin

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/provision"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
	"github.com/cosmos-pkgen/pkgen/repository/internal/windows"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Windows are the containers of a type whose documents are divided by time: one for each
// period, by a container template such as telemetry-{At|2006-01}. Generated functions such
// as EnsureReadingWindows and ReadingWindows use it. It is safe for concurrent use, by many
// programs too.
type Windows struct {
	windows windows.Windows
	wrong   error
}

// NewWindows returns the windows of a type in a database. Generated code calls it. If the
// template has components besides the time, keys name the texts of all of them; each method
// of the windows checks them first.
func NewWindows[T any, K generated.Key](db *azcosmos.DatabaseClient, model *generated.Model[T, K], keys generated.Keys) *Windows {
	w := &Windows{windows: windows.Windows{DB: db, Type: model.Type}}
	if model.Draft {
		w.windows.Draft = untyped.Sealing(reflect.TypeFor[T]())
	}
	switch {
	case db == nil:
		w.wrong = errors.New("the database is nil: pass the *azcosmos.DatabaseClient of the windows")
	case model.Containers == nil:
		w.wrong = errors.New("the type has one container, and no windows")
	default:
		w.windows.Properties = untyped.PropertiesOf(model.Containers.Properties)
		w.windows.Computed, w.windows.SameQuery = untyped.ComputedOf(model.Computed)
		if keys, w.wrong = keys.Resolve(model.Type, 1); w.wrong == nil {
			w.windows.Template, w.wrong = windows.NewTemplate(model.Containers.Parts, keys.ComponentTexts())
		}
	}
	return w
}

// WindowPolicy says which throughput windows have, by their age. The zero value makes them
// with [AnyThroughput].
type WindowPolicy struct {
	// Present is the throughput of windows whose period has not ended, those of the future
	// included: such as Autoscale(10_000).
	Present Throughput

	// Past is the throughput of all other windows: such as [LeastThroughput].
	Past Throughput

	// Late is how long after the end of its period a window keeps the throughput of
	// the present, for documents that come late.
	Late time.Duration

	// Ahead is for how long from now windows are made in any case: more than the time until
	// Ensure is called again, so that no write finds its window missing.
	Ahead time.Duration

	// Wait is how long Ensure may wait when the service refuses requests for a while, as
	// it does after 25 changes of throughput in five minutes. Zero is not at all.
	Wait time.Duration

	// Now is the time by which ages are counted. The zero time is that of the clock.
	Now time.Time
}

// Ensure makes the windows of the range from one time on and before another, and those that
// the policy wants ahead, and gives each the throughput of its age, from manual to autoscale
// or back if need be. A program calls it at each start, or once in a period.
//
// The list says what was done, also if the error is not nil. The error joins those of windows
// that are left. It matches [ErrThrottled] if the service refused requests for now, such as
// more changes of throughput: a later call goes on. Windows whose throughput cannot be
// changed are still created if they are missing. A window that differs in another property, or whose throughput
// the service bounds, has a *[ContainerError], and does not keep Ensure from the others;
// with [FixDifferences] Ensure changes what is safe. After any other error, later windows
// are not looked at.
//
// It costs what [Ensure] costs for each window, at most 500, one after the other: 4 requests
// for a window that is as wanted, 2 for one that it makes, 8 for a change of throughput.
// They use no request units of a container. Many programs may call it at once: they make
// each window once, and change its throughput once.
func (w *Windows) Ensure(ctx context.Context, from, to time.Time, policy WindowPolicy, opts ...EnsureOption) (WindowList, error) {
	if w.wrong != nil {
		return nil, w.failure("ensure")
	}
	var s provision.Container
	for _, o := range opts {
		if o == nil {
			return nil, fmt.Errorf("ensure windows of %s: an EnsureOption is nil", w.windows.Type)
		}
		o(&s)
	}
	results, err := w.windows.Ensure(ctx, from, to, windows.Policy{
		Now: nowOr(policy.Now), Ahead: policy.Ahead, Late: policy.Late, Wait: policy.Wait, Apply: s.Apply,
		Present: policy.Present.throughput, Past: policy.Past.throughput,
	})
	list := windowList(results)
	if results == nil {
		return nil, err
	}
	return list, list.err()
}

// List returns the windows that exist, in order of time, with their sizes. It costs a request
// for the containers of the database, or one for each page of them, and one for each
// window. The service counts sizes from time to time, not with each write.
func (w *Windows) List(ctx context.Context) (WindowList, error) {
	if w.wrong != nil {
		return nil, w.failure("list")
	}
	results, err := w.windows.List(ctx)
	return windowList(results), err
}

// WindowDrop says which windows [Windows.Drop] drops.
type WindowDrop struct {
	// Names are the windows, each by its whole name.
	Names []string

	// OlderThan is how long ago their periods have to have ended, more than 0.
	OlderThan time.Duration

	// DryRun has Drop look and drop nothing.
	DryRun bool

	// Now is the time by which ages are counted. The zero time is that of the clock.
	Now time.Time
}

// Drop drops containers with all their documents. It drops none unless each of the names is
// exactly what the template makes of a period, each period ended longer ago than OlderThan,
// and each container has the partition key of the type. A container that somebody changes or
// makes again meanwhile is left, with an error; one that does not exist is [WindowMissing].
//
// The list says what was done, or what would be done by a call that is not a dry run, with
// the sizes of the windows. Drop costs 2 requests for each window, and 1 in a dry run.
func (w *Windows) Drop(ctx context.Context, d WindowDrop) (WindowList, error) {
	switch {
	case w.wrong != nil:
		return nil, w.failure("drop")
	case d.OlderThan <= 0:
		return nil, fmt.Errorf("drop windows of %s: OlderThan is %v: give the shortest time since the end of their periods", w.windows.Type, d.OlderThan)
	case len(d.Names) == 0:
		return nil, fmt.Errorf("drop windows of %s: no window is named", w.windows.Type)
	}
	results, err := w.windows.Drop(ctx, nowOr(d.Now).Add(-d.OlderThan), d.Names, d.DryRun)
	return windowList(results), err
}

func nowOr(now time.Time) time.Time {
	if now.IsZero() {
		return time.Now()
	}
	return now
}

// failure is the error of windows that cannot be used.
func (w *Windows) failure(op string) error {
	return wire.NewError(op, "windows of "+w.windows.Type, "", "", w.wrong)
}

// WindowAction is what was found of a window, or done to it.
type WindowAction int

// Actions.
const (
	WindowFound     = WindowAction(windows.Found)     // it exists, and is as wanted
	WindowCreated   = WindowAction(windows.Created)   // it was missing
	WindowChanged   = WindowAction(windows.Changed)   // its throughput was changed, or another property
	WindowLeft      = WindowAction(windows.Left)      // it is not as wanted, or was not looked at
	WindowDropped   = WindowAction(windows.Dropped)   // with all its documents
	WindowMissing   = WindowAction(windows.Missing)   // it was to be dropped and does not exist
	WindowWouldDrop = WindowAction(windows.WouldDrop) // without the dry run
)

// String is the action in a word or two.
func (a WindowAction) String() string {
	names := []string{"found", "created", "changed", "left", "dropped", "missing", "would drop"}
	if a < 0 || int(a) >= len(names) {
		return fmt.Sprintf("WindowAction(%d)", int(a))
	}
	return names[a]
}

// Window is a container for a period of time.
type Window struct {
	// Name is the name of the container.
	Name string

	// Start and End are its period in UTC: Start belongs to it, and End does not.
	Start, End time.Time

	// Action is what was found of the window, or done.
	Action WindowAction

	// Had and Has are the throughput before and after Ensure. Of a window that was
	// created, Has is what was asked for. They are [AnyThroughput] if they were not read.
	Had, Has Throughput

	// Documents and Bytes are the size, by List and Drop: Bytes of documents and index, in
	// steps of 1,024. A size that the service does not say is -1.
	Documents, Bytes int64

	// Err says why the window is left. It is nil for windows that were not looked at.
	Err error
}

// WindowList are windows in order of time.
type WindowList []Window

// windowList returns results as callers get them.
func windowList(results []windows.Result) WindowList {
	list := make(WindowList, len(results))
	for i, r := range results {
		list[i] = Window{
			Name: r.Name, Start: r.Start, End: r.End, Action: WindowAction(r.Action), Had: Throughput{r.Had}, Has: Throughput{r.Has},
			Documents: r.Size.Documents, Bytes: r.Size.Bytes, Err: exportedEnsure(r.Err),
		}
	}
	return list
}

// err joins the errors of windows.
func (l WindowList) err() error {
	var all []error
	for _, w := range l {
		all = append(all, w.Err)
	}
	return errors.Join(all...)
}

// Left returns the windows that are not as wanted.
func (l WindowList) Left() WindowList {
	var left WindowList
	for _, w := range l {
		if w.Action == WindowLeft {
			left = append(left, w)
		}
	}
	return left
}

// String is a table with a line for each window, and the errors of those that are left.
func (l WindowList) String() string {
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, w := range l {
		fmt.Fprintf(table, "%s\t%v\t%s\n", w.Name, w.Action, w.about())
	}
	_ = table.Flush() // b takes all
	return b.String()
}

// about is what a line says of a window besides its name.
func (w Window) about() string {
	unread := AnyThroughput()
	switch {
	case w.Err != nil:
		return strings.ReplaceAll(w.Err.Error(), "\n\t", " ")
	case w.Had != unread && w.Has != w.Had:
		return fmt.Sprintf("%v, was %v", w.Has, w.Had)
	case w.Has != unread:
		return w.Has.String()
	case w.Documents > 0 || w.Bytes > 0:
		return fmt.Sprintf("%d documents, %d bytes", w.Documents, w.Bytes)
	}
	return ""
}
