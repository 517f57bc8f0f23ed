package sandbox

import "fmt"

// Probe is what this machine gives, found out by doing.
type Probe struct {
	// Landlock is the version of the interface, 0 when there is none.
	Landlock int
	// Seccomp tells that lists of system calls can be installed.
	Seccomp bool
	// Namespaces is why a sandbox's namespaces and mounts cannot be made
	// here, "" when they can or when nobody tried.
	Namespaces string
	// Memory is this machine's, in bytes.
	Memory int64
}

// lacks are the mechanisms that no sandbox can be without.
func (pr Probe) lacks() []string {
	var lacks []string
	if pr.Landlock < 1 {
		lacks = append(lacks, "the kernel has no Landlock; it needs Linux 5.13 or newer with landlock among its security modules (see /sys/kernel/security/lsm)")
	}
	if !pr.Seccomp {
		lacks = append(lacks, "the kernel cannot refuse system calls by seccomp (CONFIG_SECCOMP_FILTER)")
	}
	if pr.Namespaces != "" {
		lacks = append(lacks, fmt.Sprintf("namespaces cannot be made here (%s); %s", pr.Namespaces, namespaceAdvice))
	}
	return lacks
}

// namespaceAdvice tells a person what usually stands in the way.
const namespaceAdvice = "an ordinary user needs user namespaces: look at the sysctls user.max_user_namespaces, " +
	"kernel.unprivileged_userns_clone and kernel.apparmor_restrict_unprivileged_userns; in a container they must be allowed by its seccomp profile, and /proc must not be masked"
