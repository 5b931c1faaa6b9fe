package status

// Substatus codes of accounts with several regions, from the same tables.
const (
	databaseAccountMissing = 1008 // 403: the account does not have the region
	readSessionMissing     = 1002 // 404: the region has not reached the session token
)

// WrongRegion returns the error for a write in a region that does not accept it.
func WrongRegion() *Error {
	return New(Forbidden, WriteForbidden, "The requested operation cannot be performed at this region")
}

// NoSuchRegion returns the error for a request to a region that has been removed from the
// account.
func NoSuchRegion(account string) *Error {
	return New(Forbidden, databaseAccountMissing, "Database Account %s does not exist", account)
}

// NoReadSession returns the error for a session token that a region has not reached.
func NoReadSession() *Error {
	return New(NotFound, readSessionMissing, "The read session is not available for the input session token.")
}
