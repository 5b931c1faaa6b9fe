package store

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// Limits of vectors ("Vector search in Azure Cosmos DB for NoSQL").
const (
	maxDimensions     = 4096
	maxFlatDimensions = 505 // of a flat index

	maxQuantizationBytes = 512
	minSearchList        = 10
	maxSearchList        = 500
)

// Names in policies of search, as the service writes them.
var (
	distanceFunctions = []string{"cosine", "dotproduct", "euclidean"}
	vectorTypes       = []string{"float32", "float16", "int8", "uint8"}
	vectorIndexTypes  = []string{"flat", "quantizedFlat", "diskANN"}
	quantizerTypes    = []string{"product", "spherical"}
)

// Embedding describes the vectors at a path.
type Embedding struct {
	Path             []string
	DistanceFunction string // in lower case
	DataType         string
	Dimensions       int
}

// search are the policies of a container for vectors and for full text.
type search struct {
	vectors []Embedding
	indexes map[string]string // the index of a vector as JSON, by its path
	texts   [][]string
	indexed [][]string // paths of the texts that have an index
}

// TextIndexes returns the paths that have a full-text index. The caller holds the lock.
func (c *Container) TextIndexes() [][]string { return c.textIndexes }

// Strict reports whether the account refuses requests that the service accepts, although its
// documentation forbids them or warns of them.
func (c *Container) Strict() bool { return !c.limits.Lenient }

// searchPolicies reads the policies for vectors and for full text. Its checks follow the
// documentation of the service.
func searchPolicies(sent map[string]json.RawMessage) (search, error) {
	s := search{indexes: map[string]string{}}
	if err := s.embeddings(sent["vectorEmbeddingPolicy"]); err != nil {
		return s, err
	}
	if err := s.fullText(sent["fullTextPolicy"]); err != nil {
		return s, err
	}
	return s, s.readIndexes(sent["indexingPolicy"])
}

// embeddings reads the vector embedding policy.
func (s *search) embeddings(raw json.RawMessage) error {
	var policy struct {
		Embeddings []struct {
			Path             string  `json:"path"`
			DataType         string  `json:"dataType"`
			DistanceFunction string  `json:"distanceFunction"`
			Dimensions       float64 `json:"dimensions"`
		} `json:"vectorEmbeddings"`
	}
	if err := readPolicy(raw, &policy); err != nil {
		return status.BadRequest("The vector embedding policy is invalid: %v.", err)
	}
	for _, e := range policy.Embeddings {
		at, err := s.newPath("vector embedding", e.Path)
		if err != nil {
			return err
		}
		metric, dataType := strings.ToLower(e.DistanceFunction), strings.ToLower(e.DataType)
		switch {
		case !slices.Contains(distanceFunctions, metric):
			return status.BadRequest("The distance function %q of the vector embedding path %s is invalid: use %s.", e.DistanceFunction, e.Path, strings.Join(distanceFunctions, ", "))
		case !slices.Contains(vectorTypes, dataType):
			return status.BadRequest("The data type %q of the vector embedding path %s is invalid: use %s.", e.DataType, e.Path, strings.Join(vectorTypes, ", "))
		case e.Dimensions != float64(int(e.Dimensions)) || e.Dimensions < 1 || e.Dimensions > maxDimensions:
			return status.BadRequest("The vector embedding path %s has %v dimensions: a vector has 1 to %d.", e.Path, e.Dimensions, maxDimensions)
		}
		s.vectors = append(s.vectors, Embedding{at, metric, dataType, int(e.Dimensions)})
	}
	return nil
}

// fullText reads the full-text policy.
func (s *search) fullText(raw json.RawMessage) error {
	var policy struct {
		Default string `json:"defaultLanguage"`
		Paths   []struct {
			Path     string `json:"path"`
			Language string `json:"language"`
		} `json:"fullTextPaths"`
	}
	if err := readPolicy(raw, &policy); err != nil {
		return status.BadRequest("The full text policy is invalid: %v.", err)
	}
	for _, p := range policy.Paths {
		at, err := s.newPath("full text", p.Path)
		if err != nil {
			return err
		}
		s.texts = append(s.texts, at)
		if p.Language == "" && policy.Default == "" {
			return status.BadRequest("The full text path %s has no language, and the policy has no default language.", p.Path)
		}
	}
	return nil
}

// newPath reads the path of a policy, which no other policy may have.
func (s *search) newPath(what, path string) ([]string, error) {
	names := splitPath(path)
	if len(names) == 0 || strings.ContainsAny(path, "*?[]") {
		return nil, status.BadRequest("The %s path %q is invalid: it names a property, without wildcards and elements of arrays.", what, path)
	}
	same := func(other []string) bool { return slices.Equal(other, names) }
	if slices.ContainsFunc(s.texts, same) || slices.ContainsFunc(s.vectors, func(e Embedding) bool { return same(e.Path) }) {
		return nil, status.BadRequest("The %s path %s is listed twice.", what, path)
	}
	return names, nil
}

