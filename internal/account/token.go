package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
)

// tokens are the tokens of Microsoft Entra ID that authorize requests. It is nil for an account
// with a key.
type tokens struct {
	current string
	expires time.Time // the expiry of current; zero if unknown

	credential azcore.TokenCredential // makes new tokens; nil if current is the only one
}

// scope is the scope of tokens for the data of accounts.
const scope = "https://cosmos.azure.com/.default"

// renewable reports whether a new token can be obtained.
func (t *tokens) renewable() bool { return t != nil && t.credential != nil }

// forget drops a token that the service has refused.
func (t *tokens) forget() { t.current = "" }

// early is how long before its expiry a token is replaced.
const early = 5 * time.Minute

// refresh obtains a token if there is none, or if it is about to expire.
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

// GetToken returns a token of Microsoft Entra ID and its expiry, which is in five minutes if it is
// unknown. It makes an Account the credential of an SDK's client.
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
