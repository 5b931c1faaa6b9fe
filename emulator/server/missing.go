package server

import (
	"net/http"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// missing are the kinds of resources that the service has but this server lacks, by their path
// segment.
var missing = map[string]string{
	"attachments":          "attachments",
	"clientencryptionkeys": "client encryption keys",
	"conflicts":            "conflicts",
	"media":                "media",
	"operations":           "operations on a container other than deleting all items of a partition key",
	"permissions":          "permissions",
	"schemas":              "schemas",
	"snapshots":            "snapshots",
	"sprocs":               "stored procedures",
	"triggers":             "triggers",
	"udfs":                 "user-defined functions",
	"udts":                 "user-defined types",
	"users":                "users",
}

// missingKind names the kind of a path's resource if this server lacks it; otherwise it returns
// the empty string. The kinds are every other segment of a path; the last one is that of the
// resource.
func missingKind(escaped string) string {
	segments := strings.Split(strings.Trim(escaped, "/"), "/")
	name := ""
	for i := 0; i < len(segments); i += 2 {
		if kind := missing[segments[i]]; kind != "" {
			name = kind
		}
	}
	return name
}

// refuseMissing refuses a request for a resource that this server lacks before its signature is
// checked: clients sign these kinds in ways that only the service knows, and a 401 would point
// to the key.
func refuseMissing(r *http.Request, path string) error {
	name := missingKind(path)
	if name == "" || r.Header.Get("Authorization") == "" {
		return nil
	}
	return status.Unsupported("%s: %s of %s", name, r.Method, path)
}

// allowed are the methods in the response to OPTIONS.
const allowed = "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT"
