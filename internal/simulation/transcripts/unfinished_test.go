package transcripts

import (
	"fmt"
)

// unfinished is a document that a mover has left before its move ended.
type unfinished struct {
	name     string
	slot     int
	old, new string // the marks at both places, "" where nothing is stored
}

var unfinishedMoves = []unfinished{
	{"a copied one", 20, `null`, `{"state":"copy","token":"COPIEDCOPIED","from":"\"00000000-0000-0000-0000-000000000020\""}`},
	{"a moved one", 21, `{"state":"moved","token":"MOVEDMOVEDMO"}`, `{"state":"copy","token":"MOVEDMOVEDMO","from":"\"00000000-0000-0000-0000-000000000021\""}`},
	{"one whose move is final", 22, `{"state":"moved","token":"FINALFINALFI"}`, `{"state":"final","token":"FINALFINALFI","from":"\"00000000-0000-0000-0000-000000000022\"","at":1}`},
	{"a removed one", 23, `{"state":"removed","token":"REMOVEDREMOV"}`, ``},
	{"a copy without its original", 24, ``, `{"state":"copy","token":"ORPHANORPHAN","from":"\"00000000-0000-0000-0000-000000000024\""}`},
}

// stored returns what is stored of the document.
func (u unfinished) stored(s *scene) (documents []string) {
	d := s.doc(u.slot, 10+u.slot)
	for _, place := range []struct {
		bucket int
		mark   string
	}{{1, u.old}, {4, u.new}} {
		if place.mark == "" {
			continue
		}
		mark := `,"_move":` + place.mark
		if place.mark == "null" {
			mark = ""
		}
		documents = append(documents, fmt.Sprintf(
			`{"id":%q,"line":%q,"vin":%q,"number":%d,"value":%d,"tag":%q,"partitionKey":"%s.%d","_etag":"\"00000000-0000-0000-0000-0000000000%d\""%s}`,
			d.ID, d.Line, d.VIN, d.Number, d.Value, d.Tag, d.Line, place.bucket, u.slot, mark))
	}
	return documents
}

// operationsOnUnfinished are the sections of documents whose move is not finished.
func operationsOnUnfinished() (all []operation) {
	for _, u := range unfinishedMoves {
		for _, o := range []operation{
			{name: "create", do: create(fresh(u.slot))},
			{name: "upsert", do: upsert(fresh(u.slot))},
			{name: "replace", do: replace(fresh(u.slot))},
			{name: "delete", do: at(u.slot, deletes)},
			{name: "patch", do: at(u.slot, patches)},
			{name: "get", do: get(u.slot)},
		} {
			o.name += " of " + u.name
			o.only = "growing"
			all = append(all, o)
		}
	}
	return all
}
