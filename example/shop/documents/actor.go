package documents

import "errors"

// Actor is who changes something, and for which tenant.
type Actor struct{ Tenant, User string }

// ErrCursor says that a cursor of package byhand is of another list.
var ErrCursor = errors.New("the cursor is of another list: begin without one")
