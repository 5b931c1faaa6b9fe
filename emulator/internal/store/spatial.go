package store

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/spatial"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// Types of geospatialConfig.
const (
	geography = "Geography"
	geometry  = "Geometry"
)

// boundingBox is the part of a plane that a spatial index covers.
type boundingBox struct {
	Xmin *float64 `json:"xmin"`
	Ymin *float64 `json:"ymin"`
	Xmax *float64 `json:"xmax"`
	Ymax *float64 `json:"ymax"`
}

// valid reports whether a box has an area.
func (b *boundingBox) valid() bool {
	for _, bound := range []*float64{b.Xmin, b.Ymin, b.Xmax, b.Ymax} {
		if bound == nil {
			return false
		}
	}
	return *b.Xmin < *b.Xmax && *b.Ymin < *b.Ymax
}

// geospatial reads the geospatial configuration of a container. It returns the configuration
// as the service writes it, and whether shapes are on a plane.
func geospatial(raw json.RawMessage) (config json.RawMessage, flat bool, err error) {
	var sent struct {
		Type string `json:"type"`
	}
	if err := readPolicy(raw, &sent); err != nil {
		return nil, false, status.BadRequest("The geospatial configuration is invalid: %v.", err)
	}
	switch {
	case sent.Type == "" || strings.EqualFold(sent.Type, geography):
		sent.Type = geography
	case strings.EqualFold(sent.Type, geometry):
		sent.Type, flat = geometry, true
	default:
		return nil, false, status.BadRequest("The type %q of the geospatial configuration is invalid: use %s or %s.", sent.Type, geography, geometry)
	}
	return MustJSON(sent), flat, nil
}

// spatialIndex is one of the spatial indexes of an indexing policy.
type spatialIndex struct {
	Path  string       `json:"path"`
	Types []string     `json:"types"`
	Box   *boundingBox `json:"boundingBox,omitempty"`
}

// withSpatialIndexes checks the spatial indexes of an indexing policy as the service documents
// ("Index geospatial data with Azure Cosmos DB"): an index of shapes on a plane has a bounding
// box, and an index of shapes on the Earth has no box. In the returned policy each index has all
// types, as in the service.
func withSpatialIndexes(indexing json.RawMessage, flat bool) (json.RawMessage, error) {
	var policy struct {
		Mode    string         `json:"indexingMode"`
		Indexes []spatialIndex `json:"spatialIndexes"`
	}
	if err := readPolicy(indexing, &policy); err != nil {
		return nil, status.BadRequest("The spatial indexes are invalid: %v.", err)
	}
	if len(policy.Indexes) == 0 {
		return indexing, nil
	}
	if policy.Mode == "none" {
		return nil, status.BadRequest("The indexing mode none allows no spatial indexes.")
	}
	var seen [][]string
	for i := range policy.Indexes {
		x := &policy.Indexes[i]
		names := splitPath(x.Path)
		switch n := len(names); {
		case n == 0 || names[n-1] != "*" && names[n-1] != "?":
			return nil, status.BadRequest("The spatial index path %q could not be accepted: it ends in /? or /*.", x.Path)
		case slices.ContainsFunc(seen, func(other []string) bool { return slices.Equal(names, other) }):
			return nil, status.BadRequest("The spatial index path %q is listed twice.", x.Path)
		case flat && (x.Box == nil || !x.Box.valid()):
			return nil, status.BadRequest("The spatial index of the path %s needs a boundingBox with xmin below xmax and ymin below ymax, since the geospatial configuration is %s.", x.Path, geometry)
		case !flat && x.Box != nil:
			return nil, status.BadRequest("The spatial index of the path %s cannot have a boundingBox, since the geospatial configuration is %s.", x.Path, geography)
		}
		for _, kind := range x.Types {
			if !slices.ContainsFunc(spatial.Types, func(known string) bool { return strings.EqualFold(known, kind) }) {
				return nil, status.BadRequest("The type %q of the spatial index of the path %s is invalid: use %s.", kind, x.Path, strings.Join(spatial.Types, ", "))
			}
		}
		x.Types = spatial.Types
		seen = append(seen, names)
	}
	var stored map[string]json.RawMessage
	if err := json.Unmarshal(indexing, &stored); err != nil {
		return nil, status.BadRequest("The indexing policy is invalid: %v.", err)
	}
	stored["spatialIndexes"] = MustJSON(policy.Indexes)
	return MustJSON(stored), nil
}
