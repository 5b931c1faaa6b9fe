package migrate

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/rig"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
)

// terminal makes a terminal the standard input, and returns the end at which somebody
// types.
func terminal(t *testing.T) *os.File {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(int(keyboard.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(keyboard.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	screen, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	before := os.Stdin
	os.Stdin = screen
	t.Cleanup(func() {
		os.Stdin = before
		keyboard.Close()
		screen.Close()
	})
	return keyboard
}

// asked is the standard error of a command, which does something once it is asked.
type asked struct {
	mu     sync.Mutex
	text   bytes.Buffer
	answer func()
	times  int
}

func (a *asked) Write(p []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.text.Write(p)
	if strings.Contains(string(p), "type yes: ") {
		a.times++
		a.answer()
	}
	return len(p), nil
}

// TestMigratePrompt runs the cutover on a terminal: only yes ends the migration, which
// then has what programs wrote until they were stopped.
func TestMigratePrompt(t *testing.T) {
	r := newRig(t)
	r.Load("fleet", vehiclesContainer, vehicle(1), vehicle(2))
	r.Load("fleet", rig.EventContainer)
	r.Load("fleet", migrations)
	for _, tt := range []struct {
		typed, want string
		code        int
	}{
		{"\x04", "the answer is not yes", cli.Failed}, // the end of the input
		{"\n", "the answer is not yes", cli.Failed},
		{"y\n", "the answer is not yes", cli.Failed},
		{"YES\n", "the answer is not yes", cli.Failed},
		{"yes, all\n", "the answer is not yes", cli.Failed},
		{"interrupt", "interrupted: run the command again", cli.Failed},
		{" yes \n", "the containers are equal: 2 documents", cli.Done},
	} {
		t.Run(fmt.Sprintf("%q", tt.typed), func(t *testing.T) {
			keyboard := terminal(t)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			var out bytes.Buffer
			problems := &asked{answer: func() {
				r.replace("vehicles", "1", `["vin-1"]`, strings.Replace(vehicle(1), "{", `{"answer":"`+strings.TrimSpace(strings.ReplaceAll(tt.typed, "\x04", ""))+`",`, 1))
				if tt.typed == "interrupt" {
					cancel()
				} else if _, err := keyboard.WriteString(tt.typed); err != nil {
					t.Error(err)
				}
			}}
			code := r.Program.Run(ctx, []string{"migrate", "-from", "vehicles", "-to", "vehicle-event", "-cutover"}, &out, problems)
			if text := out.String() + problems.text.String(); code != tt.code || problems.times != 1 || !strings.Contains(text, tt.want) || !strings.Contains(text, "stop all programs that write to container vehicles, and then type yes: ") {
				t.Errorf("%d, asked %d times: %s", code, problems.times, text)
			}
		})
	}
	if code, _, stderr := r.migrate("-cutover", "-writers-stopped"); code != cli.Failed || !strings.Contains(stderr, "this migration has ended") || !strings.Contains(stderr, "2 documents with the checksum") {
		t.Errorf("again: %d, %s", code, stderr)
	}
}

// TestMigratePromptInVain does not ask to stop programs where both sides cannot be equal.
func TestMigratePromptInVain(t *testing.T) {
	r := newRig(t)
	r.Load("fleet", vehiclesContainer, vehicle(1))
	r.Load("fleet", rig.EventContainer)
	r.Load("fleet", migrations)
	terminal(t)
	if code, stdout, stderr := r.migrate(); code != cli.Done {
		t.Fatalf("%d, %s%s", code, stdout, stderr)
	}
	r.create("vehicle-event", `["other"]`, `{"id":"of others","partitionKey":"other"}`)
	code, stdout, stderr := r.migrate("-cutover")
	if code != cli.Found || !strings.Contains(stdout, `id "of others" is from another program`) || !strings.Contains(stdout, "do not switch") || strings.Contains(stderr, "type yes") {
		t.Errorf("%d, %s%s", code, stdout, stderr)
	}
}

// TestMigratePipe refuses a cutover whose question nobody can answer, whatever is in the
// pipe: "yes | pkgen-data migrate -cutover" says nothing of programs.
func TestMigratePipe(t *testing.T) {
	r := newRig(t)
	r.Load("fleet", vehiclesContainer, vehicle(1))
	r.Load("fleet", rig.EventContainer)
	r.Load("fleet", migrations)
	in, typed, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := typed.WriteString("yes\nyes\n"); err != nil {
		t.Fatal(err)
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	before, stdin := len(r.Server.Requests()), os.Stdin
	t.Cleanup(func() {
		os.Stdin = stdin
		in.Close()
		typed.Close()
		null.Close()
	})
	for _, os.Stdin = range []*os.File{in, null} {
		if code, stdout, stderr := r.migrate("-cutover"); code != cli.Failed || !strings.Contains(stderr, "to ask whether all writers are stopped: stop them, and add -writers-stopped") || stdout != "" {
			t.Errorf("%d, %s%s", code, stdout, stderr)
		}
	}
	if n := len(r.Server.Requests()) - before; n != 0 {
		t.Errorf("%d requests", n)
	}
}
