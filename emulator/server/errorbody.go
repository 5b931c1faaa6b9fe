package server

import (
	"encoding/json"
	"net/http"

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
