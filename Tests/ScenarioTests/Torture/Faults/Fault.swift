/// How a system call is made to fail.
enum Fault: String, CaseIterable {
    case noSpaceOnce = "ENOSPC once"
    case noSpaceFromThenOn = "ENOSPC from then on"
    case inputOutputOnce = "EIO once"
    case inputOutputFromThenOn = "EIO from then on"
    case kill = "SIGKILL"

    /// The system calls that are made to fail: all that name a file or work on an open one, but mapping it, which every
    /// allocation of memory is too. Those that an architecture lacks are passed over (`?`).
    static let calls = [
        "openat", "read", "pread64", "write", "pwrite64", "fsync", "fdatasync", "ftruncate", "fallocate", "rename",
        "renameat", "renameat2", "link", "linkat", "unlink", "unlinkat", "mkdir", "mkdirat", "rmdir", "close",
        "newfstatat", "lseek", "fcntl", "flock", "getdents64", "chmod", "fchmodat", "fchown", "access", "faccessat",
    ]

    /// Those that can meet a full disk.
    private static let needingSpace: Set<String> = [
        "openat", "write", "pwrite64", "fsync", "fdatasync", "ftruncate", "fallocate", "rename", "renameat",
        "renameat2",
        "link", "linkat", "mkdir", "mkdirat", "close",
    ]

    /// What `strace -e` is told; nil where the call cannot fail so.
    func injection(_ call: String, _ number: Int) -> String? {
        switch self {
        case .noSpaceOnce, .noSpaceFromThenOn:
            guard Self.needingSpace.contains(call) else { return nil }
            return "inject=\(call):error=ENOSPC:when=\(number)\(self == .noSpaceOnce ? "" : "+")"
        case .inputOutputOnce: return "inject=\(call):error=EIO:when=\(number)"
        case .inputOutputFromThenOn: return "inject=\(call):error=EIO:when=\(number)+"
        case .kill: return "inject=\(call):signal=SIGKILL:when=\(number)"
        }
    }
}
