package main

import (
	"errors"
	"net/http"
	"time"

	"github.com/cosmos-pkgen/pkgen/example/shop/documents"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// addReading stores what a device measured. A device that repeats a request gets the same
// answer.
func (s *shop) addReading(w http.ResponseWriter, r *http.Request) {
	var sent struct {
		ID      string          `json:"id"`
		At      repository.Time `json:"at"`
		Celsius float64         `json:"celsius"`
	}
	if !body(w, r, &sent) {
		return
	}
	reading := documents.Reading{ID: sent.ID, TenantID: actor(r).Tenant, Device: r.PathValue("device"), At: sent.At, Celsius: sent.Celsius}
	err := s.readings.For(reading.TenantID).Upsert(r.Context(), &reading)
	answer(w, r, http.StatusOK, &reading, err)
}

// listReadings answers with a month of a device, latest first. It asks one physical
// partition.
func (s *shop) listReadings(w http.ResponseWriter, r *http.Request) {
	query, ok := s.month(w, r)
	if !ok {
		return
	}
	found, err := query.OrderBy(documents.ReadingFields.At.Desc()).Page(r.Context(), r.FormValue("cursor"), pageSize)
	answer(w, r, http.StatusOK, map[string]any{"readings": found.Items, "cursor": found.Cursor}, err)
}

// summarise answers with the figures of a month, which the service of Cosmos DB computes.
func (s *shop) summarise(w http.ResponseWriter, r *http.Request) {
	query, ok := s.month(w, r)
	if !ok {
		return
	}
	ctx, celsius := r.Context(), documents.ReadingFields.Celsius
	mean, some, err := repository.Avg(ctx, query, celsius)
	lowest, _, err2 := repository.Min(ctx, query, celsius)
	highest, _, err3 := repository.Max(ctx, query, celsius)
	if !some && errors.Join(err, err2, err3) == nil {
		http.Error(w, "there are no readings of this month", http.StatusNotFound)
		return
	}
	answer(w, r, http.StatusOK, map[string]float64{"mean": mean, "lowest": lowest, "highest": highest}, errors.Join(err, err2, err3))
}

// month returns the query of a device and the month that a request asks for.
func (s *shop) month(w http.ResponseWriter, r *http.Request) (query repository.Query[documents.Reading], ok bool) {
	month, err := time.Parse("2006-01", r.FormValue("month"))
	if err != nil {
		http.Error(w, "ask for a month, such as ?month=2026-11", http.StatusBadRequest)
		return query, false
	}
	return s.readings.For(actor(r).Tenant).ByDeviceAndAt(r.PathValue("device"), month), true
}
