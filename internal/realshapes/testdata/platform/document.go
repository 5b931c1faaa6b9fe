// Package platform is what several services of one company share.
package platform

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// Document is what every stored document begins with. It knows nothing of pkgen.
type Document struct {
	ID          string `json:"id"`
	ResourceID  string `json:"_rid,omitempty"`
	Self        string `json:"_self,omitempty"`
	ETag        string `json:"_etag,omitempty"`
	Attachments string `json:"_attachments,omitempty"`
	Timestamp   int64  `json:"_ts,omitempty"`
}

// Expiring is a Document that may have a time to live.
type Expiring struct {
	Document

	TTL int `json:"ttl,omitempty"`
}

// Envelope holds what a document is about.
type Envelope[P any] struct {
	Version    int `json:"version"`
	Properties P   `json:"properties"`
}

// UUID is written in its usual form.
type UUID [16]byte

// MarshalText returns the usual form.
func (u UUID) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:]), nil
}

// UnmarshalText reads the usual form.
func (u *UUID) UnmarshalText(text []byte) error {
	raw, err := hex.DecodeString(strings.ReplaceAll(string(text), "-", ""))
	if err != nil || len(raw) != len(u) {
		return errors.New("not a UUID")
	}
	copy(u[:], raw)
	return nil
}

// Path names a resource by its parent, and is written as one text.
type Path struct {
	Account string
	Project string
	Parent  *Path
}

// MarshalText joins the parts.
func (p *Path) MarshalText() ([]byte, error) { return []byte("/" + p.Account + "/" + p.Project), nil }

// UnmarshalText takes the parts apart.
func (p *Path) UnmarshalText(text []byte) error {
	parts := strings.Split(string(text), "/")
	if len(parts) != 3 {
		return errors.New("not a path")
	}
	p.Account, p.Project = parts[1], parts[2]
	return nil
}

// Stage is an enumeration.
type Stage int

var stages = [...]string{"draft", "live", "retired"}

// MarshalText returns the name.
func (s Stage) MarshalText() ([]byte, error) {
	if s < 0 || int(s) >= len(stages) {
		return nil, fmt.Errorf("no stage %d", int(s))
	}
	return []byte(stages[s]), nil
}

// UnmarshalText looks the name up.
func (s *Stage) UnmarshalText(text []byte) error {
	for i, name := range stages {
		if name == string(text) {
			*s = Stage(i)
			return nil
		}
	}
	return fmt.Errorf("no stage %q", text)
}
