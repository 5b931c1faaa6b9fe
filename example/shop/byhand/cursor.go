package byhand

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"

	"github.com/cosmos-pkgen/pkgen/example/shop/documents"
)

// A position is where a page ends.
type position struct{ Placed, ID string }

// closeCursor encrypts a position, for the list of a tenant and a status alone.
func (s *Store) closeCursor(p position, tenant, status string) (string, error) {
	sealing, err := s.sealing()
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(p) //nolint:musttag // nobody else reads it
	if err != nil {
		return "", err
	}
	nonce := make([]byte, sealing.NonceSize())
	_, _ = rand.Read(nonce) // which never fails
	return base64.RawURLEncoding.EncodeToString(sealing.Seal(nonce, nonce, text, listName(tenant, status))), nil
}

func (s *Store) openCursor(cursor, tenant, status string) (p position, err error) {
	if cursor == "" {
		return p, nil
	}
	sealing, err := s.sealing()
	if err != nil {
		return p, err
	}
	sealed, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(sealed) < sealing.NonceSize() {
		return p, documents.ErrCursor
	}
	nonce, sealed := sealed[:sealing.NonceSize()], sealed[sealing.NonceSize():]
	text, err := sealing.Open(nil, nonce, sealed, listName(tenant, status))
	if err != nil || json.Unmarshal(text, &p) != nil { //nolint:musttag // as it was written
		return p, documents.ErrCursor
	}
	return p, nil
}

func (s *Store) sealing() (cipher.AEAD, error) {
	block, err := aes.NewCipher(s.CursorKey)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

func listName(tenant, status string) []byte { return []byte(tenant + "\x00" + status) }
