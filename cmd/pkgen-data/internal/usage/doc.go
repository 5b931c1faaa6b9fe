// Package usage reads the meters of tenants, and judges which tenants should have a container of
// their own, or share one again.
package usage
