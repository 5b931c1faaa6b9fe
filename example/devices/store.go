package main

import (
	"context"

	"github.com/cosmos-pkgen/pkgen/documents"
)

// store is what the page does with an API, by what it generates.
type store struct {
	api    string
	create func(ctx context.Context, r Reading) error
	get    func(ctx context.Context, r Reading) (*Reading, error) // by the key of r
	ofDate func(ctx context.Context, date string) ([]Reading, error)
	above  func(ctx context.Context, date string, value float64) ([]Reading, error)
	key    func(r Reading) string
}

func nosqlStore(readings *ReadingRepository) store {
	return store{
		api:    "NoSQL",
		create: func(ctx context.Context, r Reading) error { return readings.Create(ctx, &r) },
		get:    func(ctx context.Context, r Reading) (*Reading, error) { return readings.Get(ctx, r.Key()) },
		ofDate: func(ctx context.Context, date string) ([]Reading, error) {
			return plain(readings.ByDate(date).Collect(ctx))(func(r *Reading) Reading { return *r })
		},
		above: func(ctx context.Context, date string, value float64) ([]Reading, error) {
			return plain(readings.ByDate(date).Where(ReadingFields.Value.Gt(value)).Collect(ctx))(func(r *Reading) Reading { return *r })
		},
		key: func(r Reading) string { return r.PartitionKey() },
	}
}

func tableStore(readings *TableReadingRepository) store {
	return store{
		api:    "Table",
		create: func(ctx context.Context, r Reading) error { return readings.Create(ctx, &TableReading{Reading: r}) },
		get: func(ctx context.Context, r Reading) (*Reading, error) {
			return one(readings.Get(ctx, (&TableReading{Reading: r}).Key()))(func(r *TableReading) *Reading { return &r.Reading })
		},
		ofDate: func(ctx context.Context, date string) ([]Reading, error) {
			return plain(readings.ByDate(date).Collect(ctx))(func(r *TableReading) Reading { return r.Reading })
		},
		above: func(ctx context.Context, date string, value float64) ([]Reading, error) {
			return plain(readings.ByDate(date).Where(TableReadingFields.Value.Gt(value)).Collect(ctx))(func(r *TableReading) Reading { return r.Reading })
		},
		key: func(r Reading) string { return (&TableReading{Reading: r}).PartitionKey() },
	}
}

func mongoStore(readings *MongoReadingRepository) store {
	return store{
		api:    "MongoDB",
		create: func(ctx context.Context, r Reading) error { return readings.Create(ctx, &MongoReading{Reading: r}) },
		get: func(ctx context.Context, r Reading) (*Reading, error) {
			return one(readings.Get(ctx, (&MongoReading{Reading: r}).Key()))(func(r *MongoReading) *Reading { return &r.Reading })
		},
		ofDate: func(ctx context.Context, date string) ([]Reading, error) {
			return plain(readings.ByDate(date).Collect(ctx))(func(r *MongoReading) Reading { return r.Reading })
		},
		above: func(ctx context.Context, date string, value float64) ([]Reading, error) {
			return plain(readings.ByDate(date).Where(MongoReadingFields.Value.Gt(value)).Collect(ctx))(func(r *MongoReading) Reading { return r.Reading })
		},
		key: func(r Reading) string { return (&MongoReading{Reading: r}).PartitionKey() },
	}
}

func gremlinStore(readings *GraphReadingRepository) store {
	return store{
		api:    "Gremlin",
		create: func(ctx context.Context, r Reading) error { return readings.Create(ctx, &GraphReading{Reading: r}) },
		get: func(ctx context.Context, r Reading) (*Reading, error) {
			return one(readings.Get(ctx, (&GraphReading{Reading: r}).Key()))(func(r *GraphReading) *Reading { return &r.Reading })
		},
		ofDate: func(ctx context.Context, date string) ([]Reading, error) {
			return plain(readings.ByDate(date).Collect(ctx))(func(r *GraphReading) Reading { return r.Reading })
		},
		above: func(ctx context.Context, date string, value float64) ([]Reading, error) {
			return plain(readings.ByDate(date).Where(GraphReadingFields.Value.Gt(value)).Collect(ctx))(func(r *GraphReading) Reading { return r.Reading })
		},
		key: func(r Reading) string { return (&GraphReading{Reading: r}).PartitionKey() },
	}
}

// metered returns a context, and how many requests were sent under it.
func metered(ctx context.Context) (context.Context, func() int) {
	m := new(documents.Meter)
	return documents.WithMeter(ctx, m), m.Requests
}

// plain takes the readings out of documents of an API.
func plain[T any](docs []*T, err error) func(reading func(*T) Reading) ([]Reading, error) {
	return func(reading func(*T) Reading) ([]Reading, error) {
		all := make([]Reading, len(docs))
		for i, doc := range docs {
			all[i] = reading(doc)
		}
		return all, err
	}
}

// one takes the reading out of a document of an API.
func one[T any](doc *T, err error) func(reading func(*T) *Reading) (*Reading, error) {
	return func(reading func(*T) *Reading) (*Reading, error) {
		if err != nil {
			return nil, err
		}
		return reading(doc), nil
	}
}
