package channels

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// inRoot returns a command that runs pkgen-emulator in a root of its own, as the user of the
// container and without an environment. Where this process may not change the root, the
// program runs in that folder, and the test says so.
func inRoot(t *testing.T, root string, arguments []string) *exec.Cmd {
	t.Helper()
	confined := func(arguments ...string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), "/pkgen-emulator", arguments...)
		cmd.Env, cmd.Dir = []string{}, "/"
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root}
		if os.Getuid() == 0 {
			cmd.SysProcAttr.Credential = &syscall.Credential{Uid: 65532, Gid: 65532}
		} else {
			cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
			cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 65532, HostID: os.Getuid(), Size: 1}}
			cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 65532, HostID: os.Getgid(), Size: 1}}
		}
		return cmd
	}
	err := confined("-h").Run()
	if err == nil {
		return confined(arguments...)
	}
	if !errors.Is(err, syscall.EPERM) && !errors.Is(err, syscall.EACCES) {
		t.Fatal(err)
	}
	t.Logf("NOT RUN in a root of its own: %v", err)
	cmd := exec.CommandContext(t.Context(), filepath.Join(root, "pkgen-emulator"), arguments...)
	cmd.Env, cmd.Dir = []string{}, root
	return cmd
}
