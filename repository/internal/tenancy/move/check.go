package move

import (
	"context"
	"fmt"
	"slices"
)

// sides opens both containers, and says if the tenant cannot move between them. Nothing is
// written. Anew says that no move has begun, so that the destination has to be empty.
func (m *Move) sides(ctx context.Context, from string, anew bool) error {
	for _, side := range []struct {
		id   string
		into **side
	}{{from, &m.from}, {m.To, &m.to}} {
		client, err := m.Container(side.id)
		if err != nil {
			return err
		}
		if *side.into, err = newSide(ctx, client, m.Tenant); err != nil {
			return err
		}
	}
	m.from.lease, m.to.lease = m.record.lease, m.record.lease
	if old, young := m.from, m.to; !slices.Equal(old.Paths, young.Paths) {
		return fmt.Errorf("the partition key of container %q is %q, and that of container %q is %q: they have to be the same", old.id, old.Paths, young.id, young.Paths)
	}
	if err := m.checkTTL(); err != nil {
		return err
	}
	total, err := m.from.count(ctx)
	if err != nil {
		return err
	}
	m.note(func(s *Summary) { s.From, s.To, s.Total = m.from.id, m.to.id, total })
	if !anew {
		m.from.position = m.record.state.Position
		return nil
	}
	there, err := m.to.count(ctx)
	if err == nil && there > 0 {
		err = fmt.Errorf("container %q has %d documents of the tenant already, and it does not live there: remove them first, since the tenant would have them from then on", m.to.id, there)
	}
	return err
}

// checkTTL compares the times to live of both containers.
func (m *Move) checkTTL() error {
	text := func(ttl *int32) string {
		if ttl == nil {
			return "none"
		}
		return fmt.Sprintf("%d seconds", *ttl)
	}
	if before, after := text(m.from.ttl), text(m.to.ttl); before != after {
		return fmt.Errorf("the default time to live of container %q is %s, and that of container %q is %s: documents would live shorter or longer than they do, so make them the same", m.from.id, before, m.to.id, after)
	}
	return nil
}
