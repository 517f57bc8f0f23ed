package command

import "strings"

// isHarmless reports variables that name no program, library or file of
// settings to the programs that read them.
func isHarmless(name string) bool {
	switch name {
	case "LANG", "LANGUAGE", "TZ", "CI", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "COLUMNS", "LINES",
		"NODE_ENV", "RUST_BACKTRACE", "GOOS", "GOARCH", "CGO_ENABLED", "DEBIAN_FRONTEND":
		return true
	}
	return strings.HasPrefix(name, "LC_")
}

// isSpecial reports variables that change what a later command does even where
// they are not exported by the line: bash reads them itself, or they are likely
// to be in the environment already.
func isSpecial(name string) bool {
	switch name {
	case "PATH", "IFS", "ENV", "HOME", "PWD", "OLDPWD", "CDPATH", "PS4", "SHELL", "SHELLOPTS", "BASHOPTS", "GLOBIGNORE",
		"EXECIGNORE", "POSIXLY_CORRECT", "EDITOR", "VISUAL", "PAGER", "BROWSER", "LESSOPEN", "LESSCLOSE",
		"LESS", "MAKEFILES", "CLASSPATH", "CC", "CXX", "TERMINFO", "HISTFILE", "GOROOT", "GOPATH", "GOTOOLCHAIN", "PROMPT_COMMAND":
		return true
	}
	for _, prefix := range []string{
		"BASH_", "LD_", "DYLD_", "GIT_", "PYTHON", "NODE_", "PERL", "RUBY", "LUA_", "SSH_", "XDG_",
		"CARGO_", "RUSTC", "npm_config_", "NPM_CONFIG_", "GCONV_",
	} {
		if strings.HasPrefix(name, prefix) && !isHarmless(name) {
			return true
		}
	}
	for _, suffix := range []string{
		"PAGER", "EDITOR", "ASKPASS", "_COMMAND", "_OPTIONS", "_PATH", "OPTS", "FLAGS", "_CONFIG", "_CONFIG_PATH", "_SHELL",
	} {
		if strings.HasSuffix(name, suffix) {
			return true
		}
	}
	return false
}