// readIndexes reads the indexes of vectors and of full text.
func (s *search) readIndexes(raw json.RawMessage) error {
	type index struct {
		Path string `json:"path"`
		Type string `json:"type"`

		Quantizer  string   `json:"quantizerType"`
		Bytes      *float64 `json:"quantizationByteSize"`
		SearchList *float64 `json:"indexingSearchListSize"`
		ShardKey   []string `json:"vectorIndexShardKey"`
	}
	var policy struct {
		Vectors []index `json:"vectorIndexes"`
		Texts   []index `json:"fullTextIndexes"`
	}
	if err := readPolicy(raw, &policy); err != nil {
		return status.BadRequest("The indexing policy is invalid: %v.", err)
	}
	for _, x := range policy.Vectors {
		names := splitPath(x.Path)
		i := slices.IndexFunc(s.vectors, func(e Embedding) bool { return slices.Equal(e.Path, names) })
		switch {
		case i < 0:
			return status.BadRequest("The vector index path %s is not in the vector embedding policy.", x.Path)
		case !slices.ContainsFunc(vectorIndexTypes, func(known string) bool { return strings.EqualFold(known, x.Type) }):
			return status.BadRequest("The vector index type %q of the path %s is invalid: use %s.", x.Type, x.Path, strings.Join(vectorIndexTypes, ", "))
		case strings.EqualFold(x.Type, "flat") && s.vectors[i].Dimensions > maxFlatDimensions:
			return status.BadRequest("The flat vector index of the path %s is for at most %d dimensions, and the vectors have %d.", x.Path, maxFlatDimensions, s.vectors[i].Dimensions)
		}
		if err := checkTuning(x.Path, strings.ToLower(x.Type), s.vectors[i].Dimensions, x.Quantizer, x.Bytes, x.SearchList, x.ShardKey); err != nil {
			return err
		}
		key := strings.Join(names, "\x00")
		if s.indexes[key] != "" {
			return status.BadRequest("The vector index path %s is listed twice.", x.Path)
		}
		x.Type, x.Quantizer = strings.ToLower(x.Type), strings.ToLower(x.Quantizer)
		text, err := json.Marshal(x)
		if err != nil {
			return err
		}
		s.indexes[key] = string(text)
	}
	for _, x := range policy.Texts {
		names := splitPath(x.Path)
		if !slices.ContainsFunc(s.texts, func(path []string) bool { return slices.Equal(path, names) }) {
			return status.BadRequest("The full text index path %s is not in the full text policy.", x.Path)
		}
		s.indexed = append(s.indexed, names)
	}
	return nil
}

// checkTuning checks the options of a vector index ("Indexing policies in Azure Cosmos DB",
// vector indexes, and VectorIndex of @azure/cosmos).
func checkTuning(path, typ string, dimensions int, quantizer string, bytes, searchList *float64, shardKey []string) error {
	outside := func(n *float64, low, high int) bool {
		return n != nil && (*n != float64(int(*n)) || *n < float64(low) || *n > float64(high))
	}
	most := min(maxQuantizationBytes, dimensions)
	switch {
	case quantizer != "" && !slices.Contains(quantizerTypes, strings.ToLower(quantizer)):
		return status.BadRequest("The quantizer type %q of the vector index path %s is invalid: use %s.", quantizer, path, strings.Join(quantizerTypes, ", "))
	case typ == "flat" && (quantizer != "" || bytes != nil || len(shardKey) > 0):
		return status.BadRequest("The vector index path %s is flat: quantizerType, quantizationByteSize and vectorIndexShardKey are for quantizedFlat and diskANN.", path)
	case typ != "diskann" && searchList != nil:
		return status.BadRequest("The vector index path %s is %s: indexingSearchListSize is for diskANN.", path, typ)
	case outside(bytes, 1, most):
		return status.BadRequest("The quantizationByteSize %v of the vector index path %s is invalid: it is 1 to %d.", *bytes, path, most)
	case outside(searchList, minSearchList, maxSearchList):
		return status.BadRequest("The indexingSearchListSize %v of the vector index path %s is invalid: it is %d to %d.", *searchList, path, minSearchList, maxSearchList)
	}
	for _, key := range shardKey {
		if len(splitPath(key)) == 0 || strings.ContainsAny(key, "*?[]") {
			return status.BadRequest("The shard key %q of the vector index path %s is invalid: it names a property, without wildcards and elements of arrays.", key, path)
		}
	}
	return nil
}

// readPolicy reads a policy. raw may be nil.
func readPolicy(raw json.RawMessage, into any) error {
	if raw == nil {
		return nil
	}
	return json.Unmarshal(raw, into)
}
