// Package mcpserver serves tools over the Model Context Protocol, with the
// official SDK, in the versions from 2024-11-05 to 2026-07-28.
//
// What comes in is hostile, and is looked at before the SDK sees it: see
// examine. A message that is refused is answered with an error of JSON-RPC and
// the connection goes on. A refusal by the policy is no such error but the
// result of the tool, which the model reads.
//
// New makes a server, Serve runs it on a pair of streams and ServeStdio on the
// process's own, where nothing but the protocol reaches standard output.
package mcpserver
