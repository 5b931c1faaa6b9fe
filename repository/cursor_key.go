package repository

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"slices"
)

// minCursorKey is how many bytes a key must have: what AES-128 has, below which
// keys are guessed.
const minCursorKey = 16

// WithCursorKey closes the cursors of pages and change feeds with a key: what was
// changed, or made up, is refused by ErrCursor before anything is sent, and nobody
// can read in a cursor at which values and continuation it is. Give it to every
// process that is to go on with the cursors of another one, at least 16 bytes that
// nobody can guess, such as 32 of crypto/rand. A shorter key is an error of
// whatever is called.
//
// To change the key, give the new one first and the earlier ones after it, for as
// long as their cursors live: the first closes, all of them open. Cursors that are
// not closed are refused, those of before the first key among them.
//
// A cursor is closed for one query, with its keys, conditions, values, order and
// limit, or for the change feed of one type, and for one container. It is not
// closed for a user: who has it can go on where it points to, in a query that this
// user may run. It costs some microseconds and 60 bytes a cursor (AES-256-GCM,
// under a key of its own that HMAC-SHA256 derives).
func WithCursorKey(key []byte, earlier ...[]byte) Option {
	return func(s *settings) {
		s.cursorKeys = nil
		for _, k := range append([][]byte{key}, earlier...) {
			if len(k) < minCursorKey {
				s.wrong = fmt.Errorf("WithCursorKey: a key of %d bytes: it must have at least %d, such as 32 of crypto/rand", len(k), minCursorKey)
			}
			s.cursorKeys = append(s.cursorKeys, slices.Clone(k))
		}
	}
}

// cursorKeys are the keys that open cursors; the first closes them. There are none
// if cursors are open.
type cursorKeys []cursorKey

// cursorKey is the caller's key.
type cursorKey []byte

// cursorSalt is how many random bytes make the key of one cursor. Since no two
// cursors share a key, the nonce may be the same for all, and there is no number
// of cursors at which the caller's key is worn out.
const cursorSalt = 16

// closed returns the salt and, encrypted, the body.
func (k cursorKey) closed(purpose string, body []byte) []byte {
	salt := make([]byte, cursorSalt, cursorSalt+len(body)+sha256.Size)
	_, _ = rand.Read(salt) // which never fails
	box := k.box(salt)
	return box.Seal(salt, make([]byte, box.NonceSize()), body, []byte(purpose))
}

// opened returns the body in what closed has made, for this purpose. It returns
// false if it is none, compared in constant time.
func (k cursorKey) opened(purpose string, text []byte) ([]byte, bool) {
	if len(text) < cursorSalt {
		return nil, false
	}
	box := k.box(text[:cursorSalt])
	body, err := box.Open(nil, make([]byte, box.NonceSize()), text[cursorSalt:], []byte(purpose))
	return body, err == nil
}

// box is what encrypts the cursor of this salt.
func (k cursorKey) box(salt []byte) cipher.AEAD {
	mac := hmac.New(sha256.New, k)
	_, _ = mac.Write([]byte("github.com/cosmos-pkgen/pkgen/repository cursor\x00"))
	_, _ = mac.Write(salt)
	block, err := aes.NewCipher(mac.Sum(nil))
	if err != nil { // of a key that has not 16, 24 or 32 bytes
		panic("repository: " + err.Error())
	}
	box, err := cipher.NewGCM(block)
	if err != nil { // of a cipher whose blocks have not 16 bytes
		panic("repository: " + err.Error())
	}
	return box
}
