package mcpserver

import (
	"context"
	"fmt"
)

// ServeStdio serves the client at the other end of this process's standard
// input and output, and takes both over for good: from now on os.Stdout, and
// file descriptor 1, are standard error, and standard input is empty, so that
// nothing printed by mistake, here or by a program started from here, can
// break into the protocol or read from it.
func (s *Server) ServeStdio(ctx context.Context) error {
	in, out, err := takeStdio()
	if err != nil {
		return fmt.Errorf("taking over standard input and output: %w", err)
	}
	return s.Serve(ctx, in, out)
}
