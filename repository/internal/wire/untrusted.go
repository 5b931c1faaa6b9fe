package wire

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"

	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// untrusted is a policy that ends a request at once whose server has a certificate that this
// program does not trust. The SDK would repeat it until a time of its own is over, and then
// report that time.
type untrusted struct{}

// Do sends a request.
func (untrusted) Do(r *policy.Request) (*http.Response, error) {
	answer, err := r.Next()
	if err != nil && isUntrusted(err) {
		return answer, &untrustedError{r.Raw().URL.Host, failure.IsThisMachine(r.Raw().URL.Hostname()), err}
	}
	return answer, err
}

// isUntrusted reports whether a request failed since the certificate of the server is not
// trusted.
func isUntrusted(err error) bool {
	var verification *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	return errors.As(err, &verification) || errors.As(err, &authority)
}

// untrustedError says that the certificate of a server is not trusted.
type untrustedError struct {
	host        string
	thisMachine bool
	err         error
}

// Error says what to do.
func (e *untrustedError) Error() string {
	if e.thisMachine {
		return fmt.Sprintf("%s has a certificate that this program does not trust: if it is an emulator, set SSL_CERT_FILE to the certificate that pkgen-emulator prints, or start it with -http: %v", e.host, e.err)
	}
	return fmt.Sprintf("%s has a certificate that this program does not trust: %v", e.host, e.err)
}

// Unwrap returns the error of the connection.
func (e *untrustedError) Unwrap() error { return e.err }

// NonRetriable tells the pipeline that another attempt would fail alike.
func (*untrustedError) NonRetriable() {}
