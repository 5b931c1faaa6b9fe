package model

import (
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// subject is a document whose model is in progress.
type subject struct{ *facts.Document }

// peer is a type of a container, with the facts that affect the container's definition.
type peer struct {
	*facts.Stated
	document   *facts.Document // nil if unknown, as for types in files of other builds
	expires    bool            // documents can have a time to live of their own
	composites [][]templates.IndexPath
	searches   searches
	computed   []templates.Computed // of the document itself
}

// Container returns the id of the container, or the template of ids: by JSON properties, if the
// document is known.
func (p *peer) Container() string {
	if p.document != nil {
		return p.document.Container()
	}
	return p.Stated.Container()
}

// member is a document among the types of its container.
type member struct {
	*subject
	peers []*peer    // the types of its container, including itself, by name
	all   containers // the types of all containers
}
