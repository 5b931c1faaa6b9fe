package server

import (
	"encoding/json"
	"net/http"
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
func errorBody(f *failure, activity string) []byte {
	b, err := json.Marshal(struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	}{code(f.status), f.message + "\r\nActivityId: " + activity})
	if err != nil { // strings always marshal
		return []byte(`{}`)
	}
	return b
}
