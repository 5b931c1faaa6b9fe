package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/explorer"
	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
)

// Program returns pkgen-emulator.
func Program() *cli.Program {
	return &cli.Program{Name: "pkgen-emulator", Commands: []cli.Command{serveCommand(), dumpCommand()}, Common: []string{}}
}

// serveCommand is pkgen-emulator without a subcommand.
func serveCommand() cli.Command {
	return cli.Command{
		Help:  "serve Cosmos DB, for tests and development",
		About: "Serves an Azure Cosmos DB account, and prints how programs connect to it.",
		Examples: [][2]string{
			{"pkgen-emulator -partitions 5 -data ./cosmos", "keeps the databases"},
		},
		Bind: bindServe,
	}
}

// stopTime is the time limit for requests in flight when the emulator stops.
const stopTime = 5 * time.Second

// emulatorFlags are the flags of pkgen-emulator.
type emulatorFlags struct {
	addr, computeGateway, cert string
	options                    server.Options
	strict, verbose, http      bool
	ahead                      time.Duration
	regions                    regionList
	data                       string // a folder
	loads                      fileList
}

// bindServe declares the flags.
func bindServe(flags *flag.FlagSet) cli.Action {
	f := &emulatorFlags{}
	flags.StringVar(&f.addr, "addr", "localhost:8081", "the `address` to listen on")
	flags.StringVar(&f.computeGateway, "compute-gateway", "", "an extra `address`, for Microsoft's tests")
	flags.IntVar(&f.options.Partitions, "partitions", 1, "physical partitions of each container")
	flags.IntVar(&f.options.Throughput, "ru", 0, "throttle containers, by default at this many `RU/s`")
	flags.DurationVar(&f.options.Latency, "latency", 0, "the shortest time that a request takes")
	flags.DurationVar(&f.ahead, "ahead", 0, "how far the clock is ahead of the machine's")
	flags.StringVar(&f.cert, "cert", defaultCertificate(), "write the certificate to this `file`")
	flags.BoolVar(&f.strict, "strict", false, "refuse requests that the documentation forbids")
	flags.DurationVar(&f.options.AllVersions, "all-versions", 0, "how long the change feed keeps all versions")
	flags.DurationVar(&f.options.IndexLag, "index-lag", 0, "how long a write takes to reach an index container")
	flags.Var(&f.regions, "regions", "several regions `NAME,…`, the write region first")
	flags.BoolVar(&f.options.MultiWrite, "multi-write", false, "every region is a write region")
	flags.DurationVar(&f.options.ReplicationLag, "replication-lag", 0, "how long a write takes to reach other regions")
	flags.StringVar(&f.options.Consistency, "consistency", "", "the default consistency `level` of the account")
	flags.BoolVar(&f.options.Serverless, "serverless", false, "a serverless account, without throughput")
	flags.BoolVar(&f.http, "http", false, "plain HTTP, without a certificate")
	flags.StringVar(&f.data, "data", "", "keep the databases in this `folder` between runs")
	flags.Var(&f.loads, "load", "create a container from this `file`; repeatable")
	flags.BoolVar(&f.options.Explorer, "explorer", true, "serve a page at /_explorer/")
	flags.BoolVar(&f.verbose, "v", false, "print a line for each request")
	return f.run
}

func (f *emulatorFlags) run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if err := f.check(args); err != nil {
		return cli.Fail(stderr, err)
	}
	if err := f.withData(stderr, func() error { return f.serve(ctx, stdout, stderr) }); err != nil {
		return cli.Fail(stderr, err)
	}
	return cli.Done
}

