package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paddock/internal/trust"
)

func TestFoundPolicyIsCappedUntilTrusted(t *testing.T) {
	b := newBox(t)
	b.file("paddock.yaml", boxPolicy)
	b.file("notes.txt", "one\n")
	b.want(b.run("call", "read_file", `{"file_path":"/notes.txt"}`), 0, "one", "run: paddock trust")
	b.want(b.run("call", "write_file", `{"file_path":"/new.txt","content":"x"}`), 3, "", "paddock trust")
	b.want(b.run("explain", "write", "/new.txt"), 3, "paddock trust", "run: paddock trust")
	// A program cannot trust.
	b.want(b.runWith("y\ny\n", "trust"), 4, "", "only a person at a terminal")
	b.want(b.run("call", "write_file", `{"file_path":"/new.txt","content":"x"}`), 3, "", "")
	b.want(b.run("--policy", "paddock.yaml", "call", "write_file", `{"file_path":"/new.txt","content":"x"}`), 0, "", "")
}

func TestTrustAtATerminal(t *testing.T) {
	b := newBox(t)
	b.file("paddock.yaml", boxPolicy)
	at := func(typed string, args ...string) result {
		t.Helper()
		cmd := b.command(args...)
		person, err := pretend(cmd)
		must(t, err)
		defer person.close()
		var out, errs strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &errs
		must(t, cmd.Start())
		for !strings.HasSuffix(person.text(), "[N] ") {
			<-person.moved
		}
		if !strings.Contains(person.text(), "required_permission: delete") {
			t.Errorf("the question does not show the policy:\n%s", person.text())
		}
		_, err = person.master.WriteString(typed)
		must(t, err)
		_ = cmd.Wait()
		return result{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
	}
	write := func() result { return b.run("call", "write_file", `{"file_path":"/new.txt","content":"x"}`) }

	b.want(at("\n", "trust"), 5, "", "is not trusted")
	b.want(write(), 3, "", "")
	b.want(at("y\n", "trust"), 0, "is trusted until it changes", "")
	b.want(write(), 0, "", "")
	b.want(b.run("trust"), 0, "is trusted already", "")
	b.want(b.run("trust", "--list"), 0, b.dir+"/paddock.yaml", "")
	if list := decode[[]trust.Entry](b, b.run("trust", "--list", "--json")); len(list) != 1 || list[0].Path != b.dir+"/paddock.yaml" {
		t.Errorf("trust --list --json: %v", list)
	}
	b.file("paddock.yaml", boxPolicy+"# one word more\n")
	b.want(write(), 3, "", "")
	b.file("paddock.yaml", boxPolicy)
	b.want(write(), 0, "", "")
	must(t, os.Remove(filepath.Join(b.dir, "paddock.yaml")))
	b.want(b.run("trust", "--revoke", "paddock.yaml"), 0, "trusted no longer", "")
	b.want(b.run("trust", "--revoke", "paddock.yaml"), 1, "", "was not trusted")
	b.file("paddock.yaml", boxPolicy)
	b.want(write(), 3, "", "")
}
