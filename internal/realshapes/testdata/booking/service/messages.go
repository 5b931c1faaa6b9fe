package service

import (
	"net/http"

	"example.com/booking/documents"
)

// A message is what a client sends and gets.
type message struct {
	Guest string `json:"guest"`
	Text  string `json:"text"`
}

func (s *Service) putMessage(w http.ResponseWriter, r *http.Request) {
	var sent message
	if !body(w, r, &sent) {
		return
	}
	mine := s.messages.For(tenantOf(r))
	key := mine.Key(r.PathValue("id"))
	_, err := mine.UpdateOrCreate(r.Context(), key, func(m *documents.Message) error {
		m.ID, m.Tenant, m.Guest = key.ID, key.Tenant, sent.Guest
		m.SetWords(sent.Text)
		return nil
	})
	answer(w, sent, err)
}

func (s *Service) getMessage(w http.ResponseWriter, r *http.Request) {
	mine := s.messages.For(tenantOf(r))
	m, err := mine.Get(r.Context(), mine.Key(r.PathValue("id")))
	if err != nil {
		answer(w, nil, err)
		return
	}
	answer(w, message{m.Guest, m.Words()}, nil)
}

func (s *Service) deleteMessage(w http.ResponseWriter, r *http.Request) {
	mine := s.messages.For(tenantOf(r))
	answer(w, map[string]string{}, mine.Delete(r.Context(), mine.Key(r.PathValue("id"))))
}

func (s *Service) restoreMessage(w http.ResponseWriter, r *http.Request) {
	mine := s.messages.For(tenantOf(r))
	_, err := mine.Restore(r.Context(), mine.Key(r.PathValue("id")))
	answer(w, map[string]string{}, err)
}

func (s *Service) listMessages(w http.ResponseWriter, r *http.Request) {
	page, err := s.messages.For(tenantOf(r)).Scan().
		OrderBy(documents.MessageFields.Created.Asc()).
		Page(r.Context(), r.FormValue("cursor"), PageSize)
	found := map[string]message{}
	for _, m := range page.Items {
		found[m.ID] = message{m.Guest, m.Words()}
	}
	answer(w, map[string]any{"messages": found, "cursor": page.Cursor}, err)
}
