package load

import (
	"go/token"

	"github.com/cosmos-pkgen/pkgen/generator"
)

// Draft is a type whose layout is a draft.
type Draft struct {
	Name   string
	Pos    token.Position
	unseen bool // its file belongs to other builds
}

// String says that the layout is a draft.
func (d Draft) String() string {
	text := "the layout of type " + d.Name + " is a draft"
	if d.unseen {
		text += ", and this build leaves its file out"
	}
	return text
}

// UnseenDrafts returns the drafts in files outside of this build.
func UnseenDrafts(result *generator.Result) []Draft {
	var drafts []Draft
	for _, u := range result.Unseen {
		drafts = append(drafts, Draft{Name: u.Name, Pos: u.Pos, unseen: true})
	}
	return drafts
}

// OtherBuild is the advice for sealing a draft in a file outside of this build.
const OtherBuild = "run pkgen seal with -tags, or with the GOOS, of a build that has it"
