//go:build linux

package sandbox_test

import "errors"

// attackOtherABI: a process of this architecture has no other numbers.
func attackOtherABI() error { return errors.New("there is no other") }
