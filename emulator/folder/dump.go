package folder

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
)

// Dump writes the databases of a folder to the folder out: an NDJSON file for each container,
// for pkgen-emulator -load, with the present documents and without versions and system
// properties. It returns the names of the written files. It does not replace files. If the file
// is damaged, Dump writes the undamaged part and then returns an error.
func Dump(dir, out string) (files []string, err error) {
	if _, err := os.Stat(filepath.Join(dir, fileName)); err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	f, err := Open(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	// A serverless account would do as well.
	account, err := store.Restore(store.Limits{Partitions: 1, Lenient: true}, reading{f})
	var damage *store.DamageError
	if !errors.As(err, &damage) {
		err = nil
	}
	if failed := os.MkdirAll(out, 0o700); failed != nil {
		return nil, errors.Join(err, failed)
	}
	failed := account.Export(func(database, container string, text []byte) error {
		name := filepath.Join(out, dumpName(database, container))
		if err := writeNew(name, text); err != nil {
			return err
		}
		files = append(files, name)
		return nil
	})
	return files, errors.Join(err, failed)
}

// longestName is the longest file name of most systems, in bytes.
const longestName = 255

// dumpName is the file name of a container, or of a database without containers. Dots of the
// database are escaped, so that the names of two containers always differ. A long name ends
// with a checksum.
func dumpName(database, container string) string {
	name := strings.ReplaceAll(url.PathEscape(database), ".", "%2E")
	if container != "" {
		name += "." + url.PathEscape(container)
	}
	if len(name)+len(dumpSuffix) > longestName {
		sum := sha256.Sum256([]byte(name))
		name = name[:150] + "~" + hex.EncodeToString(sum[:16])
	}
	return name + dumpSuffix
}

const dumpSuffix = ".ndjson"

// writeNew writes a file that does not exist.
func writeNew(name string, text []byte) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists: remove it, or name another folder", name)
	}
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Close())
}

// reading is a read-only folder.
type reading struct{ *Folder }

// Record does nothing.
func (reading) Record([]store.Change) {}
