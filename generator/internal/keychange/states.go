package keychange

import (
	"path/filepath"

	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
	"github.com/cosmos-pkgen/pkgen/generator/internal/model"
	"github.com/cosmos-pkgen/pkgen/internal/files"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// StatesOf returns, for the types of a folder that are in its lock, whether they are drafts. It
// reports an unreadable lock at the first type.
func StatesOf(dir string, found []*model.Candidate, report *diag.Reporter) map[*model.Candidate]bool {
	if len(found) == 0 {
		return nil
	}
	text, err := files.ReadIfThere(filepath.Join(dir, lock.FileName))
	if text == nil && err == nil {
		return nil
	}
	l, problem := lock.Parse(text)
	if err != nil || problem != nil {
		why := error(problem)
		if err != nil {
			why = diag.WithoutPath(err)
		}
		report.Add(found[0].Position(), diag.Refused, lock.FileName+" does not show how stored keys are made: "+why.Error())
		return nil
	}
	drafts := make(map[*model.Candidate]bool)
	for _, c := range found {
		if e, known := l.Find(nameOf(c.Declaration)); known {
			drafts[c] = e.Draft
		}
	}
	return drafts
}