// check refuses arguments, and flags without effect.
func (f *emulatorFlags) check(args []string) error {
	if len(args) > 0 && args[0] == "dump" {
		return errors.New("dump comes before its flags: pkgen-emulator dump -data FOLDER -o FOLDER")
	}
	switch o := f.options; {
	case o.Partitions < 1:
		return fmt.Errorf("-partitions %d: a container has at least one physical partition", o.Partitions)
	case o.Throughput < 0:
		return fmt.Errorf("-ru %d is negative: name the RU/s of a container, or 0 for no budgets", o.Throughput)
	case o.Latency < 0:
		return fmt.Errorf("-latency %s is negative: name a duration such as 5ms", o.Latency)
	case f.ahead < 0:
		return fmt.Errorf("-ahead %s is negative: name a duration such as 25h, since time only passes forward", f.ahead)
	case o.AllVersions < 0:
		return fmt.Errorf("-all-versions %s is negative: name a duration such as 168h", o.AllVersions)
	case o.IndexLag < 0:
		return fmt.Errorf("-index-lag %s is negative: name a duration such as 2s", o.IndexLag)
	case o.ReplicationLag < 0:
		return fmt.Errorf("-replication-lag %s is negative: name a duration such as 2s", o.ReplicationLag)
	case len(f.regions) < 2 && (o.MultiWrite || o.ReplicationLag > 0):
		return errors.New("-multi-write and -replication-lag need several regions: name them with -regions \"West Europe,North Europe\"")
	case len(f.regions) > 0 && f.computeGateway != "":
		return errors.New("-compute-gateway is for an account with a single region: leave -regions out")
	}
	return cli.TakesNone("pkgen-emulator", args)
}

// defaultCertificate returns the default path of the certificate; empty if the user has no cache
// folder.
func defaultCertificate() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "pkgen", "emulator.pem")
}

// serve runs the emulator until ctx ends.
func (f *emulatorFlags) serve(ctx context.Context, stdout, stderr io.Writer) error {
	adaptGC()
	errorLog := log.New(io.Discard, "", 0)
	if f.verbose {
		errorLog = log.New(stderr, "", log.LstdFlags|log.Lmicroseconds)
		f.options.Logf = errorLog.Printf
	}
	f.options.Lenient = !f.strict
	listeners, err := f.listen(ctx)
	if err != nil {
		return err
	}
	account, config, trust, err := f.open(listeners, stdout, stderr)
	if err != nil {
		return errors.Join(err, closeAll(listeners))
	}
	var servers group
	beyond := false
	for i, listener := range listeners {
		beyond = beyond || !isLoopback(listener.Addr())
		front := server.Front{Endpoint: f.scheme(endpointOf(listener.Addr())), Routing: i == 0 || f.computeGateway == ""}
		if i > 0 && len(f.regions) > 0 {
			front.Region = f.regions[i-1].name
			listener = account.Gate(listener, front.Region)
		}
		s := &http.Server{
			Handler:           account.Handler(front),
			TLSConfig:         config.Clone(), // each server adds its protocols
			Protocols:         server.Protocols(),
			ReadHeaderTimeout: 10 * time.Second,
			ReadTimeout:       2 * time.Minute, // for a request and its body
			IdleTimeout:       3 * time.Minute, // between two requests
			ErrorLog:          errorLog,
		}
		s.RegisterOnShutdown(account.StopExplorer)
		servers.start(s, listener)
	}
	addr := listeners[0].Addr()
	if beyond {
		fmt.Fprintln(stderr, "warning: other machines reach this address; the account key is public, and any Microsoft Entra token passes, so any program that reaches it can read and change everything")
	}
	fmt.Fprint(stdout, trust)
	for _, r := range account.Regions() {
		fmt.Fprintf(stdout, "region %s %s\n", r.Name, f.scheme(local(listeners[f.regions.index(r.Name)+1].Addr())))
	}
	if f.options.Explorer {
		fmt.Fprintf(stdout, "explorer %s%s\n", strings.TrimSuffix(f.scheme(local(addr)), "/"), explorer.Path)
	}
	fmt.Fprintf(stdout, "COSMOS_CONNECTION_STRING=AccountEndpoint=%s;AccountKey=%s;\n", f.scheme(local(addr)), account.Key())
	return servers.wait(ctx)
}

