package cursor

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
)

// Keys decrypt cursors; the first one encrypts them. Without keys, cursors are not encrypted.
type Keys []Key

// Key is the caller's key.
type Key []byte

// SaltSize is the number of random bytes from which the key of one cursor is derived. Each cursor
// has a key of its own, so the nonce is constant, and the caller's key may encrypt any number of
// cursors.
const SaltSize = 16

// seal returns the salt and the encrypted body.
func (k Key) seal(purpose string, body []byte) []byte {
	salt := make([]byte, SaltSize, SaltSize+len(body)+sha256.Size)
	_, _ = rand.Read(salt) // never fails
	box := k.box(salt)
	return box.Seal(salt, make([]byte, box.NonceSize()), body, []byte(purpose))
}

// open returns the body of a text that seal made for the same purpose, and false for any other
// text. It compares in constant time.
func (k Key) open(purpose string, text []byte) ([]byte, bool) {
	if len(text) < SaltSize {
		return nil, false
	}
	box := k.box(text[:SaltSize])
	body, err := box.Open(nil, make([]byte, box.NonceSize()), text[SaltSize:], []byte(purpose))
	return body, err == nil
}

// box returns the cipher for the cursor with a salt.
func (k Key) box(salt []byte) cipher.AEAD {
	mac := hmac.New(sha256.New, k)
	_, _ = mac.Write([]byte("github.com/cosmos-pkgen/pkgen/repository cursor\x00"))
	_, _ = mac.Write(salt)
	block, err := aes.NewCipher(mac.Sum(nil))
	if err != nil { // only if the key does not have 16, 24 or 32 bytes
		panic("repository: " + err.Error())
	}
	box, err := cipher.NewGCM(block)
	if err != nil { // only if the block size is not 16 bytes
		panic("repository: " + err.Error())
	}
	return box
}
