// Package merged has a lock in which git has merged a seal with a change of the draft.
package merged

type Merged struct {
	ID     string `json:"id" cosmos:"id"`
	Tenant string `json:"tenant" cosmos:"pk"`
}
