package doctor

import (
	"context"
	"net/http"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/account"
)

// Options selects what to examine.
type Options struct {
	Account  *account.Account
	Database string      // of the containers; "" if each exists in only one database
	Wanted   []Container // the containers of the packages
	Now      func() time.Time
}

// examination is one run.
type examination struct {
	Options
	report *Report
}

// Examine examines the account and the containers, and adds its findings to the report. It writes
// nothing. It sends two requests to the account, and about ten for each container and two for each
// of its orders; a query of a page with one row for each order costs about 3 RU. After ctx ends,
// the remaining checks are unknown. Examine reports whether the account answers.
func Examine(ctx context.Context, o Options, r *Report) (reached bool) {
	if o.Now == nil {
		o.Now = time.Now
	}
	e := &examination{o, r}
	if reached = e.connection(ctx); reached {
		for _, c := range e.Wanted {
			e.container(ctx, c)
		}
		if len(e.Wanted) == 0 {
			r.add(Unknown, "containers", "name packages that have types of the API for NoSQL, such as ./...", "none was examined: the packages have no type of the API for NoSQL")
		}
	} else {
		for _, c := range e.Wanted {
			r.add(Unknown, c.name(), "", "the account was not reached")
		}
	}
	r.RequestUnits += o.Account.Spent()
	return reached
}

// failed reports a failed request.
func (e *examination) failed(ctx context.Context, what string, err error) {
	const noKey = "an identity of Microsoft Entra ID needs a role for data, such as Cosmos DB Built-in Data Reader, and -database if it may not list databases; a key may belong to another account: see az cosmosdb sql role assignment create"
	switch {
	case ctx.Err() != nil:
		e.report.add(Unknown, what, "", "interrupted")
	case account.Is(err, http.StatusUnauthorized), account.Is(err, http.StatusForbidden):
		e.report.add(Wrong, what, noKey, "%v", err)
	default:
		e.report.add(Wrong, what, "run the command again; if the error remains, check the metrics of the account in the portal", "%v", err)
	}
}
