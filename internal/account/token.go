package account

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

// tokens are those of Microsoft Entra ID that let requests in. A nil one belongs to an
// account with a key.
type tokens struct {
	current string
	expires time.Time // of current; zero if nobody said it
	az      string    // the path of the command that makes tokens, or ""
}

// newTokens returns the tokens that begin with one, or with none.
func newTokens(first string) *tokens {
	az, err := exec.LookPath("az")
	if err != nil {
		az = "" // not there, or in the current folder, where nobody looks for commands
	}
	return &tokens{current: first, az: az}
}

// renewable reports whether there can be other tokens.
func (t *tokens) renewable() bool { return t != nil && t.az != "" }

// forget drops a token that the service has refused.
func (t *tokens) forget() { t.current = "" }

// early is how long before its end a token is replaced.
const early = 5 * time.Minute

// refresh gets a token if there is none, or if it is about to expire.
func (t *tokens) refresh(ctx context.Context, now time.Time) error {
	if !t.renewable() || t.current != "" && (t.expires.IsZero() || now.Add(early).Before(t.expires)) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, t.az, "account", "get-access-token", "--resource", "https://cosmos.azure.com", "--output", "json") //nolint:gosec // the command that the user's PATH has
	cmd.WaitDelay = time.Second                                                                                                        // the command may leave processes of its own
	var problem strings.Builder
	cmd.Stderr = &problem
	out, err := cmd.Output()
	if err != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(problem.String()), "\n")
		return fmt.Errorf("no token: az account get-access-token: %w: %s", err, plain.Word(first))
	}
	var answer struct {
		Token   string `json:"accessToken"`
		Expires int64  `json:"expires_on"` // seconds since 1970; az before 2.54 does not say it
	}
	if err := json.Unmarshal(out, &answer); err != nil || answer.Token == "" {
		return errors.New("no token: az account get-access-token does not print JSON with an accessToken: run it to see, and az upgrade")
	}
	t.current, t.expires = answer.Token, time.Time{}
	if answer.Expires > 0 {
		t.expires = time.Unix(answer.Expires, 0)
	}
	return nil
}

// Token returns a token of Microsoft Entra ID, and when it expires: in five minutes if
// nobody knows. It asks the command az if there is none that lasts.
func (a *Account) Token(ctx context.Context) (token string, expires time.Time, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.tokens == nil {
		return "", time.Time{}, errors.New("the account has a key, and no tokens")
	}
	now := a.pace.now()
	if err := a.tokens.refresh(ctx, now); err != nil {
		return "", time.Time{}, err
	}
	if expires = a.tokens.expires; expires.IsZero() {
		expires = now.Add(early)
	}
	return a.tokens.current, expires, nil
}
