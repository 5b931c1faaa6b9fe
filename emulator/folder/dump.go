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

// Dump writes the databases of a folder to the folder out: a file of NDJSON for each
// container, as pkgen-emulator -load reads it, with documents in place of their versions:
// system properties are left out. It returns the files that it has written. It does not
// replace files. If the file is damaged, Dump writes what is whole and then returns an error.
func Dump(dir, out string) (files []string, err error) {
	if _, err := os.Stat(filepath.Join(dir, fileName)); err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	f, err := Open(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	// An account that is serverless is as good.
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

// longestName is how many bytes the name of a file may have in most systems.
const longestName = 255

// dumpName is the name of the file of a container, or of a database without containers. The
// database has no dots there, so that the names of two containers are never alike. A long
// name ends with a checksum.
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

// reading is a folder that is only read.
type reading struct{ *Folder }

// Record does nothing.
func (reading) Record([]store.Change) {}
