package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
)

// tokens are those of Microsoft Entra ID that let requests in. A nil one belongs to an
// account with a key.
type tokens struct {
	current string
	expires time.Time // of current; zero if nobody said it

	credential azcore.TokenCredential // makes tokens; nil if there is none but current
}

// scope is what tokens are for: the data of accounts.
const scope = "https://cosmos.azure.com/.default"

// renewable reports whether there can be other tokens.
func (t *tokens) renewable() bool { return t != nil && t.credential != nil }

// forget drops a token that the service has refused.
func (t *tokens) forget() { t.current = "" }

// early is how long before its end a token is replaced.
const early = 5 * time.Minute

// refresh gets a token if there is none, or if it is about to expire.
func (t *tokens) refresh(ctx context.Context, now time.Time) error {
	if !t.renewable() || t.current != "" && (t.expires.IsZero() || now.Add(early).Before(t.expires)) {
		return nil
	}
	token, err := t.credential.GetToken(ctx, policy.TokenRequestOptions{Scopes: []string{scope}})
	if err != nil {
		return fmt.Errorf("no token: %w", err)
	}
	t.current, t.expires = token.Token, token.ExpiresOn
	return nil
}

// GetToken returns a token of Microsoft Entra ID, and when it expires: in five minutes if
// nobody knows. So an account is the credential of an SDK's client, too.
func (a *Account) GetToken(ctx context.Context, _ policy.TokenRequestOptions) (azcore.AccessToken, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.tokens == nil {
		return azcore.AccessToken{}, errors.New("the account has a key, and no tokens")
	}
	now := a.pace.now()
	if err := a.tokens.refresh(ctx, now); err != nil {
		return azcore.AccessToken{}, err
	}
	expires := a.tokens.expires
	if expires.IsZero() {
		expires = now.Add(early)
	}
	return azcore.AccessToken{Token: a.tokens.current, ExpiresOn: expires}, nil
}
