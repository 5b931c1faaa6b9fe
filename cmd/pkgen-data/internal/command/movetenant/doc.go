// Package movetenant is pkgen-data move-tenant: it moves a tenant to another container.
package movetenant
