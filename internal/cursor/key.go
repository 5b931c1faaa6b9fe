package cursor

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
)

// Keys are the keys that open cursors; the first closes them. There are none
// if cursors are open.
type Keys []Key

// Key is the caller's key.
type Key []byte

// SaltSize is how many random bytes make the key of one cursor. Since no two
// cursors share a key, the nonce may be the same for all, and there is no number
// of cursors at which the caller's key is worn out.
const SaltSize = 16

// seal returns the salt and, encrypted, the body.
func (k Key) seal(purpose string, body []byte) []byte {
	salt := make([]byte, SaltSize, SaltSize+len(body)+sha256.Size)
	_, _ = rand.Read(salt) // which never fails
	box := k.box(salt)
	return box.Seal(salt, make([]byte, box.NonceSize()), body, []byte(purpose))
}

// open returns the body in a text that seal has made for this purpose. It returns
// false for any other text, after a comparison in constant time.
func (k Key) open(purpose string, text []byte) ([]byte, bool) {
	if len(text) < SaltSize {
		return nil, false
	}
	box := k.box(text[:SaltSize])
	body, err := box.Open(nil, make([]byte, box.NonceSize()), text[SaltSize:], []byte(purpose))
	return body, err == nil
}

// box returns the cipher for the cursor of this salt.
func (k Key) box(salt []byte) cipher.AEAD {
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
