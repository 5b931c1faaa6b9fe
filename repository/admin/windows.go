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

// Windows are the containers of a type that are divided by time: one for each period, from a
// container template such as telemetry-{At|2006-01}. Generated functions such as
// EnsureReadingWindows and ReadingWindows use it. It is safe for concurrent use, also by many
// programs.
type Windows struct {
	windows windows.Windows
	wrong   error
}

// NewWindows returns the windows of a type in a database. Generated code calls it. If the
// template has components other than the time, keys has the texts of all of them; each method
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

// WindowPolicy sets the throughput of windows by their age. The zero value creates them with
// [AnyThroughput].
type WindowPolicy struct {
	// Present is the throughput of windows whose period has not ended, including future ones,
	// such as Autoscale(10_000).
	Present Throughput

	// Past is the throughput of all other windows, such as [LeastThroughput].
	Past Throughput

	// Late is how long a window keeps the throughput of the present after the end of its
	// period, for late documents.
	Late time.Duration

	// Ahead is how far ahead of now windows are created: further than the next call of Ensure,
	// so that no write lacks its window.
	Ahead time.Duration

	// Wait is how long Ensure may wait when the service refuses requests for a while, as it
	// does after 25 changes of throughput in five minutes. Zero is no wait.
	Wait time.Duration

	// Now is the present for ages. The zero time is that of the clock.
	Now time.Time
}

// Ensure creates the windows of the range from one time up to, but not including, another, and
// those that the policy requires ahead, and gives each the throughput of its age, if necessary
// changing it from manual to autoscale or back. A program calls it at each start, or once per
// period.
//
// The list has the results, even if the error is not nil. The error joins the errors of the
// windows that are left. It matches [repository.ErrThrottled] if the service refused requests for now,
// such as more changes of throughput: a later call continues. Missing windows are created even
// if the throughput of others cannot be changed. A window that differs in another property, or
// whose throughput the service bounds, has a *[ContainerError], and Ensure continues with the
// next; with [FixDifferences] Ensure makes safe changes. After any other error, Ensure does not
// examine later windows.
//
// It costs as much as [Ensure] for each window, at most 500, one after the other: 4 requests
// for an unchanged window, 2 for a new one, 8 for a change of throughput. They use no request
// units of a container. Many programs may call it at once: they create each window once, and
// change its throughput once.
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

// List returns the existing windows, in order of time, with their sizes. It costs a request for
// the containers of the database, or one for each page of them, and one for each window. The
// service updates sizes periodically, not with each write.
func (w *Windows) List(ctx context.Context) (WindowList, error) {
	if w.wrong != nil {
		return nil, w.failure("list")
	}
	results, err := w.windows.List(ctx)
	return windowList(results), err
}

// WindowDrop selects the windows that [Windows.Drop] drops.
type WindowDrop struct {
	// Names are the full names of the windows.
	Names []string

	// OlderThan is how long ago their periods must have ended, more than 0.
	OlderThan time.Duration

	// DryRun has Drop check and drop nothing.
	DryRun bool

	// Now is the present for ages. The zero time is that of the clock.
	Now time.Time
}

// Drop drops containers with all their documents. It drops none unless each name is exactly the
// template's name of a period, each period ended longer ago than OlderThan, and each container
// has the partition key of the type. A container that another program changes or recreates
// meanwhile is left, with an error; a missing one is [WindowMissing].
//
// The list has the results, or in a dry run the results of a real one, with the sizes of the
// windows. Drop costs 2 requests for each window, and 1 in a dry run.
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

// failure is the error of invalid windows.
func (w *Windows) failure(op string) error {
	return wire.NewError(op, "windows of "+w.windows.Type, "", "", w.wrong)
}

// WindowAction is the state of a window, or the action on it.
type WindowAction int

// Actions.
const (
	WindowFound     = WindowAction(windows.Found)     // it exists, and does not differ
	WindowCreated   = WindowAction(windows.Created)   // it was missing
	WindowChanged   = WindowAction(windows.Changed)   // its throughput or another property was changed
	WindowLeft      = WindowAction(windows.Left)      // it differs, or was not examined
	WindowDropped   = WindowAction(windows.Dropped)   // with all its documents
	WindowMissing   = WindowAction(windows.Missing)   // it does not exist, so it was not dropped
	WindowWouldDrop = WindowAction(windows.WouldDrop) // it would be dropped without DryRun
)

// String returns the action in one or two words.
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

	// Start and End are its period in UTC, without End itself.
	Start, End time.Time

	// Action is the state of the window, or the action on it.
	Action WindowAction

	// Had and Has are the throughput before and after Ensure. For a new window, Has is the
	// requested one. They are [AnyThroughput] if they were not read.
	Had, Has Throughput

	// Documents and Bytes are the size, from List and Drop: Bytes of documents and index, in
	// steps of 1,024. A size that the service does not report is -1.
	Documents, Bytes int64

	// Err is the reason why the window is left. It is nil for windows that were not examined.
	Err error
}

// WindowList are windows in order of time.
type WindowList []Window

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

// Left returns the windows that are left: they differ, or were not examined.
func (l WindowList) Left() WindowList {
	var left WindowList
	for _, w := range l {
		if w.Action == WindowLeft {
			left = append(left, w)
		}
	}
	return left
}

// String returns a table with a line for each window, and the errors of the windows that are
// left.
func (l WindowList) String() string {
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, w := range l {
		fmt.Fprintf(table, "%s\t%v\t%s\n", w.Name, w.Action, w.about())
	}
	_ = table.Flush() // b takes all
	return b.String()
}

// about returns the columns of a window after its name.
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
