package formatted

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// fileName is the name of the file in its folder.
const fileName = "formatted"

// openFolder opens a folder that only the user may write to.
func openFolder(dir string) (*os.Root, error) {
	named, err := os.Lstat(dir)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	opened, err := root.Stat(".")
	if err == nil {
		err = private(dir, opened)
	}
	if err == nil && !os.SameFile(named, opened) { // named is a link
		err = fmt.Errorf("%s is a link, or has been exchanged", dir)
	}
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return root, nil
}

// ordinary returns an error if the name of the file is taken by anything but a regular file:
// somebody else may choose the target of a link, and reading a pipe would block.
func ordinary(root *os.Root) error {
	info, err := root.Lstat(fileName)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is no file", fileName)
	}
	return private(fileName, info)
}

// read returns the content of the file, up to just past the maximum length.
func read(root *os.Root) ([]byte, error) {
	if err := ordinary(root); err != nil {
		return nil, err
	}
	file, err := root.Open(fileName)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(file, (maxFacts+1)*sha256.Size))
	return data, errors.Join(err, file.Close())
}
