package repository_test

import (
	"context"
	"fmt"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/docs"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
)

// These are examples of docs/search.md.

func exampleNearest(ctx context.Context, pages *docs.PageRepository, question []float32) error {
	near, err := repository.Nearest(pages.Scan(), docs.PageFields.Embedding, question).Limit(10).Collect(ctx)
	for _, n := range near {
		fmt.Println(n.Score, n.Document.ID)
	}
	return err
}

func exampleWords(ctx context.Context, pages *docs.PageRepository) ([]*docs.Page, error) {
	found := pages.Scan().Where(docs.PageFields.Body.ContainsAll("red", "bicycle"))
	return found.Collect(ctx)
}

func exampleRank(ctx context.Context, pages *docs.PageRepository, question []float32) ([]repository.Scored[docs.Page], error) {
	f := docs.PageFields
	best, err := repository.OrderByRank(pages.Scan(),
		f.Body.Score("red", "bicycle"), f.Embedding.Distance(question).Weight(2)).Limit(10).Collect(ctx)
	return best, err
}

func ExampleOrderByRank() {
	server, err := emulator.Start(emulator.Options{Partitions: 3})
	must(err)
	defer server.Close()
	ctx := context.Background()
	client := server.Client(repository.Configure(nil))
	_, err = client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "docs"}, nil)
	must(err)
	db, err := client.NewDatabase("docs")
	must(err)
	container, err := docs.EnsurePageContainer(ctx, db, admin.Autoscale(4000))
	must(err)
	pages := docs.NewPageRepository(container)
	embed := func(x, y float32) []float32 { // in place of a model
		v := make([]float32, 1536)
		v[0], v[1] = x, y
		return v
	}
	for i, body := range []string{"a blue house", "a bicycle with red wheels", "old bicycle, cheap bicycle", "a red house"} {
		must(pages.Create(ctx, &docs.Page{ID: fmt.Sprint(i + 1), Site: "example.com", Body: body, Embedding: embed(1, float32(i))}))
	}

	f := docs.PageFields
	byText := repository.OrderByRank(pages.Scan(), f.Body.Score("red", "bicycle"))
	for row, err := range byText.Limit(3).All(ctx) {
		must(err)
		fmt.Printf("%s: %.3f\n", row.Document.Body, row.Score)
	}
	fused := repository.OrderByRank(pages.Scan(), f.Body.Score("red", "bicycle"), f.Embedding.Distance(embed(1, 3)).Weight(2))
	best, err := fused.First(ctx)
	must(err)
	fmt.Printf("best: %s\n", best.Document.Body)
	plan, err := fused.Limit(10).Plan(ctx)
	must(err)
	fmt.Println(plan.Requests, "requests:", plan.Why)
	// Output:
	// a bicycle with red wheels: 1.220
	// old bicycle, cheap bicycle: 0.936
	// a red house: 0.755
	// best: a red house
	// 10 requests: 1 request for the plan, 3 for statistics, and 3 for each of 2 scores
}
