package provision

import (
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

func TestEnsureThroughput(t *testing.T) {
	t.Parallel()
	manual := func(ru int32) *azcosmos.ThroughputProperties {
		p := azcosmos.NewManualThroughputProperties(ru)
		return &p
	}
	autoscale := func(most int32) *azcosmos.ThroughputProperties {
		p := azcosmos.NewAutoscaleThroughputProperties(most)
		return &p
	}
	tests := []struct {
		name string
		have *azcosmos.ThroughputProperties
		want admin.Throughput
		line string // of the error; none if both agree
		fix  bool
	}{
		{"as wanted", manual(500), admin.Manual(500), "", false},
		{"raised", manual(500), admin.Manual(11_000), "have manual 500 RU/s, want manual 11000 RU/s; FixDifferences changes it, the bill changes with it", true},
		{"lowered", manual(11_000), admin.Manual(500), "have manual 11000 RU/s, want manual 500 RU/s; FixDifferences changes it, the bill changes with it", true},
		{"lowered too far", manual(90_000), admin.Manual(500), "have manual 90000 RU/s, want manual 500 RU/s; the service allows no less than 900 RU/s here, because of the stored data or earlier throughput", false},
		{"autoscale as wanted", autoscale(4000), admin.Autoscale(4000), "", false},
		{"autoscale raised", autoscale(1000), admin.Autoscale(20_000), "have autoscale up to 1000 RU/s, want autoscale up to 20000 RU/s; FixDifferences changes it, the bill changes with it", true},
		{"autoscale lowered too far", autoscale(20_000), admin.Autoscale(1000), "have autoscale up to 20000 RU/s, want autoscale up to 1000 RU/s; the service allows no less than 2000 RU/s here, because of the stored data or earlier throughput", false},
		{"manual to autoscale", manual(500), admin.Autoscale(1000), "have manual 500 RU/s, want autoscale up to 1000 RU/s; FixDifferences changes it, the bill changes with it", true},
		{"manual to more autoscale", manual(500), admin.Autoscale(12_000), "have manual 500 RU/s, want autoscale up to 12000 RU/s; FixDifferences changes it, the bill changes with it", true},
		{"autoscale to manual", autoscale(4000), admin.Manual(400), "have autoscale up to 4000 RU/s, want manual 400 RU/s; FixDifferences changes it, the bill changes with it", true},
		{"autoscale to the manual of the service", autoscale(4000), admin.Manual(4000), "have autoscale up to 4000 RU/s, want manual 4000 RU/s; FixDifferences changes it, the bill changes with it", true},
		{"least manual", manual(90_000), admin.LeastThroughput(), "have manual 90000 RU/s, want the least that is allowed; FixDifferences changes it, the bill changes with it", true},
		{"least autoscale", autoscale(21_000), admin.LeastThroughput(), "have autoscale up to 21000 RU/s, want the least that is allowed; FixDifferences changes it, the bill changes with it", true},
		{"least already", autoscale(1000), admin.LeastThroughput(), "", false},
		{"own to shared", manual(400), admin.SharedThroughput(), "have manual 400 RU/s, want that of the database; a container cannot lose its own throughput: want it by Manual or Autoscale, or make a new container in a database that has throughput or in a serverless account", false},
		{"own to serverless", manual(400), admin.Serverless(), "have manual 400 RU/s, want none, serverless; a container cannot lose its own throughput: want it by Manual or Autoscale, or make a new container in a database that has throughput or in a serverless account", false},
		{"any", autoscale(4000), admin.AnyThroughput(), "", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, db := made(t, emulator.Options{}, nil, test.have)
			_, err := admin.Ensure(t.Context(), db, wanted(nil), test.want)
			if test.line == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			want := "container \"vehicle-event\" of database \"db\" differs from the code:\n\tthroughput: " + test.line
			if err == nil || err.Error() != want {
				t.Fatalf("got  %v\nwant %s", err, want)
			}
			_, err = admin.Ensure(t.Context(), db, wanted(nil), test.want, admin.FixDifferences())
			if test.fix != (err == nil) {
				t.Fatalf("applied: %v", err)
			}
			if test.fix {
				ensure(t, db, wanted(nil), test.want)
			}
		})
	}
}

func TestEnsureThroughputThatIsNotTheContainers(t *testing.T) {
	shared := azcosmos.NewManualThroughputProperties(800)
	_, db := kit.NewDatabase(t, emulator.Options{}, &shared)
	ensure(t, db, wanted(nil), admin.LeastThroughput(), admin.FixDifferences())
	ensure(t, db, wanted(nil), admin.SharedThroughput())
	_, err := admin.Ensure(t.Context(), db, wanted(nil), admin.Manual(400), admin.FixDifferences())
	if want := "container \"vehicle-event\" of database \"db\" differs from the code:\n\tthroughput: have that of the database, want manual 400 RU/s; a container that was made without throughput of its own cannot get it: make a new container and copy the documents"; err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}

	_, db = kit.NewDatabase(t, emulator.Options{Serverless: true}, nil)
	ensure(t, db, wanted(nil), admin.LeastThroughput(), admin.FixDifferences())
	ensure(t, db, wanted(nil), admin.Serverless())
	ensure(t, db, wanted(nil), admin.SharedThroughput()) // none of its own either
	_, err = admin.Ensure(t.Context(), db, wanted(nil), admin.Autoscale(1000), admin.FixDifferences())
	if want := "container \"vehicle-event\" of database \"db\" differs from the code:\n\tthroughput: have none, serverless, want autoscale up to 1000 RU/s; the account is serverless: want Serverless()"; err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// TestFixDifferencesKeepsTheIncrement has autoscale throughput that the service
// raises by itself.
func TestFixDifferencesKeepsTheIncrement(t *testing.T) {
	have := azcosmos.NewAutoscaleThroughputPropertiesWithIncrement(1000, 10)
	_, db := made(t, emulator.Options{}, nil, &have)
	container := ensure(t, db, wanted(nil), admin.Autoscale(3000), admin.FixDifferences())
	response, err := container.ReadThroughput(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if increment, ok := response.ThroughputProperties.AutoscaleIncrement(); !ok || increment != 10 {
		t.Errorf("the increment is %d, %t", increment, ok)
	}
}

func TestThroughputText(t *testing.T) {
	for want, throughput := range map[string]admin.Throughput{
		"manual 400 RU/s":           admin.Manual(400),
		"autoscale up to 1000 RU/s": admin.Autoscale(1000),
		"that of the database":      admin.SharedThroughput(),
		"none, serverless":          admin.Serverless(),
		"the least that is allowed": admin.LeastThroughput(),
		"any":                       {},
	} {
		if throughput.String() != want {
			t.Errorf("got %s, want %s", throughput, want)
		}
	}
}
