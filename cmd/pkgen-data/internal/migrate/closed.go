package migrate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/account"
)

// errClosed means that programs may use the destination.
var errClosed = errors.New("this migration has ended")

// ending records the comparison that found both sides equal.
type ending struct {
	At        string `json:"at"` // by the service's clock
	Documents int64  `json:"documents"`
	Checksum  string `json:"checksum"`
}

// ended returns the error of a run after the end of its migration.
func (p *progress) ended() error {
	return fmt.Errorf("%w: at %s both sides were equal, %d documents with the checksum %s; nothing was changed, because another run would undo later writes to container %q. If you have not switched, switch the programs to it. If no program has written there yet, and the source was written again, add -not-switched",
		errClosed, p.Ended.At, p.Ended.Documents, p.Ended.Checksum, p.To)
}

// positions is the state document with the positions of the destination's feed at the end of the
// migration.
type positions struct {
	ID    string         `json:"id"`
	Parts []account.Part `json:"parts"`
}

func (s *states) positionsID() string { return s.name + ".ended" }

// close ends a migration after a comparison that found both sides equal.
func (m *Migration) close(ctx context.Context, s *share, v *Verdict, after []account.Part) error {
	at := positions{m.states.positionsID(), after}
	for {
		etag, err := m.states.load(ctx, at.ID, &positions{})
		switch {
		case err != nil:
			return err
		case etag == "":
			_, err = m.states.create(ctx, at.ID, at)
		default:
			_, err = m.states.replace(ctx, at.ID, at, etag)
		}
		if err == nil {
			break
		}
		if !errors.Is(err, errTaken) {
			return err
		}
	}
	_, err := s.enrol(ctx, func(p *progress) error {
		if p.Cutover != s.run {
			return errTaken
		}
		if !p.Closed { // otherwise the answer was lost
			p.Closed, p.Ended = true, ending{m.account.Now().UTC().Format(time.RFC3339), v.Source, v.Checksum}
		}
		return nil
	})
	return err
}

// reopen resumes a migration that has ended, if no program has written to the destination. It
// cannot detect deletions there.
func (m *Migration) reopen(ctx context.Context, p progress, etag string) error {
	var at positions
	known, err := m.states.load(ctx, m.states.positionsID(), &at)
	if err != nil {
		return err
	}
	if known == "" {
		return fmt.Errorf("the document %q of the migration was removed, so pkgen cannot tell whether programs have written to container %q since the migration ended at %s: leave out -not-switched and keep this container, or begin a migration into another one", m.states.positionsID(), m.to.ID, p.Ended.At)
	}
	for parts := at.Parts; len(parts) > 0; {
		page, err := m.account.Changes(ctx, m.to, parts[0], 1)
		if err != nil {
			return err
		}
		if len(page.Documents) > 0 {
			return fmt.Errorf("programs have written to container %q since the migration into it ended at %s, and another run would undo that: leave out -not-switched and keep this container, or begin a migration into another one", m.to.ID, p.Ended.At)
		}
		if parts = parts[1:]; !page.Idle {
			parts = append(page.After, parts...)
		}
	}
	p.Closed = false
	_, err = m.states.replace(ctx, p.ID, p, etag)
	if errors.Is(err, errTaken) {
		return nil // another run did it, or its answer was lost
	}
	return err
}
