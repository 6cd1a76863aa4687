//! Speaking with others: networks, sockets, queues, shared memory, keys.

use super::attempt::{Attack, Refused, c, python};

const NONE: &str = "socket is refused";
const OUTLIVES: &str = "what outlives a process is refused";

pub const ATTACKS: &[Attack] = &[
    c(
        "opens the internet",
        r#"REFUSED(socket(AF_INET, SOCK_STREAM, 0)); REFUSED(socket(AF_INET6, SOCK_DGRAM, 0));"#,
        Refused,
        NONE,
    ),
    c(
        "opens a raw socket",
        r#"REFUSED(socket(AF_INET, SOCK_RAW, 1)); REFUSED(socket(AF_PACKET, SOCK_RAW, 0x300));"#,
        Refused,
        NONE,
    ),
    c(
        "speaks to the host of a virtual machine",
        r#"REFUSED(socket(AF_VSOCK, SOCK_STREAM, 0)); REFUSED(socket(AF_VSOCK, SOCK_DGRAM, 0));"#,
        Refused,
        "a network namespace would not stop it",
    ),
    c(
        "asks the kernel by netlink",
        r#"for (int n = 0; n < 22; n++) REFUSED(socket(AF_NETLINK, SOCK_RAW, n));"#,
        Refused,
        NONE,
    ),
    c(
        "opens every family of sockets",
        r#"for (int n = 0; n < 46; n++) REFUSED(socket(n, SOCK_STREAM, 0));"#,
        Refused,
        NONE,
    ),
    c(
        "pairs sockets of other families",
        r#"for (int n = 2; n < 46; n++) { int p[2]; REFUSED(socketpair(n, SOCK_STREAM, 0, p)); }"#,
        Refused,
        "only local pairs",
    ),
    c(
        "hides a family in the high half",
        r#"int p[2]; SYS(socketpair, 1L << 32 | AF_INET, SOCK_STREAM, 0, p); SYS(socket, 1L << 32 | AF_UNIX, SOCK_STREAM, 0);"#,
        Refused,
        "the low half is looked at, as the kernel does",
    ),
    c(
        "turns a pair into a server",
        r#"int p[2]; socketpair(AF_UNIX, SOCK_STREAM, 0, p); struct sockaddr_un a = {AF_UNIX, "\0note"}; REFUSED(bind(p[0], (void *)&a, 7)); REFUSED(listen(p[0], 1)); REFUSED(accept(p[0], 0, 0)); REFUSED(connect(p[1], (void *)&a, 7));"#,
        Refused,
        "refused calls",
    ),
    c(
        "sends by a name through a pair",
        r#"int p[2]; socketpair(AF_UNIX, SOCK_DGRAM, 0, p); struct sockaddr_un a = {AF_UNIX, "\0note"}; REFUSED(sendto(p[0], "x", 1, 0, (void *)&a, 7));"#,
        Refused,
        "nobody has a name",
    ),
    c(
        "borrows another's identity in a message",
        r#"int p[2]; socketpair(AF_UNIX, SOCK_DGRAM, 0, p); struct { struct cmsghdr h; struct ucred u; } m = {{sizeof m, SOL_SOCKET, SCM_CREDENTIALS}, {1, 0, 0}}; struct msghdr g = {0, 0, 0, 0, &m, sizeof m, 0}; REFUSED(sendmsg(p[0], &g, 0));"#,
        Refused,
        "no capability",
    ),
    c(
        "makes shared memory",
        r#"SYS(shmget, 1234, 4096, 01666); SYS(shmget, 0, 4096, 01666); SYS(shmat, 0, 0, 0); SYS(shmctl, 0, 14, self);"#,
        Refused,
        OUTLIVES,
    ),
    c(
        "makes semaphores",
        r#"SYS(semget, 1234, 1, 01666); SYS(semop, 0, self, 1); SYS(semctl, 0, 0, 2, 0);"#,
        Refused,
        OUTLIVES,
    ),
    c(
        "makes message queues",
        r#"SYS(msgget, 1234, 01666); SYS(msgsnd, 0, self, 1, 0); SYS(mq_open, "hostile", O_CREAT | O_RDWR, 0600, 0); SYS(mq_unlink, "hostile");"#,
        Refused,
        OUTLIVES,
    ),
    c(
        "leaves keys",
        r#"SYS(add_key, "user", "note", "x", 1, -4); SYS(request_key, "user", "note", 0, -4); SYS(keyctl, 0, -3, 1); SYS(keyctl, 1, 0);"#,
        Refused,
        OUTLIVES,
    ),
    c(
        "encrypts in the kernel",
        r#"REFUSED(socket(AF_ALG, SOCK_SEQPACKET, 0)); SYS(keyctl, 18, 0, 0, 0);"#,
        Refused,
        NONE,
    ),
    python(
        "looks up a name",
        "import socket\ntry: socket.getaddrinfo('example.com', 80); print('done')\nexcept OSError: print('refused')",
        Refused,
        NONE,
    ),
    python(
        "connects to itself",
        "import socket\ntry: socket.create_connection(('127.0.0.1', 22), 1); print('done')\nexcept OSError: print('refused')",
        Refused,
        NONE,
    ),
    c(
        "reads another's packets with a filter",
        r#"SYS(bpf, 0, self, 64); SYS(bpf, 5, self, 64); int p[2]; socketpair(AF_UNIX, SOCK_DGRAM, 0, p); REFUSED(setsockopt(p[0], SOL_SOCKET, 50, &p, 4));"#,
        Refused,
        "bpf is refused",
    ),
];
