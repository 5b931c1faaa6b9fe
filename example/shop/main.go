package main

import (
	"cmp"
	"context"
	"errors"
	"log"
	"net/http"
	"os"
	"os/signal"
	"time"

	"golang.org/x/sync/errgroup"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx)
	stop()
	if err != nil {
		log.Fatal(err)
	}
}

// run serves, and keeps the balances, until ctx ends.
func run(ctx context.Context) error {
	told, err := newObserver(ctx)
	if err != nil {
		return err
	}
	defer told.flush(ctx, 5*time.Second)
	shop, err := open(ctx, os.Getenv("COSMOS_CONNECTION_STRING"), []byte(os.Getenv("SHOP_CURSOR_KEY")), told)
	if err != nil {
		return err
	}
	server := &http.Server{
		Addr:        cmp.Or(os.Getenv("SHOP_ADDRESS"), "localhost:8080"),
		Handler:     shop.handler(),
		ReadTimeout: time.Minute,
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return ended(shop.projection().Run(ctx)) })
	group.Go(func() error { return ended(server.ListenAndServe()) })
	group.Go(func() error {
		<-ctx.Done()
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		return server.Shutdown(grace)
	})
	log.Printf("the shop is open at http://%s", server.Addr)
	return group.Wait()
}

// ended returns an error, unless it says that somebody asked for the end.
func ended(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}
