package probe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/account"
)

// Prefix begins the names of the databases of a run.
const Prefix = "pkgen-probe-"

// Options selects the account.
type Options struct {
	Account *account.Account
	// Now is the time in the name of the database; nil uses this machine's clock.
	Now func() time.Time
}

// Result is an assumption, and why it does not hold, or nil. If it could not be checked, Unknown is
// the reason; otherwise it is "".
type Result struct {
	Says    string
	Err     error
	Unknown string
}

// Run checks the assumptions, in order. It creates a database whose name begins with [Prefix], and
// drops it at the end, even if ctx ends. The database has a container of 11,000 RU/s, which has two
// physical partitions, one of 400 RU/s and, if the account has global secondary indexes, one of up
// to 1,000 RU/s. A run takes about a minute in Azure, plus up to ten minutes for each change of an
// index. Azure bills the containers for an hour, about one dollar. The run uses some 2,000 request
// units, and sends nine changes of throughput, of the 25 that an account may send in five minutes.
// An error means that the assumptions could not be checked, or that the database was not dropped.
func Run(ctx context.Context, o Options) (results []Result, err error) {
	now := time.Now
	if o.Now != nil {
		now = o.Now
	}
	database := fmt.Sprintf("%s%d", Prefix, now().UnixNano())
	defer func() {
		within, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
		defer cancel()
		dropping := o.Account.Do(within, account.Request{What: "database " + database, Method: http.MethodDelete, Path: "dbs/" + database, Resource: "dbs", Link: "dbs/" + database}, nil)
		if dropping != nil && !account.NotFound(dropping) {
			err = errors.Join(err, fmt.Errorf("database %s is not dropped, drop it by hand: %w", database, dropping))
		}
	}()
	if err := o.Account.Do(ctx, account.Request{What: "a new database", Method: http.MethodPost, Path: "dbs", Resource: "dbs", Body: fmt.Sprintf(`{"id":%q}`, database), Header: asJSON()}, nil); err != nil {
		return nil, err
	}
	for _, group := range []func(context.Context, *account.Account, string) ([]Result, error){queries, throughput, indexes} {
		some, err := group(ctx, o.Account, database)
		results = append(results, some...)
		if err != nil {
			return results, err
		}
	}
	return results, nil
}

func asJSON() map[string]string { return map[string]string{"Content-Type": "application/json"} }

// create creates a container of a database with manual throughput.
func create(ctx context.Context, a *account.Account, database, id string, units int) (*account.Container, error) {
	if err := post(ctx, a, database, id, "/pk", "", "x-ms-offer-throughput", fmt.Sprint(units)); err != nil {
		return nil, err
	}
	return a.Container(ctx, database, id)
}

// post creates a container with a partition key path, more properties as JSON, and a header for its
// throughput.
func post(ctx context.Context, a *account.Account, database, id, path, more, throughput, value string) error {
	header := asJSON()
	header[throughput] = value
	return a.Do(ctx, account.Request{
		What: "a new container", Method: http.MethodPost, Path: "dbs/" + database + "/colls", Resource: "colls", Link: "dbs/" + database, Header: header,
		Body: fmt.Sprintf(`{"id":%q,"partitionKey":{"paths":[%q],"kind":"Hash","version":2}%s}`, id, path, more),
	}, nil)
}

func drop(ctx context.Context, a *account.Account, c *account.Container, header map[string]string) error {
	link := "dbs/" + c.Database + "/colls/" + c.ID
	return a.Do(ctx, account.Request{What: "the container", Method: http.MethodDelete, Path: link, Resource: "colls", Link: link, Header: header}, nil)
}

// assumption is an assumption about the service, and its check.
type assumption[P any] struct {
	says  string
	check func(context.Context, P) error
}

// check checks assumptions until ctx ends.
func check[P any](ctx context.Context, p P, all []assumption[P]) ([]Result, error) {
	var results []Result
	for _, a := range all {
		err := a.check(ctx, p)
		if ctx.Err() != nil {
			return results, ctx.Err()
		}
		results = append(results, Result{Says: a.says, Err: err})
	}
	return results, nil
}

// answered returns an error unless err is an answer with this status and substatus; -1 matches any.
func answered(err error, status, sub int) error {
	var answer *account.StatusError
	switch {
	case err == nil:
		return fmt.Errorf("a success, not %d", status)
	case !errors.As(err, &answer):
		return fmt.Errorf("no such answer: %w", err)
	case answer.Status != status || sub >= 0 && answer.SubStatus != sub:
		return fmt.Errorf("answered %d/%d, not %d/%d", answer.Status, answer.SubStatus, status, max(sub, 0))
	}
	return nil
}

// itemsOf decodes rows.
func itemsOf[V any](rows []json.RawMessage) ([]V, error) {
	list := make([]V, len(rows))
	for i, row := range rows {
		if err := json.Unmarshal(row, &list[i]); err != nil {
			return nil, err
		}
	}
	return list, nil
}
