package telemetry

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// config is what the environment says, by the names that OpenTelemetry gives.
type config struct {
	traces, metrics string // addresses; "" for what is not to be sent
	headers         map[string]string
	timeout         time.Duration
	args            bool
}

// configOf reads the environment. An empty one, or one that switches all off,
// is nil. An error shows no header, which may hold a key.
func configOf(getenv func(string) string) (*config, error) {
	base := getenv("OTEL_EXPORTER_OTLP_ENDPOINT")
	if base == "" || strings.EqualFold(getenv("OTEL_SDK_DISABLED"), "true") {
		return nil, nil
	}
	if u, err := url.Parse(base); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, errors.New("OTEL_EXPORTER_OTLP_ENDPOINT is no address like http://localhost:4318")
	}
	if p := cmp.Or(getenv("OTEL_EXPORTER_OTLP_PROTOCOL"), "http/protobuf"); p != "http/protobuf" {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_PROTOCOL is %q; only http/protobuf is spoken here", p)
	}
	base = strings.TrimSuffix(base, "/")
	c := &config{
		traces: base + "/v1/traces", metrics: base + "/v1/metrics", timeout: 10 * time.Second,
		args: strings.EqualFold(getenv("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"), "true"),
	}
	if getenv("OTEL_TRACES_EXPORTER") == "none" {
		c.traces = ""
	}
	if getenv("OTEL_METRICS_EXPORTER") == "none" {
		c.metrics = ""
	}
	if c.traces == "" && c.metrics == "" {
		return nil, nil
	}
	if t := getenv("OTEL_EXPORTER_OTLP_TIMEOUT"); t != "" {
		ms, err := strconv.Atoi(t)
		if err != nil || ms <= 0 || ms > 3_600_000 {
			return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_TIMEOUT is %q; it is a number of milliseconds", t)
		}
		c.timeout = time.Duration(ms) * time.Millisecond
	}
	var err error
	c.headers, err = headersOf(getenv("OTEL_EXPORTER_OTLP_HEADERS"))
	return c, err
}

// headersOf reads "name=value,name=value", the values escaped as in addresses.
func headersOf(list string) (map[string]string, error) {
	headers := map[string]string{}
	for pair := range strings.SplitSeq(list, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		name, value, found := strings.Cut(pair, "=")
		name = strings.TrimSpace(name)
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if !found || name == "" || err != nil {
			return nil, errors.New("OTEL_EXPORTER_OTLP_HEADERS is no list like name=value,name=value")
		}
		headers[name] = value
	}
	return headers, nil
}