// open creates the account, with the endpoints of the listeners, and loads its files. It writes the
// certificate last, so that an emulator that fails to start does not replace that of another one.
func (f *emulatorFlags) open(listeners []net.Listener, stdout, stderr io.Writer) (*server.Server, *tls.Config, string, error) {
	f.options.RegionEndpoints = map[string]string{}
	for i, r := range f.regions {
		f.options.Regions = append(f.options.Regions, r.name)
		f.options.RegionEndpoints[r.name] = f.scheme(regionEndpoint(listeners[i+1].Addr()))
	}
	account, err := server.New(f.options)
	if err != nil {
		return nil, nil, "", err
	}
	account.Advance(f.ahead - account.Ahead()) // its time may come from the data folder
	if ahead := account.Ahead().Round(time.Second); ahead > f.ahead {
		fmt.Fprintf(stderr, "the clock is %s ahead of the machine's, more than -ahead %s, because documents in %s were written at that time\n", ahead, f.ahead, f.data)
	}
	if err := f.load(account, stdout); err != nil {
		return nil, nil, "", err
	}
	config, trust, err := f.tls()
	return account, config, trust, err
}

// listen listens on the address of the routing gateway, and on that of the compute gateway, if
// there is one, or else on that of each region.
func (f *emulatorFlags) listen(ctx context.Context) ([]net.Listener, error) {
	addrs := []string{f.addr}
	if f.computeGateway != "" {
		addrs = append(addrs, f.computeGateway)
	}
	for _, r := range f.regions {
		addrs = append(addrs, r.addr)
	}
	var network net.ListenConfig
	var listeners []net.Listener
	for i, addr := range addrs {
		if addr == "" { // a region without its own address
			addr = f.following(listeners[0].Addr(), i)
		}
		l, err := network.Listen(ctx, "tcp", addr)
		if err != nil {
			return nil, errors.Join(err, closeAll(listeners))
		}
		listeners = append(listeners, l)
	}
	return listeners, nil
}

// closeAll closes listeners that are not yet served.
func closeAll(listeners []net.Listener) error {
	var errs []error
	for _, l := range listeners {
		errs = append(errs, l.Close())
	}
	return errors.Join(errs...)
}

// isLoopback reports whether only this machine can reach a listener.
func isLoopback(addr net.Addr) bool {
	tcp, ok := addr.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// endpointOf returns the URL of a listener in the account's answers; empty for one on all
// addresses, which clients reach by names of their own.
func endpointOf(addr net.Addr) string {
	if tcp, ok := addr.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return ""
	}
	return "https://" + addr.String() + "/"
}

// local returns the URL of a listener on this machine.
func local(addr net.Addr) string {
	if endpoint := endpointOf(addr); endpoint != "" {
		return endpoint
	}
	_, port, _ := net.SplitHostPort(addr.String()) // the address of a listener has a port
	return "https://localhost:" + port + "/"
}

// group is a set of servers that end together.
type group struct {
	servers []*http.Server
	running sync.WaitGroup
	mu      sync.Mutex
	errs    []error
	failed  chan struct{}
}

// start serves on a listener, with TLS if the server has a configuration for it.
func (g *group) start(s *http.Server, l net.Listener) {
	if g.failed == nil {
		g.failed = make(chan struct{}, 1)
	}
	g.servers = append(g.servers, s)
	g.running.Go(func() {
		serve := s.Serve
		if s.TLSConfig != nil {
			serve = func(l net.Listener) error { return s.ServeTLS(l, "", "") }
		}
		if err := serve(l); !errors.Is(err, http.ErrServerClosed) {
			g.mu.Lock()
			g.errs = append(g.errs, err)
			g.mu.Unlock()
			select {
			case g.failed <- struct{}{}:
			default: // another one has already failed
			}
		}
	})
}

// wait ends the servers when the context ends or one of them fails.
func (g *group) wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
	case <-g.failed:
	}
	return g.stop(ctx)
}

// stop waits for requests in flight, up to stopTime, and closes the servers. ctx may have ended.
func (g *group) stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	for _, s := range g.servers {
		if s.Shutdown(ctx) != nil {
			_ = s.Close() // an error means that a connection was already closed
		}
	}
	g.running.Wait()
	return errors.Join(g.errs...)
}
