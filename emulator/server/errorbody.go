package server

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// code is the word for a status in an error body.
func code(status int) string {
	switch status {
	case http.StatusRequestEntityTooLarge:
		return "RequestEntityTooLarge"
	case http.StatusTooManyRequests:
		return "TooManyRequests"
	case 449:
		return "RetryWith"
	}
	var word []byte
	for _, r := range http.StatusText(status) {
		if r != ' ' && r != '-' {
			word = append(word, byte(r))
		}
	}
	if len(word) == 0 {
		return "Error"
	}
	return string(word)
}

// errorBody is the JSON of an error as the service writes it.
func errorBody(f *status.Error, activity string) []byte {
	b, err := json.Marshal(struct {
		Code    string `json:"code"`
		Message string `json:"message"`
		Info    string `json:"additionalErrorInfo,omitempty"`
	}{code(f.Status), f.Message + "\r\nActivityId: " + activity, f.Info})
	if err != nil { // strings always marshal
		return []byte(`{}`)
	}
	return b
}

// resourceWords is the service's text after the activity id when a resource is missing or
// already exists. Clients parse it: "ResourceType: Document" distinguishes a missing item from
// a missing container.
func resourceWords(f *status.Error, operation string) string {
	if operation == "" || f.Status != status.NotFound && f.Status != status.Conflict {
		return ""
	}
	kind := resourceKind(operation)
	if f.Substatus == status.OwnerNotFound { // the missing resource is a level above
		switch kind {
		case "Document", "PartitionKeyRange":
			kind = "Collection"
		default:
			kind = "Database"
		}
	}
	verb := operation
	for _, word := range []string{"Create", "Upsert", "Read", "Replace", "Patch", "Delete", "Query", "Execute"} {
		if strings.HasPrefix(operation, word) {
			verb = word
		}
	}
	return ", ResourceType: " + kind + ", OperationType: " + verb
}

// resourceKind is the service's name for the kind of resource of an operation.
func resourceKind(operation string) string {
	for _, kind := range [][2]string{{"Database", "Database"}, {"Container", "Collection"}, {"Ranges", "PartitionKeyRange"}, {"Offer", "Offer"}} {
		if strings.Contains(operation, kind[0]) {
			return kind[1]
		}
	}
	return "Document"
}
