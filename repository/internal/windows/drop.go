package windows

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Drop drops the named windows, unless dry is set. First it checks all of them: the
// template makes exactly these names, each period ended before endedBefore, and the
// containers have the partition key of the type.
func (w *Windows) Drop(ctx context.Context, endedBefore time.Time, names []string, dry bool) ([]Result, error) {
	if w.DB == nil {
		return nil, w.failure("drop", "", errors.New("the database is nil: pass the *azcosmos.DatabaseClient of the windows"))
	}
	if w.Draft != "" {
		ctx = wire.WithDraft(ctx, w.Draft)
	}
	list, err := w.doomed(endedBefore, names)
	if err != nil {
		return nil, err
	}
	etags := make([]azcore.ETag, len(list))
	for i := range list {
		if etags[i], err = w.look(ctx, &list[i]); err != nil {
			return nil, w.failure("drop", list[i].Name, err)
		}
	}
	if dry {
		return list, nil
	}
	for i := range list {
		if list[i].Action != WouldDrop {
			continue
		}
		if err := w.drop(ctx, list[i].Name, etags[i]); err != nil {
			list[i].Action, list[i].Err = Left, err
			for j := range list[i+1:] {
				if rest := &list[i+1+j]; rest.Action == WouldDrop {
					rest.Action = Left
				}
			}
			return list, list[i].Err
		}
		list[i].Action = Dropped
	}
	return list, nil
}

// doomed returns the windows of names, each once and ordered by time, or an error if one
// must not be dropped.
func (w *Windows) doomed(endedBefore time.Time, names []string) ([]Result, error) {
	var list []Result
	for _, name := range names {
		window, ok := w.Template.Named(name)
		switch {
		case !ok:
			return nil, w.failure("drop", name, errors.New("it is no window of the type: its template makes another name"))
		case window.End.After(endedBefore):
			return nil, w.failure("drop", name, fmt.Errorf("its period ends at %s, which is later than the age allows: give an older window, or a smaller age", window.End.Format(time.RFC3339)))
		}
		list = append(list, Result{Window: window})
	}
	slices.SortFunc(list, func(a, b Result) int { return a.Start.Compare(b.Start) })
	return slices.CompactFunc(list, func(a, b Result) bool { return a.Window == b.Window }), nil
}

// look reads a container, and returns its ETag. A container with another partition key than
// the type's is an error.
func (w *Windows) look(ctx context.Context, r *Result) (azcore.ETag, error) {
	have, err := w.read(ctx, r.Name)
	if isMissing(err) {
		r.Action = Missing
		return "", nil
	}
	if err != nil {
		return "", err
	}
	want := w.Properties(r.Name)
	if !slices.Equal(have.ContainerProperties.PartitionKeyDefinition.Paths, want.PartitionKeyDefinition.Paths) {
		return "", errors.New("it has another partition key than the type, so it is the container of another type")
	}
	r.Action, r.Size = WouldDrop, sizeOf(have)
	return have.ETag, nil
}

// drop deletes a container if it has not been changed or created again since it was read. It
// repeats a request of unclear outcome.
func (w *Windows) drop(ctx context.Context, name string, unchanged azcore.ETag) error {
	container, err := w.DB.NewContainer(name)
	if err != nil {
		return w.failure("drop", name, err)
	}
	// azcosmos has no option for this header. Delete sends a single request.
	ctx = policy.WithHTTPHeader(ctx, http.Header{"If-Match": {string(unchanged)}})
	err = backoff.Policy{Most: 1 + wire.MaxResends, Slow: wire.UnclearPause, Again: wire.IsUnclear}.Do(ctx, func() error {
		_, err := container.Delete(ctx, nil)
		return err
	})
	if err == nil || isMissing(err) { // dropped by another program, or by an attempt whose answer was lost
		return nil
	}
	return w.notDropped(name, err)
}

func (w *Windows) notDropped(name string, err error) error {
	failure := w.failure("drop", name, err)
	failure.Unclear = wire.IsUnclear(err)
	var refused *azcore.ResponseError
	if errors.As(err, &refused) {
		switch refused.StatusCode {
		case http.StatusPreconditionFailed:
			failure.Kind = errors.New("it was changed meanwhile, and was not dropped: check it again")
		case http.StatusForbidden:
			failure.Kind = errors.New("this identity may not drop it: use az cosmosdb sql container delete or the portal, since azcosmos cannot do it for a Microsoft Entra ID principal")
		}
	}
	return failure
}
