package migrate

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/system"
)

// placeOf returns the hash of a key and an id.
func placeOf(key, id string) uint64 {
	h := sha256.Sum256([]byte(key + "\x00" + id))
	return binary.BigEndian.Uint64(h[:])
}

// stored returns a document of the destination, with the same sum as the source document that it
// was made from.
func (r *rekeyer) stored(raw json.RawMessage) (document, bool) {
	var d document
	var properties map[string]json.RawMessage
	if json.Unmarshal(raw, &properties) != nil {
		return d, false
	}
	_ = json.Unmarshal(properties["id"], &d.id)
	d.key = arrayAt(properties, r.to)
	d.place = placeOf(d.key, d.id)
	if r.expiry != 0 {
		d.expires = system.Expiry(-1).At(properties[system.TTL], properties[system.TS])
	}
	for _, name := range system.Fed {
		delete(properties, name)
	}
	if r.expiry != 0 {
		delete(properties, system.TTL)
	}
	d.sum = sumOf(d.place, properties)
	return d, true
}

// sumOf returns the checksum of a document at a place. Sums of several documents can be added in
// any order. It does not depend on the notation of JSON.
func sumOf(place uint64, properties map[string]json.RawMessage) [2]uint64 {
	h := sha256.New()
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], place)
	h.Write(b[:])
	decoder := json.NewDecoder(bytes.NewReader(encode(properties)))
	decoder.UseNumber()
	var value any
	_ = decoder.Decode(&value) // encode has written it
	h.Write(encode(plainNumbers(value)))
	all := h.Sum(nil)
	return [2]uint64{binary.BigEndian.Uint64(all), binary.BigEndian.Uint64(all[8:])}
}

// plainNumbers normalizes numbers: integers stay in digits, and others become the double that the
// service stores.
func plainNumbers(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			v[name] = plainNumbers(inner)
		}
	case []any:
		for i, inner := range v {
			v[i] = plainNumbers(inner)
		}
	case json.Number:
		if f, err := v.Float64(); err == nil && strings.ContainsAny(v.String(), ".eE") {
			return f
		}
	}
	return value
}
