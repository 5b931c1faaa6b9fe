package main

import (
	"crypto/rand"
	"net/http"

	"github.com/cosmos-pkgen/pkgen/example/shop/documents"
)

// addUser stores a new user.
func (s *shop) addUser(w http.ResponseWriter, r *http.Request) {
	var user documents.User
	if !body(w, r, &user) {
		return
	}
	user.ID, user.TenantID = rand.Text(), actor(r).Tenant
	err := s.users.For(user.TenantID).Create(r.Context(), &user)
	answer(w, r, http.StatusCreated, &user, err)
}

// findUser answers with the user of an e-mail address.
func (s *shop) findUser(w http.ResponseWriter, r *http.Request) {
	user, err := s.users.For(actor(r).Tenant).Scan().
		Where(documents.UserFields.Email.Eq(r.FormValue("email"))).
		First(r.Context())
	answer(w, r, http.StatusOK, user, err)
}
