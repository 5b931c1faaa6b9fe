package main

import (
	"crypto/rand"
	"net/http"
	"strings"

	"github.com/cosmos-pkgen/pkgen/example/shop/documents"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// addUser stores a new user, unless somebody has the e-mail address already, also with
// another tenant.
func (s *shop) addUser(w http.ResponseWriter, r *http.Request) {
	var sent struct {
		Email string `json:"email"`
		Name  string `json:"name"`
	}
	if !body(w, r, &sent) {
		return
	}
	if sent.Email == "" {
		http.Error(w, "a user has an e-mail address", http.StatusBadRequest)
		return
	}
	user := documents.User{ID: rand.Text(), TenantID: actor(r).Tenant, Email: strings.ToLower(sent.Email), Name: sent.Name}
	err := s.users.For(user.TenantID).Create(r.Context(), &user)
	answer(w, r, http.StatusCreated, &user, err)
}

// findUser answers with the user of an e-mail address, by two point reads. They know the
// users of all tenants, so whose the user is, is for the shop to check.
func (s *shop) findUser(w http.ResponseWriter, r *http.Request) {
	tenant := actor(r).Tenant
	if tenant == "" {
		http.Error(w, "there is no tenant", http.StatusBadRequest)
		return
	}
	user, err := s.users.GetByEmail(r.Context(), strings.ToLower(r.FormValue("email")))
	if err == nil && user.TenantID != tenant {
		err = repository.ErrNotFound
	}
	answer(w, r, http.StatusOK, user, err)
}
