package documents

// A User is a person who works for a tenant.
type User struct {
	_        struct{} `cosmos:"container=users"`
	ID       string   `json:"id"`
	TenantID string   `json:"tenantId" cosmos:"pk,tenant"`
	Email    string   `json:"email"`
	Name     string   `json:"name"`
	ETag     string   `json:"_etag,omitempty"`
}
