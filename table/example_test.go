package table_test

import (
	"encoding/base64"
	"fmt"
	"log"
	"net/http"

	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"

	"github.com/cosmos-pkgen/pkgen/table"
)

// A program with generated code calls NewEventRepository(service) in place of New.
func ExampleNew() {
	credential, err := aztables.NewSharedKeyCredential("account", base64.StdEncoding.EncodeToString([]byte("key")))
	if err != nil {
		log.Fatal(err)
	}
	options := table.Configure(nil)
	options.Transport = &fake{answer: func(_ int, s sent) (*http.Response, error) { // in place of the service
		if s.method == http.MethodPost {
			return reply(204, "", "ETag", `W/"1"`), nil
		}
		return reply(200, `{"PartitionKey":"d1","RowKey":"e001","speed":80}`, "ETag", `W/"1"`), nil
	}}
	service, err := aztables.NewServiceClientWithSharedKey("http://127.0.0.1:1/account", credential, options)
	if err != nil {
		log.Fatal(err)
	}

	events := table.New(service, "Events", &eventModel)
	err = events.Create(ctx, sample(1))
	fmt.Println("create:", err)
	found, err := events.Get(ctx, eventModel.Key(sample(1)))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(found.Speed, found.ETag)
	// Output:
	// create: <nil>
	// 80 W/"1"
}
