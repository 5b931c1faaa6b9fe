package harness

import (
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
)

// Virtual is an account without a network, for bubbles of testing/synctest. It sums the charges of
// requests for documents.
type Virtual struct {
	Server *server.Server

	t        testing.TB
	endpoint string
	mu       sync.Mutex
	began    time.Time
	requests int
	units    float64
	windows  map[int]float64
}

// NewVirtual returns an account without containers.
func NewVirtual(t testing.TB, o server.Options) *Virtual {
	t.Helper()
	return &Virtual{Server: Bare(t, o), t: t, endpoint: fmt.Sprintf("http://virtual-%d/", accounts.Add(1)), began: time.Now()}
}

// Load creates a container with documents in JSON.
func (v *Virtual) Load(container string, documents ...string) {
	v.t.Helper()
	Load(v.t, v.Server, Database, container, documents...)
}

// Database returns the database by a client with these options.
func (v *Virtual) Database(client *azcosmos.ClientOptions) *azcosmos.DatabaseClient {
	v.t.Helper()
	var o azcosmos.ClientOptions
	if client != nil {
		o = *client
	}
	o.Transport = v
	credential, err := azcosmos.NewKeyCredential(v.Server.Key())
	var c *azcosmos.Client
	if err == nil {
		c, err = azcosmos.NewClientWithKey(v.endpoint, credential, &o)
	}
	var db *azcosmos.DatabaseClient
	if err == nil {
		db, err = c.NewDatabase(Database)
	}
	if err != nil {
		v.t.Fatal(err)
	}
	return db
}

// Container returns a container by a client with these options.
func (v *Virtual) Container(id string, client *azcosmos.ClientOptions) *azcosmos.ContainerClient {
	v.t.Helper()
	container, err := v.Database(client).NewContainer(id)
	if err != nil {
		v.t.Fatal(err)
	}
	return container
}

// Do implements policy.Transporter.
func (v *Virtual) Do(q *http.Request) (*http.Response, error) {
	answer, err := Serve(v.Server, q)
	if err != nil || !IsOfDocuments(q) {
		return answer, err
	}
	units, _ := strconv.ParseFloat(answer.Header.Get("X-Ms-Request-Charge"), 64)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.requests++
	v.units += units
	if v.windows != nil {
		v.windows[int(time.Since(v.began)/(10*time.Second))] += units
	}
	return answer, nil
}

// Measure resets the counts.
func (v *Virtual) Measure() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.began, v.requests, v.units, v.windows = time.Now(), 0, 0, map[int]float64{}
}

// Requests returns the number of requests for documents.
func (v *Virtual) Requests() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.requests
}

// Units returns their charge.
func (v *Virtual) Units() float64 {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.units
}

// Windows returns their charge in each ten seconds since Measure.
func (v *Virtual) Windows() map[int]float64 {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.windows
}
