package main

import (
	"context"
	"errors"
	"net/http"
	"os"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// An account is where the example runs.
type account struct {
	name   string
	client *azcosmos.Client
	close  func()
}

// connect opens the account that the environment names, else an emulator.
func connect() (account, error) {
	options := repository.Configure(nil)
	if s := os.Getenv("COSMOS_CONNECTION_STRING"); s != "" {
		client, err := azcosmos.NewClientFromConnectionString(s, options)
		if err != nil {
			return account{}, err
		}
		return account{name: client.Endpoint(), client: client, close: client.Close}, nil
	}
	if endpoint := os.Getenv("COSMOS_ENDPOINT"); endpoint != "" {
		credential, err := azidentity.NewDefaultAzureCredential(nil)
		if err != nil {
			return account{}, err
		}
		client, err := azcosmos.NewClient(endpoint, credential, options)
		if err != nil {
			return account{}, err
		}
		return account{name: endpoint, client: client, close: client.Close}, nil
	}
	server, err := emulator.Start(emulator.Options{Partitions: 5})
	if err != nil {
		return account{}, err
	}
	return account{
		name:   "an emulator with 5 physical partitions",
		client: server.Client(options),
		close:  server.Close,
	}, nil
}

// openDatabase returns the database of this id, and creates it if need be.
func openDatabase(ctx context.Context, client *azcosmos.Client, id string) (*azcosmos.DatabaseClient, error) {
	_, err := client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: id}, nil)
	if err != nil && !exists(err) {
		return nil, err
	}
	return client.NewDatabase(id)
}

func exists(err error) bool {
	var response *azcore.ResponseError
	return errors.As(err, &response) && response.StatusCode == http.StatusConflict
}
