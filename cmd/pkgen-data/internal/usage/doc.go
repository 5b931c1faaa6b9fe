// Package usage reads what the meters of tenants counted, and judges which tenants should
// have a container of their own, or share one again.
package usage
