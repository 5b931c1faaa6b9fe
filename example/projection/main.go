package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
)

// accountVariable has the connection string in the environment of a worker process.
const accountVariable = "PROJECTION_ACCOUNT"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	var err error
	if account := os.Getenv(accountVariable); account != "" {
		err = work(ctx, account)
	} else {
		err = run(ctx, os.Stdout)
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "projection:", err)
		os.Exit(1)
	}
}

// work is a worker process. It ends when its input does, and so with its parent.
func work(ctx context.Context, account string) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // an error is an end, too
		stop()
	}()
	db, err := openDatabase(account)
	if err != nil {
		return err
	}
	p, err := newProcessor(db, os.Stdout)
	if err != nil {
		return err
	}
	if err := p.Run(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

const (
	processes = 3
	journeys  = 400 // of which every fourth is corrected
	kills     = 4
)

// run stores journeys while worker processes are killed, and checks the sums.
func run(ctx context.Context, out io.Writer) error {
	server, err := emulator.Start(emulator.Options{Partitions: 5})
	if err != nil {
		return err
	}
	defer server.Close()
	db, err := createDatabase(ctx, server.Client(repository.Configure(nil)))
	if err != nil {
		return err
	}
	workers := &workers{account: server.ConnectionString()}
	defer workers.kill()
	for range processes {
		if err := workers.start(); err != nil {
			return err
		}
	}
	want, err := drive(ctx, db, workers)
	if err != nil {
		return err
	}
	if err := caughtUp(ctx, db); err != nil {
		return err
	}
	fmt.Fprintf(out, "%d journeys, %d of them corrected; %d of %d workers were killed.\n", journeys, journeys/4, kills, processes+kills)
	fmt.Fprintf(out, "Their handlers were called with %d changes.\n\n", workers.given.Load())
	return compare(ctx, db, want, out)
}

// createDatabase makes the containers: of journeys, of sums, and of leases.
func createDatabase(ctx context.Context, client *azcosmos.Client) (*azcosmos.DatabaseClient, error) {
	if _, err := client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "projection"}, nil); err != nil {
		return nil, err
	}
	db, err := client.NewDatabase("projection")
	if err != nil {
		return nil, err
	}
	if err := EnsureContainers(ctx, db, admin.AnyThroughput()); err != nil {
		return nil, err
	}
	_, err = admin.EnsureLeases(ctx, db, "leases", admin.AnyThroughput())
	return db, err
}

// drive stores journeys, corrects every fourth, and kills workers meanwhile. It returns
// the sums as they should be.
func drive(ctx context.Context, db *azcosmos.DatabaseClient, workers *workers) (map[DailySumKey]int, error) {
	container, err := db.NewContainer(JourneyContainer().ID)
	if err != nil {
		return nil, err
	}
	repo := NewJourneyRepository(container)
	want := map[DailySumKey]int{}
	stored := make([]Journey, 0, journeys)
	for i := range journeys {
		j := Journey{
			ID: fmt.Sprintf("journey-%03d", i), Date: fmt.Sprintf("2018-08-%02d", 9+i%2),
			VIN: fmt.Sprintf("1HGCM82633A00435%d", i/2%6), Metres: 500 + 37*i, Revision: 1,
		}
		if err := repo.Create(ctx, &j); err != nil {
			return nil, err
		}
		stored = append(stored, j)
		want[DailySumKey{ID: j.Date, VIN: j.VIN}] += j.Metres
		if i%4 == 3 {
			j = stored[i/2]
			j.Metres, j.Revision = j.Metres-100, 2
			if err := repo.Replace(ctx, &j); err != nil {
				return nil, err
			}
			want[DailySumKey{ID: j.Date, VIN: j.VIN}] -= 100
		}
		if i%(journeys/(kills+1)) == journeys/(kills+1)-1 && i < journeys-1 {
			if err := workers.replaceOldest(); err != nil {
				return nil, err
			}
		}
		time.Sleep(time.Millisecond)
	}
	return want, nil
}

// caughtUp waits until no change is left.
func caughtUp(ctx context.Context, db *azcosmos.DatabaseClient) error {
	p, err := newProcessor(db, io.Discard)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		leases, err := p.Lag(ctx)
		if err != nil {
			return err
		}
		left := int64(0)
		for _, l := range leases {
			left += l.Changes
		}
		if left == 0 && len(leases) > 0 { // a worker makes them when it starts
			return nil
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// compare prints the sums, and returns an error if one is wrong.
func compare(ctx context.Context, db *azcosmos.DatabaseClient, want map[DailySumKey]int, out io.Writer) error {
	container, err := db.NewContainer(DailySumContainer().ID)
	if err != nil {
		return err
	}
	sums, err := NewDailySumRepository(container).Scan().Collect(ctx)
	if err != nil {
		return err
	}
	slices.SortFunc(sums, func(a, b *DailySum) int { return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.VIN, b.VIN)) })
	wrong := 0
	for _, sum := range sums {
		fmt.Fprintf(out, "%s  %s  %3d journeys  %7.1f km\n", sum.ID, sum.VIN, len(sum.Journeys), float64(sum.Metres)/1000)
		if should := want[sum.Key()]; sum.Metres != should {
			wrong++
			fmt.Fprintf(out, "WRONG: the journeys have %.1f km\n", float64(should)/1000)
		}
	}
	if wrong > 0 || len(sums) != len(want) {
		return fmt.Errorf("of %d sums there are %d, and %d are wrong", len(want), len(sums), wrong)
	}
	fmt.Fprintf(out, "\nAll %d sums are right.\n", len(sums))
	return nil
}

// workers are the worker processes, the oldest first.
type workers struct {
	account string
	given   atomic.Int64 // changes, to the handlers of all of them
	readers sync.WaitGroup
	running []*exec.Cmd
}

// start starts this program again, as a worker.
func (w *workers) start() error {
	binary, err := os.Executable()
	if err != nil {
		return err
	}
	command := exec.Command(binary) //nolint:noctx,gosec // it is this program, and ends when its input ends
	command.Env = append(os.Environ(), accountVariable+"="+w.account)
	command.Stderr = os.Stderr
	lines, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	if _, err := command.StdinPipe(); err != nil { // open until the process is killed, or this one ends
		return err
	}
	if err := command.Start(); err != nil {
		return err
	}
	w.running = append(w.running, command)
	w.readers.Go(func() {
		for scanner := bufio.NewScanner(lines); scanner.Scan(); {
			n, _ := strconv.Atoi(scanner.Text()) // half a line, when it was killed
			w.given.Add(int64(n))
		}
	})
	return nil
}

// replaceOldest kills the worker that has run longest, and starts another.
func (w *workers) replaceOldest() error {
	oldest := w.running[0]
	w.running = w.running[1:]
	if err := oldest.Process.Kill(); err != nil {
		return err
	}
	_ = oldest.Wait() // it was killed
	return w.start()
}

// kill kills all workers: they have nothing to lose.
func (w *workers) kill() {
	for _, c := range w.running {
		_ = c.Process.Kill() // it may have ended
		_ = c.Wait()         // it was killed
	}
	w.readers.Wait()
}
