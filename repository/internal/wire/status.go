package wire

import (
	"errors"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
)

// StatusOf returns the status of the answer in err, or 0 if there was none.
func StatusOf(err error) int {
	var response *azcore.ResponseError
	if errors.As(err, &response) {
		return response.StatusCode
	}
	return 0
}
