package route

import (
	"errors"
	"net/http"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
)

// Gone reports whether an error says that the physical partition, or the
// container that it was of, is no more: 410, and 400 with substatus 1024
// ("collection RID mismatch").
func Gone(err error) bool {
	var response *azcore.ResponseError
	if !errors.As(err, &response) {
		return false
	}
	return response.StatusCode == http.StatusGone ||
		response.StatusCode == http.StatusBadRequest && response.RawResponse != nil && response.RawResponse.Header.Get("x-ms-substatus") == "1024"
}
