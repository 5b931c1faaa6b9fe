package documents

// A User is a person who works for a tenant. An e-mail address, in lower case, is that of
// one user of all tenants.
type User struct {
	_        struct{} `cosmos:"container=users"`
	ID       string   `json:"id"`
	TenantID string   `json:"tenantId" cosmos:"pk,tenant"`
	Email    string   `json:"email" cosmos:"unique"`
	Name     string   `json:"name"`
	ETag     string   `json:"_etag,omitempty"`
}
