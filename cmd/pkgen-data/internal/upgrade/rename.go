package upgrade

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/system"
)

// renamed returns a stored document with the current names of its properties: the newest of several
// aliases counts, unless the document has the current name. It returns false if the document has no
// alias. Its time to live is reduced by its age; expiry is that of the container.
func renamed(stored json.RawMessage, aliases []lock.Aliased, expiry system.Expiry, now time.Time) (json.RawMessage, bool, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(stored, &all); err != nil {
		return nil, false, err
	}
	changed := false
	for _, p := range aliases {
		for _, name := range p.Aliases {
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
	if left := expiry.Left(all[system.TTL], all[system.TS], now); left != nil {
		all[system.TTL] = left
	}
	for _, name := range system.Properties {
		delete(all, name)
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(all)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), true, err
}
