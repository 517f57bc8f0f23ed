// Command paddock gives an AI agent files and search inside one policy, and
// tells the person who wrote the policy what it does. Run paddock --help.
package main

import (
	"os"
	"os/signal"
	"syscall"

	"context"

	"paddock/sandbox"
)

func main() {
	sandbox.MaybeInit() // in a process that is a stage of a sandbox it never returns
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	code := run(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr})
	stop()
	os.Exit(code)
}
