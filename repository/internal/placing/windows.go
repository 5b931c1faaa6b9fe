package placing

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// maxAsked bounds the windows of a range that a query tries without checking whether they
// exist. For more windows, it lists the database's containers once.
const maxAsked = 40

// Of returns the containers of keys, ordered by period and then by name. Some may not
// exist. If the names do not follow from keys, Of calls list for the existing containers,
// each time, so that it finds a container that another process has just created. It returns
// an error for more windows than limit.
func (t Template) Of(keys generated.Keys, typ string, limit int, list func() ([]string, error)) ([]Name, error) {
	if name := keys.Container(); name != "" {
		read, ok := t.Read(name)
		if !ok {
			return nil, fmt.Errorf("query %s: the container template does not make the name %q: generate again", typ, name)
		}
		return []Name{read}, nil
	}
	from, to, bounded := keys.Windows()
	texts := keys.ComponentTexts()
	n := 0
	if bounded {
		var err error
		if n, err = partition.CountPeriods(from, to, t.layout()); err != nil {
			return nil, err
		}
		if n > limit {
			return nil, fmt.Errorf("query %s: it would read %d windows, more than %d: narrow the range, or allow more with repository.WithMaxKeys", typ, n, limit)
		}
	}
	if _, known := t.Name(texts, from); known && bounded && n <= maxAsked {
		return t.between(from, to, texts)
	}
	all, err := list()
	if err != nil {
		return nil, err
	}
	var names []Name
	for _, name := range all {
		read, ok := t.Read(name)
		if !ok || bounded && (!read.End.After(from) || read.Start.After(to)) {
			continue
		}
		if !read.has(texts) {
			continue
		}
		names = append(names, read)
	}
	slices.SortFunc(names, Compare)
	return names, nil
}

// between returns the names of all windows in a range.
func (t Template) between(from, to time.Time, texts map[string]string) ([]Name, error) {
	starts, err := partition.Periods(from, to, t.layout(), maxAsked)
	if err != nil {
		return nil, err
	}
	names := make([]Name, len(starts))
	for i, start := range starts {
		text, _ := t.Name(texts, start)
		names[i] = Name{Text: text, Start: start, End: EndOf(start, t.layout())}
	}
	return names, nil
}

// has reports whether components have these texts in the name.
func (n Name) has(texts map[string]string) bool {
	for field, text := range texts {
		if n.components[field] != text {
			return false
		}
	}
	return true
}

// Compare orders containers by period and then by name.
func Compare(a, b Name) int {
	if c := a.Start.Compare(b.Start); c != 0 {
		return c
	}
	return strings.Compare(a.Text, b.Text)
}

// List returns the names of Containers.
func List(ctx context.Context, db *wire.Database, typ string, paths []string) ([]string, error) {
	all, err := Containers(ctx, db, typ, paths)
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = c.ID
	}
	return names, err
}

// Containers returns the containers of a database whose partition key has these paths. It
// costs one request, and more for further pages.
func Containers(ctx context.Context, db *wire.Database, typ string, paths []string) ([]wire.ContainerProperties, error) {
	var all []wire.ContainerProperties
	o := wire.ContainersOptions{}
	for {
		var page wire.QueryContainersResponse
		err := wire.Reread(ctx, func() (err error) {
			page, err = db.NewQueryContainersPager("SELECT * FROM c", &o).NextPage(ctx)
			return wire.ContainersAnswer(page, err)
		})
		if err != nil {
			return nil, wire.NewError("list containers of", typ, "", "", err)
		}
		for _, c := range page.Containers {
			if slices.Equal(c.PartitionKeyDefinition.Paths, paths) {
				all = append(all, c)
			}
		}
		if o.ContinuationToken = page.ContinuationToken; o.ContinuationToken == nil {
			return all, nil
		}
	}
}
