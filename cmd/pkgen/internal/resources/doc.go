// Package resources writes the containers of types as resources of infrastructure:
// Bicep, Terraform, and a script for the Azure CLI.
package resources
