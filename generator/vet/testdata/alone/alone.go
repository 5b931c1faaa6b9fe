// Package alone writes documents in transactions.
package alone

import (
	"context"

	"example.com/m/alone/steps"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository"
)

func transactions(ctx context.Context, r *steps.StepRepository, tasks *steps.TaskRepository, s *steps.Step, t *steps.Task) error {
	tx := repository.NewTransaction()
	_ = r.In(tx).Create(s) // want `documents of type Step cannot be in a transaction, because their key ends in the id and each has its own logical partition: write them one by one`
	_ = tasks.In(tx).Create(t)
	_ = r.InTransaction(ctx, s.Key(), func(tx *repository.Transaction) error { // want `documents of type Step cannot be in a transaction`
		return r.In(tx).Upsert(s) // want `documents of type Step cannot be in a transaction`
	})
	_, _ = r.CreateAll(documents.Items(s), documents.InTransactions()).Collect(ctx)                              // want `documents of type Step cannot be in a transaction`
	_, _ = r.DeleteAll(documents.Items(s.Key()), documents.InBatches(), documents.InTransactions()).Collect(ctx) // want `documents of type Step cannot be in a transaction`
	_, _ = r.UpsertAll(documents.Items(s), documents.InBatches()).Collect(ctx)
	_, _ = tasks.CreateAll(documents.Items(t), documents.InTransactions()).Collect(ctx)
	_ = r.Create(ctx, s)
	return tx.Commit(ctx)
}
