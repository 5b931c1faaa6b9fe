package lease

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Dialect is one of the forms in which Microsoft's SDKs store leases. Processes
// that share leases have one dialect: there is no conversion between them.
type Dialect int

const (
	// DotNet is that of azure-cosmos-dotnet-v3: leases by the id of a physical
	// partition, and by a range where several were merged.
	DotNet Dialect = iota

	// JavaRange is that of handleChanges in azure-sdk-for-java: leases by the id of
	// a physical partition. A merge cannot be expressed.
	JavaRange

	// JavaEPK is that of handleLatestVersionChanges in azure-sdk-for-java: leases by
	// range, whose continuation is the state of a Java client.
	JavaEPK
)

// String names a dialect as options do.
func (d Dialect) String() string {
	switch d {
	case DotNet:
		return "DotNet"
	case JavaRange:
		return "JavaRange"
	case JavaEPK:
		return "JavaEPK"
	}
	return fmt.Sprintf("Dialect(%d)", int(d))
}

// Monitored is the container whose changes are read.
type Monitored struct {
	Host      string // of the account's endpoint, without a port
	Database  string // the id
	Container string // the id
	RID       string // of the container
}

// Prefix is what the ids of all documents of a processor begin with.
type Prefix string

// Prefix returns the prefix of a processor of this name.
func (d Dialect) Prefix(processor string, m Monitored) (Prefix, error) {
	if err := CheckName(processor); err != nil {
		return "", err
	}
	host, database, container := m.Host, m.Database, m.Container
	if d == DotNet {
		host = strings.ToLower(host) // as its Uri does
	}
	if d != JavaRange {
		var err error
		if database, err = databaseRID(m.RID); err != nil {
			return "", err
		}
		container = m.RID
	}
	return Prefix(processor + host + "_" + database + "_" + container), nil
}

// maxName leaves room in an id, which has up to 1,023 bytes, for the names of a
// database and a container, the host, and a range of two levels.
const maxName = 200

// CheckName returns why a processor cannot have a name: its documents' ids begin with
// it, and ids cannot have some characters.
func CheckName(name string) error {
	switch {
	case name == "":
		return errors.New("the name of the processor is empty: its leases are known by it")
	case len(name) > maxName:
		return fmt.Errorf("the name of the processor has %d bytes: it may have %d", len(name), maxName)
	case strings.ContainsAny(name, `/\?#`) || !utf8.ValidString(name) || strings.ContainsFunc(name, unsent):
		return fmt.Errorf("the name %q of the processor cannot begin an id: leave out / \\ ? #, control characters, and characters beyond U+FFFF such as emoji", name)
	}
	return nil
}

// unsent reports whether azcosmos 1.5.0 cannot send a character as part of a key.
func unsent(r rune) bool { return unicode.IsControl(r) || r > '\uFFFF' }

// The other documents of a processor, next to its leases.
func (p Prefix) info() string { return string(p) + ".info" } // is there once all leases were created
func (p Prefix) lock() string { return string(p) + ".lock" } // of the process that creates them

// leases is what the ids of leases begin with.
func (p Prefix) leases() string { return string(p) + ".." }

// databaseRID returns the RID of the database of a container: its first four bytes.
func databaseRID(container string) (string, error) {
	raw, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(container, "-", "/"))
	if err != nil || len(raw) < 8 {
		return "", errors.New("the RID " + fmt.Sprintf("%.40q", container) + " is not that of a container")
	}
	return strings.ReplaceAll(base64.StdEncoding.EncodeToString(raw[:4]), "/", "-"), nil
}
