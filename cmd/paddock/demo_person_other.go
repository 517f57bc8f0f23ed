//go:build !linux

package main

import (
	"context"
	"errors"
	"os/exec"
)

type pretended struct{}

func pretend(*exec.Cmd) (*pretended, error) {
	return nil, errors.New("the demo pretends a person only on Linux; run it with --ask")
}

func (*pretended) agree(context.Context) string { return "" }
func (*pretended) done()                        {}
func (*pretended) close()                       {}
