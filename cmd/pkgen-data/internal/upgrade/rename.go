package upgrade

import (
	"bytes"
	"encoding/json"
	"strconv"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// systemProperties are those that the service writes.
var systemProperties = []string{"_rid", "_self", "_etag", "_attachments", "_ts"}

// renamed returns a stored document with the present names of its properties: of several
// former names the newest that is there counts, unless the document has the present one. It
// is false if the document has no former name. If documents of the container expire, the
// time to live is reduced by the age of the document; ttl is that of the container, or nil.
func renamed(stored json.RawMessage, former []lock.FormerName, ttl *int, now time.Time) (json.RawMessage, bool, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(stored, &all); err != nil {
		return nil, false, err
	}
	changed := false
	for _, p := range former {
		for _, name := range p.Former {
			value, there := all[name]
			if !there {
				continue
			}
			changed = true
			delete(all, name)
			if _, present := all[p.Name]; !present {
				all[p.Name] = value
			}
		}
	}
	if !changed {
		return nil, false, nil
	}
	if ttl != nil {
		left, err := strconv.ParseInt(string(all["ttl"]), 10, 64)
		if err != nil {
			left = int64(*ttl)
		}
		written, err := strconv.ParseInt(string(all["_ts"]), 10, 64)
		if left > 0 && err == nil {
			all["ttl"] = strconv.AppendInt(nil, max(left-(now.Unix()-written), 1), 10)
		}
	}
	for _, name := range systemProperties {
		delete(all, name)
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(all)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), true, err
}
