package documents

import "errors"

// Actor is who changes something, and for which tenant.
type Actor struct{ Tenant, User string }

var (
	// ErrNotCancelled says that an order cannot be deleted as it is.
	ErrNotCancelled = errors.New("the order is not cancelled: cancel it before you delete it")
	// ErrCursor says that a cursor of package byhand is of another list.
	ErrCursor = errors.New("the cursor is of another list: begin without one")
)
