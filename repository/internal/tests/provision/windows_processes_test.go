package provision

import (
	"bufio"
	"context"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// windowsVariable has the account of a process that ensures windows in its environment.
// TestMain runs the process in place of the tests.
const windowsVariable = "PKGEN_TEST_WINDOWS"

// autumn is the policy of these processes.
var autumn = admin.WindowPolicy{Present: admin.Autoscale(4000), Past: admin.LeastThroughput(), Now: june}

// runWindowsProcess ensures the windows of a year when its input says so.
func runWindowsProcess(account string) error {
	client, err := azcosmos.NewClientFromConnectionString(account, repository.Configure(nil))
	if err != nil {
		return err
	}
	db, err := client.NewDatabase("db")
	if err != nil {
		return err
	}
	if _, err := bufio.NewReader(os.Stdin).ReadString('\n'); err != nil {
		return err
	}
	_, err = admin.NewWindows(db, &monthly, generated.Keys{}).Ensure(context.Background(), month(2026, 1), month(2027, 1), autumn)
	return err
}

// TestWindowsFromProcessesThatAreKilled ensures windows from eight processes at once, and
// kills three of them meanwhile. What one leaves halfway, the others finish.
func TestWindowsFromProcessesThatAreKilled(t *testing.T) {
	t.Parallel()
	server, _ := kit.NewDatabase(t, emulator.Options{Latency: 2 * time.Millisecond}, nil)
	w := windowsOf(t, server)
	if _, err := w.Ensure(t.Context(), month(2026, 1), month(2026, 11), admin.WindowPolicy{Present: admin.Manual(1500), Past: admin.Manual(700), Now: june}); err != nil {
		t.Fatal(err)
	}
	server.ResetRequests()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	commands := make([]*exec.Cmd, seeds.Few(8, 4))
	begin := make([]io.WriteCloser, len(commands))
	for i := range commands {
		c := exec.Command(binary)
		c.Env = append(os.Environ(), windowsVariable+"="+server.ConnectionString())
		c.Stderr = os.Stderr
		if begin[i], err = c.StdinPipe(); err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		commands[i] = c
	}
	for _, input := range begin {
		if _, err := io.WriteString(input, "go\n"); err != nil {
			t.Error(err)
		}
	}
	for _, c := range commands[:3] {
		time.Sleep(rand.N(60 * time.Millisecond))
		_ = c.Process.Kill() // it may have ended
	}
	for i, c := range commands {
		if err := c.Wait(); err != nil && i >= 3 {
			t.Errorf("process %d: %v", i, err)
		}
	}
	list, err := w.Ensure(t.Context(), month(2026, 1), month(2027, 1), autumn)
	if err != nil || len(list) != 12 {
		t.Fatalf("%v\n%v", list, err)
	}
	for _, window := range list {
		want := admin.Autoscale(4000)
		if window.End.Before(june) {
			want = admin.Manual(400)
		}
		if window.Action != admin.WindowFound || window.Has != want {
			t.Errorf("%s: %v, %v; want %v", window.Name, window.Action, window.Has, want)
		}
	}
	if got := changesOfThroughput(server); got != 5+2*5 {
		t.Errorf("%d changes of throughput, want 15", got)
	}
}
