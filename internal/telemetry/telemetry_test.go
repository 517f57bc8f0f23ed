package telemetry

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
	"math"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
)

// collector keeps what is sent to it.
type collector struct {
	*httptest.Server
	mu      sync.Mutex
	bodies  map[string][][]byte // by path
	headers http.Header
	status  int
}

func newCollector(t *testing.T) *collector {
	c := &collector{bodies: map[string][][]byte{}, status: 200}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.bodies[r.URL.Path] = append(c.bodies[r.URL.Path], body)
		c.headers = r.Header
		w.WriteHeader(c.status)
	}))
	t.Cleanup(c.Close)
	return c
}

// environment makes a getenv.
func environment(pairs ...string) func(string) string {
	env := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		env[pairs[i]] = pairs[i+1]
	}
	return func(name string) string { return env[name] }
}

// watched runs operations under a Telemetry and closes it.
func watched(t *testing.T, c *collector, more []string, run func(*Telemetry)) {
	t.Helper()
	x, err := Start(environment(append([]string{"OTEL_EXPORTER_OTLP_ENDPOINT", c.URL + "/"}, more...)...), "1.2.3", func(text string) { t.Error("told:", text) })
	if err != nil || x == nil {
		t.Fatalf("got %v, %v", x, err)
	}
	run(x)
	if err := x.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

func TestASpanForEachRequest(t *testing.T) {
	c := newCollector(t)
	watched(t, c, []string{"OTEL_EXPORTER_OTLP_HEADERS", "x-key=a%20b, other=c"}, func(x *Telemetry) {
		_, end := x.Begin(t.Context(), Operation{
			Method: "tools/call", Tool: "read_file", Version: "2026-07-28", Transport: "tcp", Principal: "boss", Args: json.RawMessage(`{"path":"/x"}`), Traceparent: traceparent,
		})
		end(Outcome{ToolError: true, Kind: "PathAccessDenied"})
		_, end = x.Begin(t.Context(), Operation{Method: "tools/list", Transport: "pipe"})
		end(Outcome{})
		_, end = x.Begin(t.Context(), Operation{Method: "tools/call", Transport: "pipe", Args: json.RawMessage(`{"path":"/x"}`)})
		end(Outcome{Code: -32602})
	})
	if c.headers.Get("X-Key") != "a b" || c.headers.Get("Other") != "c" || c.headers.Get("Content-Type") != "application/x-protobuf" {
		t.Errorf("headers: %v", c.headers)
	}
	report := c.bodies["/v1/traces"][0]
	if got := attributesOf(t, at(t, report, 1, 1)[0], 1); got["service.name"] != "paddock" || got["service.version"] != "1.2.3" || got["telemetry.sdk.language"] != "go" {
		t.Errorf("the resource is %v", got)
	}
	spans := at(t, report, 1, 2, 2)
	if len(spans) != 3 {
		t.Fatalf("%d spans", len(spans))
	}
	for i, want := range []struct {
		name       string
		attributes map[string]string
		status     uint64
	}{
		{"tools/call read_file", map[string]string{
			"mcp.method.name": "tools/call", "mcp.protocol.version": "2026-07-28", "network.transport": "tcp", "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "read_file",
			"paddock.principal": "boss", "error.type": "tool_error", "paddock.denial.kind": "PathAccessDenied",
		}, 2},
		{"tools/list", map[string]string{"mcp.method.name": "tools/list", "network.transport": "pipe"}, 0},
		{"tools/call", map[string]string{"mcp.method.name": "tools/call", "network.transport": "pipe", "error.type": "-32602", "rpc.response.status_code": "-32602"}, 2},
	} {
		s := spans[i]
		if got := string(at(t, s, 5)[0]); got != want.name {
			t.Errorf("span %d is %q", i, got)
		}
		if got := attributesOf(t, s, 9); !maps.Equal(got, want.attributes) {
			t.Errorf("%s: attributes %v", want.name, got)
		}
		if got, _ := number(t, at(t, s, 15)[0], 3); got != want.status {
			t.Errorf("%s: status %d", want.name, got)
		}
		if kind, _ := number(t, s, 6); kind != 2 { // SPAN_KIND_SERVER
			t.Errorf("%s: kind %d", want.name, kind)
		}
		from, _ := number(t, s, 7)
		to, _ := number(t, s, 8)
		if from == 0 || to < from || time.Since(time.Unix(0, int64(from))) > time.Hour {
			t.Errorf("%s: from %d to %d", want.name, from, to)
		}
		if len(at(t, s, 1)[0]) != 16 || len(at(t, s, 2)[0]) != 8 {
			t.Errorf("%s: ids %x %x", want.name, at(t, s, 1), at(t, s, 2))
		}
	}
	// The first is part of its caller's trace, the others begin their own.
	if got := hex.EncodeToString(at(t, spans[0], 1)[0]); got != traceparent[3:35] {
		t.Errorf("trace %s", got)
	}
	if got := hex.EncodeToString(at(t, spans[0], 4)[0]); got != traceparent[36:52] {
		t.Errorf("parent %s", got)
	}
	if flags, _ := number(t, spans[0], 16); flags != 0x301 {
		t.Errorf("flags %x", flags)
	}
	if len(at(t, spans[1], 4)) != 0 {
		t.Error("a span without a caller has a parent")
	}
}

func TestDurationsAreMeasured(t *testing.T) {
	c := newCollector(t)
	watched(t, c, nil, func(x *Telemetry) {
		for range 3 {
			_, end := x.Begin(t.Context(), Operation{Method: "tools/call", Tool: "ls", Transport: "pipe", Principal: "boss", Args: json.RawMessage(`{}`)})
			end(Outcome{})
		}
	})
	metric := at(t, c.bodies["/v1/metrics"][0], 1, 2, 2)[0]
	if name, unit := string(at(t, metric, 1)[0]), string(at(t, metric, 3)[0]); name != "mcp.server.operation.duration" || unit != "s" {
		t.Errorf("%s in %s", name, unit)
	}
	histogram := at(t, metric, 9)[0]
	if temporality, _ := number(t, histogram, 2); temporality != 2 {
		t.Errorf("temporality %d", temporality)
	}
	point := at(t, histogram, 1)[0]
	want := map[string]string{"mcp.method.name": "tools/call", "network.transport": "pipe", "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "ls"}
	if got := attributesOf(t, point, 9); !maps.Equal(got, want) {
		t.Errorf("attributes %v", got)
	}
	if count, _ := number(t, point, 4); count != 3 {
		t.Errorf("count %d", count)
	}
	numbers := func(of int) (all []uint64) {
		for packed := range slices.Chunk(at(t, point, of)[0], 8) {
			all = append(all, binary.LittleEndian.Uint64(packed))
		}
		return all
	}
	buckets, bounds := numbers(6), numbers(7)
	var sum uint64
	for _, n := range buckets {
		sum += n
	}
	if len(buckets) != len(bounds)+1 || sum != 3 || math.Float64frombits(bounds[0]) != 0.01 || math.Float64frombits(bounds[13]) != 300 {
		t.Errorf("buckets %v, bounds %v", buckets, bounds)
	}
}

func TestArgumentsAreToldOnlyOnRequest(t *testing.T) {
	const secret = "a-word-of-the-arguments"
	for _, ask := range []string{"", "false", "true"} {
		c := newCollector(t)
		watched(t, c, []string{"OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", ask}, func(x *Telemetry) {
			_, end := x.Begin(t.Context(), Operation{Method: "tools/call", Tool: "ls", Args: json.RawMessage(`{"path":"` + secret + strings.Repeat("x", 1<<20) + `"}`)})
			end(Outcome{})
		})
		body := string(c.bodies["/v1/traces"][0])
		if strings.Contains(body, secret) != (ask == "true") {
			t.Errorf("asked %q: the arguments are there: %v", ask, ask != "true")
		}
		if len(body) > 2*maxArgs {
			t.Errorf("a report of %d bytes", len(body))
		}
	}
}

func TestOffIsOff(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, env := range [][]string{
		{},
		{"OTEL_EXPORTER_OTLP_HEADERS", "a=b"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:1", "OTEL_SDK_DISABLED", "TRUE"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:1", "OTEL_TRACES_EXPORTER", "none", "OTEL_METRICS_EXPORTER", "none"},
	} {
		x, err := Start(environment(env...), "1", nil)
		if x != nil || err != nil {
			t.Errorf("%v: got %v, %v", env, x, err)
		}
		ctx, end := x.Begin(t.Context(), Operation{Method: "ping"})
		end(Outcome{})
		if ctx != t.Context() || x.Close(t.Context()) != nil {
			t.Errorf("%v: it does something", env)
		}
	}
	if after := runtime.NumGoroutine(); after != before {
		t.Errorf("%d goroutines ran before and %d after", before, after)
	}
}

func TestEnvironmentsThatAreRefused(t *testing.T) {
	for _, env := range [][]string{
		{"OTEL_EXPORTER_OTLP_ENDPOINT", "localhost:4318"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://a", "OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://a", "OTEL_EXPORTER_OTLP_TIMEOUT", "10s"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://a", "OTEL_EXPORTER_OTLP_HEADERS", "the-secret-key"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://a", "OTEL_EXPORTER_OTLP_HEADERS", "key=the-secret-key%"},
	} {
		x, err := Start(environment(env...), "1", nil)
		if x != nil || err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%v: got %v, %v", env, x, err)
		}
	}
}

// A collector that fails, or is away, is told once and holds nothing up.
func TestACollectorThatFails(t *testing.T) {
	failing, moved := newCollector(t), newCollector(t)
	failing.status = 500
	elsewhere := httptest.NewServer(http.RedirectHandler(moved.URL, http.StatusTemporaryRedirect))
	defer elsewhere.Close()
	gone := httptest.NewServer(nil)
	gone.Close()
	for _, url := range []string{failing.URL, elsewhere.URL, gone.URL} {
		told := make(chan string, 100)
		x, err := Start(environment("OTEL_EXPORTER_OTLP_ENDPOINT", url, "OTEL_METRICS_EXPORTER", "none", "OTEL_EXPORTER_OTLP_HEADERS", "key=the-secret-key"), "1", func(text string) { told <- text })
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			_, end := x.Begin(t.Context(), Operation{Method: "ping"})
			end(Outcome{})
			if err := x.traces.ForceFlush(t.Context()); err != nil {
				t.Error(err)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		if err := x.Close(ctx); err != nil {
			t.Error(err)
		}
		cancel()
		if len(told) != 1 || strings.Contains(<-told, "secret") {
			t.Errorf("%s: told %d times", url, len(told)+1)
		}
	}
	if len(moved.bodies) != 0 {
		t.Error("a redirect was followed, with the key")
	}
}

func TestValuesOfEachKind(t *testing.T) {
	var m message
	m.attributes(1, []attribute.KeyValue{
		attribute.Bool("yes", true), attribute.Bool("no", false), attribute.Int("n", -5), attribute.Float64("f", 1.5), attribute.String("s", ""), attribute.StringSlice("l", []string{"a", "b"}),
	})
	want := map[string]string{"yes": "true", "no": "false", "n": "-5", "f": "1.5", "s": "", "l": `["a","b"]`}
	if got := attributesOf(t, m, 1); !maps.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}
