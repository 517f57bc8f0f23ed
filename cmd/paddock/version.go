package main

import (
	"runtime"
	"runtime/debug"
)

type versionCmd struct{}

// version is the module's version and, where the build knows it, the commit.
func version() (number, commit string) {
	number = "(devel)"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return number, ""
	}
	if info.Main.Version != "" {
		number = info.Main.Version
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			commit = s.Value
		}
	}
	return number, commit
}

// Run prints the version.
func (*versionCmd) Run(a *app) error {
	number, commit := version()
	if a.json {
		return a.printJSON(map[string]string{"version": number, "commit": commit, "go": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH})
	}
	text := "paddock " + number
	if commit != "" {
		text += " (" + commit + ")"
	}
	a.print("%s, %s, %s/%s", text, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}
