package command_test

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/admin/command"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestRun makes the container of a type whose documents are marked as deleted, and removes
// those of a certain age.
func TestRun(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	server := harness.New(t, emulator.Options{Partitions: 2}, repository.Configure(nil))
	client, ensured := server.Client(repository.Configure(nil)), 0
	pkg := admin.Package{
		Ensure: func(ctx context.Context, db *azcosmos.DatabaseClient, throughput admin.Throughput, opts ...admin.EnsureOption) error {
			ensured++
			properties := kit.HashContainer("parcels", "/owner")
			properties.DefaultTimeToLive = new(int32)
			*properties.DefaultTimeToLive = -1
			_, err := admin.Ensure(ctx, db, properties, throughput, opts...)
			return err
		},
		Types: []admin.Type{admin.Of("parcels", fixtures.ParcelModel)},
	}
	run := func(want int, args ...string) (stdout, stderr string) {
		t.Helper()
		var out, errs bytes.Buffer
		if code := command.Run(ctx, client, append(args, "-database", server.DB.ID()), &out, &errs, pkg); code != want {
			t.Fatalf("%q: exit code %d, want %d: %s%s", args, code, want, &out, &errs)
		}
		return out.String(), errs.String()
	}
	is := func(got, pattern string) {
		t.Helper()
		if !regexp.MustCompile(pattern).MatchString(got) {
			t.Errorf("got %q, want %s", got, pattern)
		}
	}
	stdout, _ := run(0, "ensure", "-autoscale", "1000")
	is(stdout, "as the code wants them")
	if ensured != 1 {
		t.Errorf("ensured %d times", ensured)
	}
	_, stderr := run(2, "ensure", "-autoscale", "1000", "-manual", "400")
	is(stderr, "exclude each other")

	container, err := server.DB.NewContainer("parcels")
	kit.MustPass(t, err)
	all := repository.New(container, fixtures.ParcelModel)
	parcel := func(id string) *fixtures.Parcel { return &fixtures.Parcel{ID: id, Owner: "o"} }
	for _, id := range []string{"kept", "old", "new"} {
		kit.MustPass(t, all.Create(ctx, parcel(id)))
	}
	kit.MustPass(t, all.Delete(ctx, fixtures.ParcelKey{ID: "old", Owner: "o"}))

	_, stderr = run(2, "purge")
	is(stderr, "no age: give -older")
	stdout, _ = run(0, "purge", "-older", "720h")
	is(stdout, `^Parcel: no documents removed; \d+ RU\n$`)
	stdout, _ = run(1, "purge", "-older", "0s", "-dry-run")
	is(stdout, `^Parcel: 1 document to purge; \d+ RU\n$`)
	stdout, _ = run(0, "purge", "-older", "0s", "-budget", "10000")
	is(stdout, `^Parcel: 1 document removed; \d+ RU\n$`)
	kit.MustPass(t, all.Create(ctx, parcel("old"))) // its key is free again

	stdout, _ = run(0, "upgrade")
	is(stdout, "no type has documents to upgrade")
	_, stderr = run(2, "rekey", "-type", "Parcel")
	is(stderr, "its tag has no was")
	_, stderr = run(2, "rekey", "-type", "Parcels")
	is(stderr, `no type is called "Parcels": the types are Parcel`)
	var out bytes.Buffer
	if code := command.Run(ctx, client, []string{"upgrade", "-database", ""}, &out, &out, pkg); code != 2 || !strings.Contains(out.String(), "no database") {
		t.Errorf("%d: %s", code, &out)
	}
}

// TestWait makes an index that the service builds for some time.
func TestWait(t *testing.T) {
	t.Parallel()
	server := harness.New(t, emulator.Options{IndexLag: 200 * time.Millisecond}, repository.Configure(nil))
	client := server.Client(repository.Configure(nil))
	pkg := admin.Package{
		Ensure: func(ctx context.Context, db *azcosmos.DatabaseClient, throughput admin.Throughput, opts ...admin.EnsureOption) error {
			if _, err := admin.Ensure(ctx, db, kit.HashContainer("parcels", "/owner"), throughput, opts...); err != nil {
				return err
			}
			index := kit.HashContainer("parcels-by-city", "/city")
			_, err := admin.Ensure(ctx, db, index, throughput, append(opts, admin.IndexOf("parcels"))...)
			return err
		},
	}
	ensure := func(want int, text string, flags ...string) {
		t.Helper()
		var out bytes.Buffer
		code := command.Run(t.Context(), client, append([]string{"ensure", "-database", server.DB.ID(), "-autoscale", "1000"}, flags...), &out, &out, pkg)
		if code != want || !strings.Contains(out.String(), text) {
			t.Errorf("%v: exit code %d, %s", flags, code, &out)
		}
	}
	ensure(2, "the index is still being built")
	ensure(0, "as the code wants them", "-wait")
	ensure(0, "as the code wants them")
}
