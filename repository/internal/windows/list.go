package windows

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Size is the content of a container, which the service counts from time to time. A number
// is -1 if the service does not report it.
type Size struct {
	Documents int64
	Bytes     int64 // of documents and index, in steps of 1,024
}

// List returns the existing windows with their sizes, ordered by time.
func (w *Windows) List(ctx context.Context) ([]Result, error) {
	names, err := w.names(ctx)
	if err != nil {
		return nil, w.failure("list", "", err)
	}
	var list []Result
	for _, name := range names {
		window, ok := w.Template.Named(name)
		if !ok {
			continue
		}
		have, err := w.read(ctx, name)
		if isMissing(err) { // dropped meanwhile
			continue
		}
		if err != nil {
			return nil, w.failure("list", name, err)
		}
		list = append(list, Result{Window: window, Action: Found, Size: sizeOf(have)})
	}
	slices.SortFunc(list, func(a, b Result) int { return a.Start.Compare(b.Start) })
	return list, nil
}

// names returns the names of all containers of the database.
func (w *Windows) names(ctx context.Context) ([]string, error) {
	if w.DB == nil {
		return nil, errors.New("the database is nil: pass the *azcosmos.DatabaseClient of the windows")
	}
	var names []string
	err := patiently(ctx, func() error {
		names = nil
		for pager := w.DB.NewQueryContainersPager("SELECT * FROM c", nil); pager.More(); {
			page, err := pager.NextPage(ctx)
			if err = wire.ContainersAnswer(page, err); err != nil {
				return err
			}
			for _, container := range page.Containers {
				names = append(names, container.ID)
			}
		}
		return nil
	})
	return names, err
}

func (w *Windows) read(ctx context.Context, name string) (have wire.ContainerResponse, err error) {
	container, err := w.DB.NewContainer(name)
	if err != nil {
		return have, err
	}
	err = patiently(ctx, func() error {
		have, err = container.Read(ctx, &wire.ContainerOptions{PopulateQuotaInfo: true})
		return wire.ContainerAnswer(have, name, err)
	})
	return have, err
}

// sizeOf parses the header of an answer, such as
// functions=0;documentSize=0;documentsSize=6;documentsCount=42;collectionSize=7; with sizes
// in KB.
func sizeOf(have wire.ContainerResponse) Size {
	size := Size{-1, -1}
	for usage := range strings.SplitSeq(have.RawResponse.Header.Get("x-ms-resource-usage"), ";") {
		name, text, _ := strings.Cut(strings.TrimSpace(usage), "=")
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 {
			continue
		}
		switch name {
		case "documentsCount":
			size.Documents = n
		case "collectionSize":
			size.Bytes = n * 1024
		}
	}
	return size
}

func isMissing(err error) bool {
	var refused *azcore.ResponseError
	return errors.As(err, &refused) && refused.StatusCode == http.StatusNotFound
}
