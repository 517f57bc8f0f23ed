package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"paddock"
	"paddock/backend/disk"
	"paddock/internal/mcpserver"
	"paddock/tool"
)

// noisy makes the test binary act as a server in which everything prints.
const noisy = "MCPSERVER_TEST_NOISY"

func TestMain(m *testing.M) {
	if os.Getenv(noisy) == "" {
		os.Exit(m.Run())
	}
	var g *paddock.Guard
	tree, err := disk.Open(os.TempDir())
	if err == nil {
		g, err = paddock.NewUnrestricted(tree)
	}
	if err == nil {
		err = mcpserver.New(g, tool.Rules(), "1").ServeStdio(noise{context.Background()})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// noise is a context that prints to standard output whenever it is asked
// something: in the middle of the server's work.
type noise struct{ context.Context }

func (n noise) Done() <-chan struct{} {
	fmt.Println("noise by os.Stdout")
	syscall.Write(1, []byte("noise by descriptor 1\n"))
	child := exec.Command("sh", "-c", "echo noise by a child; cat")
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := child.Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	return n.Context.Done()
}

func TestStdoutIsForTheProtocolAlone(t *testing.T) {
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), noisy+"=1")
	// What a child could read of this would be gone for the server.
	cmd.Stdin = strings.NewReader(strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n", 3))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, &errs)
	}
	answers := 0
	for line := range strings.SplitSeq(strings.TrimSpace(out.String()), "\n") {
		if !json.Valid([]byte(line)) {
			t.Errorf("on standard output: %q", line)
		}
		answers++
	}
	if answers != 3 {
		t.Errorf("%d answers, want 3:\n%s", answers, &out)
	}
	for _, want := range []string{"noise by os.Stdout", "noise by descriptor 1", "noise by a child"} {
		if !strings.Contains(errs.String(), want) {
			t.Errorf("%q is not on standard error: the test made no noise\n%s", want, &errs)
		}
	}
}
