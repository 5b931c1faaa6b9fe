// Package movetenant is pkgen-data move-tenant.
package movetenant
