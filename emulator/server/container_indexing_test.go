package server

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestIndexingPolicies(t *testing.T) {
	const defaults = `"indexingMode":"consistent","automatic":true,"includedPaths":[{"path":"/*"}],"excludedPaths":[{"path":"/\"_etag\"/?"}]`
	tests := []struct {
		sent, stored string // stored is empty for what is refused
		says         string
	}{
		{`null`, defaults, ""},
		{`{}`, defaults, ""},
		{`{"indexingMode":"Consistent","automatic":true,"includedPaths":[],"excludedPaths":[]}`, defaults, ""},
		{`{"automatic":false}`, defaults, ""}, // the service knows no index on demand any more
		{`{"indexingMode":"consistent","automatic":false,"includedPaths":[{"path":"/*"}]}`, `"indexingMode":"consistent","automatic":true,"includedPaths":[{"path":"/*"}]`, ""},
		{`{"indexingMode":"None"}`, `"indexingMode":"none","automatic":false`, ""},
		{`{"indexingMode":"none","automatic":true}`, `"indexingMode":"none","automatic":false`, ""},
		{`{"excludedPaths":[{"path":"/*"}],"includedPaths":[{"path":"/a/?"}]}`, `"indexingMode":"consistent","automatic":true,"excludedPaths":[{"path":"/*"}],"includedPaths":[{"path":"/a/?"}]`, ""},
		{`{"includedPaths":[{"path":"/"}],"spatialIndexes":[{"path":"/p/*"}]}`, `"indexingMode":"consistent","automatic":true,"includedPaths":[{"path":"/"}],"spatialIndexes":[{"path":"/p/*","types":["Point","LineString","Polygon","MultiPolygon"]}]`, ""},
		{`{"spatialIndexes":[{"path":"/a/b/?","types":["polygon"]},{"path":"/p/*","types":["Point"]}]}`, defaults + `,"spatialIndexes":[{"path":"/a/b/?","types":["Point","LineString","Polygon","MultiPolygon"]},{"path":"/p/*","types":["Point","LineString","Polygon","MultiPolygon"]}]`, ""},
		{`{"spatialIndexes":[]}`, defaults + `,"spatialIndexes":[]`, ""},
		{`{"compositeIndexes":[[{"path":"/a"},{"path":"/b","order":"descending"}]]}`, defaults + `,"compositeIndexes":[[{"path":"/a"},{"path":"/b","order":"descending"}]]`, ""},

		{`{"indexingMode":"lazy"}`, "", `The indexing mode "lazy" is invalid`},
		{`{"includedPaths":[{"path":"/a/?"}]}`, "", "special mandatory indexing path"},
		{`{"excludedPaths":[{"path":"/a/?"}]}`, "", "special mandatory indexing path"},
		{`{"includedPaths":[{"path":"/*"}],"excludedPaths":[{"path":"/*"}]}`, "", "is listed twice"},
		{`{"includedPaths":[{"path":"/*"},{"path":"/\"a\"/?"},{"path":"/a/?"}]}`, "", "is listed twice"},
		{`{"includedPaths":[{"path":"/*"},{"path":"/a"}]}`, "", "ends in /? or /*"},
		{`{"includedPaths":[{"path":"*"}]}`, "", "ends in /? or /*"},
		{`{"includedPaths":{}}`, "", "is invalid"},
		{`[]`, "", "is invalid"},
		{`{"compositeIndexes":{}}`, "", "are invalid"},
		{`{"compositeIndexes":[[{"path":"/a"}]]}`, "", "two or more"},
		{`{"compositeIndexes":[[{"path":"/a/?"},{"path":"/b"}]]}`, "", "without /? or /*"},
		{`{"compositeIndexes":[[{"path":"a"},{"path":"/b"}]]}`, "", "names a property"},
		{`{"compositeIndexes":[[{"path":"/a","order":"up"},{"path":"/b"}]]}`, "", "use ascending or descending"},
		{`{"spatialIndexes":{}}`, "", "spatial indexes are invalid"},
		{`{"spatialIndexes":[{"path":"/a"}]}`, "", "ends in /? or /*"},
		{`{"spatialIndexes":[{"types":["Point"]}]}`, "", "ends in /? or /*"},
		{`{"spatialIndexes":[{"path":"/a/?"},{"path":"/\"a\"/?"}]}`, "", "is listed twice"},
		{`{"spatialIndexes":[{"path":"/a/?","types":["Circle"]}]}`, "", `The type "Circle"`},
		{`{"spatialIndexes":[{"path":"/a/?","boundingBox":{"xmin":0,"ymin":0,"xmax":1,"ymax":1}}]}`, "", "cannot have a boundingBox"},
		{`{"indexingMode":"none","spatialIndexes":[{"path":"/a/?"}]}`, "", "allows no spatial indexes"},
		{`{"indexingMode":"none","compositeIndexes":[[{"path":"/a"},{"path":"/b"}]]}`, "", "allows no composite indexes"},
	}
	for _, test := range tests {
		r := newRig(t, Options{})
		r.send("POST", "/dbs", `{"id":"db"}`)
		created := r.send("POST", "/dbs/db/colls", `{"id":"c",`+hashDefinition+`,"indexingPolicy":`+test.sent+`}`)
		r.send("POST", "/dbs/db/colls", `{"id":"d",`+hashDefinition+`}`).status(201, "")
		replaced := r.send("PUT", "/dbs/db/colls/d", `{"id":"d",`+hashDefinition+`,"indexingPolicy":`+test.sent+`}`)
		if test.stored == "" {
			for _, answer := range []*answer{created, replaced} {
				if message := answer.status(400, "").message(); !strings.Contains(message, test.says) {
					t.Errorf("%s: %s", test.sent, message)
				}
			}
			continue
		}
		var want any
		if err := json.Unmarshal([]byte("{"+test.stored+"}"), &want); err != nil {
			t.Fatal(err)
		}
		for _, answer := range []*answer{created.status(201, ""), replaced.status(200, "")} {
			if got := answer.json()["indexingPolicy"]; !reflect.DeepEqual(got, want) {
				t.Errorf("%s is stored as %v, want %v", test.sent, got, want)
			}
		}
	}
}

