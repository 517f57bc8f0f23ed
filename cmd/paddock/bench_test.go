package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// BenchmarkServeToFirstAnswer is the time from the start of the program to its
// first answer, beside that of the smallest program there is. The budget is
// 40 ms.
func BenchmarkServeToFirstAnswer(b *testing.B) {
	dir := b.TempDir()
	program := filepath.Join(dir, "paddock")
	build := exec.Command("go", "build", "-o", program, ".")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	if err := os.WriteFile(filepath.Join(dir, "paddock.yaml"), []byte(boxPolicy), 0o644); err != nil {
		b.Fatal(err)
	}
	env := append(os.Environ(), "PADDOCK_STATE="+filepath.Join(dir, "state"), "PADDOCK_POLICY="+filepath.Join(dir, "paddock.yaml"))

	b.Run("true", func(b *testing.B) {
		for b.Loop() {
			if err := exec.Command("true").Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("version", func(b *testing.B) {
		for b.Loop() {
			if err := exec.Command(program, "version").Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("serve", func(b *testing.B) {
		for b.Loop() {
			firstAnswer(b, program, dir, env)
		}
	})
}

func firstAnswer(b *testing.B, program, dir string, env []string) {
	b.Helper()
	server := exec.Command(program, "serve")
	server.Dir, server.Env = dir, env
	in, err := server.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := server.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := server.Start(); err != nil {
		b.Fatal(err)
	}
	_, err = io.WriteString(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"b","version":"1"}}}`+"\n")
	if err != nil {
		b.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		b.Fatal(err)
	}
	b.StopTimer()
	in.Close()
	if err := server.Wait(); err != nil {
		b.Fatal(err)
	}
	b.StartTimer()
}
