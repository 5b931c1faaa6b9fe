package cli

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/cosmos-pkgen/pkgen/internal/spelling"
)

// A Program is a command with subcommands: pkgen, pkgen-data or pkgen-emulator.
type Program struct {
	Name     string    // such as "pkgen-data"
	Commands []Command // the first one has no name, and is the default
	Common   []string  // the commands that help describes; it only names the others. Nil means all
	Others   []Other   // programs whose commands this one runs
}

// An Other is a program whose commands a Program runs.
type Other struct {
	Name     string
	Commands []Summary
	State    func(context.Context) string // such as "installed"
	// Run runs the program with the streams of this process, and returns its exit code.
	Run func(ctx context.Context, args []string, stderr io.Writer) int
	// One is set if the program has a single command, the program itself.
	One bool
}

// A Summary is a command of another program.
type Summary struct{ Name, Help string }

// Main runs the program with the arguments of the process, and exits. The first signal to stop
// cancels the context; the second exits at once.
func (p *Program) Main() {
	removeTemporary()
	if err := p.called(); err != nil {
		os.Exit(Fail(os.Stderr, err))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	code := p.Run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// Run runs the program in this process, and returns the exit code.
func (p *Program) Run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	out := &output{to: stdout}
	code := p.dispatch(ctx, args, out, stderr)
	if out.err != nil && code != Failed {
		return Fail(stderr, out.err)
	}
	return code
}

// dispatch runs the command that the first argument names, or the default command.
func (p *Program) dispatch(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	word := ""
	if len(args) > 0 {
		word = args[0]
	}
	if c, ok := p.find(word); ok {
		return c.run(ctx, args[1:], stdout, stderr)
	}
	if other, ok := p.other(word); ok {
		return other.Run(ctx, other.arguments(args), stderr)
	}
	if near := p.meant(word); near != "" {
		return Fail(stderr, fmt.Errorf("no command and no folder is called %q: did you mean %s %s?", word, p.Name, near))
	}
	return p.All()[0].run(ctx, args, stdout, stderr)
}

// arguments returns the arguments for the other program. The first of args names the command.
func (o Other) arguments(args []string) []string {
	if o.One {
		return args[1:]
	}
	return args
}

// All returns the commands of the program, followed by version and help.
func (p *Program) All() []Command {
	all := append(slices.Clone(p.Commands), versionCommand(p), helpCommand(p))
	for i := range all {
		all[i].program = p
	}
	return all
}

// find returns the command with a name.
func (p *Program) find(name string) (Command, bool) {
	all := p.All()
	i := slices.IndexFunc(all, func(c Command) bool { return c.Name == name })
	if i < 1 {
		return Command{}, false
	}
	return all[i], true
}

// other returns the other program that has a command.
func (p *Program) other(command string) (Other, bool) {
	for _, o := range p.Others {
		if slices.ContainsFunc(o.Commands, func(s Summary) bool { return s.Name == command }) {
			return o, true
		}
	}
	return Other{}, false
}

// names returns the names of all commands that the program runs.
func (p *Program) names() []string {
	var names []string
	for _, c := range p.All()[1:] {
		names = append(names, c.Name)
	}
	for _, o := range p.Others {
		for _, s := range o.Commands {
			names = append(names, s.Name)
		}
	}
	return names
}

// meant returns the command that a word resembles. A word that can be a package, because it has a
// slash or names a folder, resembles none.
func (p *Program) meant(word string) string {
	if word == "" || strings.ContainsAny(word, `/\.`) || strings.HasPrefix(word, "-") {
		return ""
	}
	if _, err := fs.Stat(os.DirFS("."), word); err == nil {
		return ""
	}
	return spelling.Nearest(word, p.names())
}