func TestReplacedIndexesServeOrders(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	const order = "SELECT * FROM c ORDER BY c.a, c.b DESC"
	r.query(order, pkKey, `["k"]`).status(400, "")
	r.send("PUT", "/dbs/db/colls/c", `{"id":"c",`+hashDefinition+`,"indexingPolicy":{"compositeIndexes":[[{"path":"/a","order":"descending"},{"path":"/b"}]]}}`).status(200, "")
	r.query(order, pkKey, `["k"]`).status(200, "")
}

// TestGeospatialConfig makes and replaces containers of shapes on the Earth and on a plane.
func TestGeospatialConfig(t *testing.T) {
	r := newRig(t, Options{})
	r.send("POST", "/dbs", `{"id":"db"}`)
	const box = `"indexingPolicy":{"spatialIndexes":[{"path":"/at/*","types":["Point"],"boundingBox":{"xmin":-10,"ymin":-20.5,"xmax":10,"ymax":20}}]}`
	tests := []struct {
		sent   string
		status int
		says   string // the type, or the error
	}{
		{``, 201, "Geography"},
		{`,"geospatialConfig":null`, 201, "Geography"},
		{`,"geospatialConfig":{}`, 201, "Geography"},
		{`,"geospatialConfig":{"type":"geography"}`, 201, "Geography"},
		{`,"geospatialConfig":{"type":"Geometry"}`, 201, "Geometry"},
		{`,"geospatialConfig":{"type":"Geometry"},` + box, 201, "Geometry"},
		{`,"geospatialConfig":{"type":"Sphere"}`, 400, "use Geography or Geometry"},
		{`,"geospatialConfig":7`, 400, "is invalid"},
		{`,` + box, 400, "cannot have a boundingBox"},
		{`,"geospatialConfig":{"type":"Geometry"},"indexingPolicy":{"spatialIndexes":[{"path":"/at/*"}]}`, 400, "needs a boundingBox"},
		{`,"geospatialConfig":{"type":"Geometry"},"indexingPolicy":{"spatialIndexes":[{"path":"/at/*","boundingBox":{"xmin":1,"ymin":0,"xmax":1,"ymax":5}}]}`, 400, "xmin below xmax"},
		{`,"geospatialConfig":{"type":"Geometry"},"indexingPolicy":{"spatialIndexes":[{"path":"/at/*","boundingBox":{"xmin":1,"ymin":0,"xmax":2}}]}`, 400, "xmin below xmax"},
	}
	for _, test := range tests {
		a := r.send("POST", "/dbs/db/colls", `{"id":"c",`+hashDefinition+test.sent+`}`).status(test.status, "")
		if test.status == 400 {
			if message := a.message(); !strings.Contains(message, test.says) {
				t.Errorf("%s: %s", test.sent, message)
			}
			continue
		}
		if config, _ := a.json()["geospatialConfig"].(map[string]any); config["type"] != test.says {
			t.Errorf("%s is %v", test.sent, config)
		}
		if strings.Contains(test.sent, "boundingBox") && !strings.Contains(a.Body.String(), `"boundingBox":{"xmin":-10,"ymin":-20.5,"xmax":10,"ymax":20}`) {
			t.Errorf("the box is not in %s", a.Body)
		}
		r.send("DELETE", "/dbs/db/colls/c", "").status(204, "")
	}
}
