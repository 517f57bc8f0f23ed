package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"paddock/internal/profile"
	"paddock/internal/wire"
)

type initCmd struct {
	Profile string `help:"Which policy to begin with: coding, readonly or data." default:"coding" enum:"coding,readonly,data" placeholder:"NAME"`
}

// Run writes paddock.yaml in the working directory. It asks nothing and never
// overwrites: the file may hold an hour of somebody's thought.
func (c *initCmd) Run(a *app) error {
	text, err := profile.Text(c.Profile)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(wire.FileName, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already, and init never overwrites; move it away first", wire.FileName)
	}
	if err != nil {
		return fmt.Errorf("init: %w", err)
	}
	_, err = f.Write(text)
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return fmt.Errorf("init: %w", err)
	}
	if a.json {
		return a.printJSON(map[string]string{"file": wire.FileName, "profile": c.Profile})
	}
	a.print("%s", wire.FileName)
	a.notice(fmt.Sprintf("wrote %s with the profile %s (there are %s)", wire.FileName, c.Profile, strings.Join(profile.Names(), ", ")))
	path, err := filepath.Abs(wire.FileName)
	if err != nil {
		return fmt.Errorf("init: %w", err)
	}
	a.notice("next: paddock check; when it is as you want it, let your agent's host start: paddock serve --policy " + path)
	a.notice("without --policy, paddock trust lets it grant more than reading")
	return nil
}
