//go:build unix

package formatted

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// othersWrite are the write permissions of the group and of others.
const othersWrite = 0o022

// private returns an error unless only the user may write to a file or folder.
func private(name string, info fs.FileInfo) error {
	status, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return fmt.Errorf("nothing tells whose %s is", name)
	}
	return owned(name, info, int(status.Uid), os.Geteuid(), uint64(status.Nlink)) //nolint:unconvert // it has another type elsewhere
}

// owned is private with the facts from the system.
func owned(name string, info fs.FileInfo, owner, user int, links uint64) error {
	switch {
	case owner != user:
		return fmt.Errorf("%s belongs to another user", name)
	case info.Mode().Perm()&othersWrite != 0:
		return fmt.Errorf("others may write to %s", name)
	case info.Mode().IsRegular() && links > 1:
		return fmt.Errorf("%s has another name elsewhere", name)
	}
	return nil
}
