package migrate

import (
	"fmt"
	"slices"

	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// layouts returns the layouts of the types in the form of the state: what determines the type and
// the place of a document.
func (m *Migration) layouts() []string {
	all := make([]string, len(m.Types))
	for i, e := range m.Types {
		all[i] = string(lock.Lock{essence(e)}.Format())
	}
	slices.Sort(all)
	return all
}

// essence returns an entry without what may change during a migration: numbers of buckets of other
// releases, times to live, properties besides those of the key.
func essence(e lock.Entry) lock.Entry {
	e.Was, e.Next, e.TTL, e.Properties = "", "", "", nil
	e.Draft, e.Gone, e.Elsewhere = false, false, false
	return e
}

// checkLayouts returns an error if the types differ from those at the beginning of the migration,
// because a document would then have two places.
func (m *Migration) checkLayouts(p *progress) error {
	const anew = "or begin anew: delete container %q, and make it again"
	var begun lock.Lock
	for _, text := range p.Layouts {
		l, err := lock.Parse([]byte(text))
		if err != nil || len(l) != 1 {
			return fmt.Errorf("the state in container %q is not that of a migration of this pkgen: use the pkgen that began it, "+anew, m.State.ID, m.to.ID)
		}
		begun = append(begun, l[0])
	}
	for _, e := range m.Types {
		now := essence(e)
		was, ok := begun.Find(e.Type)
		change := lock.Change{Old: was, New: now}
		switch change.New.Container = was.Container; {
		case !ok:
			return fmt.Errorf("type %s was not part of the migration when it began: leave it out by -type, "+anew, e.Type, m.to.ID)
		case !was.SameKey(now):
			return fmt.Errorf("type %s: %s changed in pkgen.lock since the migration began, so documents would have two places: restore the lock, "+anew, e.Type, change.What(), m.to.ID)
		}
		begun = slices.DeleteFunc(begun, func(b lock.Entry) bool { return b.Type == e.Type })
	}
	if len(begun) > 0 {
		return fmt.Errorf("type %s was part of the migration when it began, but is missing now: name its package, or the type by -type, "+anew, begun[0].Type, m.to.ID)
	}
	return nil
}
