// The system's calls on files with texts and views in place of pointers.
//
// Names and results are the system's: -1 or nil, with the reason in `errno`. Reading and writing go on after a signal.

internal import Cshims
package import Foundation

// MARK: - Files

/// A new descriptor.
package func open(_ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
    unsafe Foundation.open(path, flags, mode)
}

/// Opens a regular file for reading.
///
/// - Parameter flags: more than `O_RDONLY | O_CLOEXEC`.
/// - Returns: -1, with `EINVAL`, for what is no regular file: opening a pipe would wait for somebody who writes.
package func openRegularFile(_ path: String, _ flags: Int32 = 0) -> Int32 {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | flags)
    guard descriptor >= 0 else { return descriptor }
    guard let info = status(descriptor), info.st_mode & S_IFMT == S_IFREG else {
        close(descriptor)
        errno = EINVAL
        return -1
    }
    return descriptor
}

/// Takes the numbers of standard streams that are closed: a file opened later would have such a number, and what is
/// printed would go into it. Writing to the streams still fails.
package func occupyStandardStreams() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 { _ = open("/dev/null", O_RDONLY) }
}

/// A new file that only its owner can read, and its path.
///
/// - Parameter template: a path that ends with `XXXXXX`.
package func openTemporary(_ template: String) -> (descriptor: Int32, path: String) {
    var path = Array(template.utf8CString)
    let descriptor = unsafe mkstemp(&path)
    return (descriptor, String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
}

/// Appends at most `limit` bytes of a file to a buffer; 0 at its end.
///
/// - Parameter place: where the bytes begin; nil for the descriptor's own place.
package func read(_ descriptor: Int32, into buffer: ByteBuffer, upTo limit: Int, at place: Int64? = nil) -> Int {
    var result = 0
    _ = unsafe buffer.append(upTo: limit) { room in
        repeat {
            result =
                unsafe place.map { unsafe pread(descriptor, room.baseAddress, room.count, off_t($0)) }
                ?? Foundation.read(descriptor, room.baseAddress, room.count)
        } while result < 0 && errno == EINTR
        return max(result, 0)
    }
    return result
}

/// Writes as many bytes as the system takes; how many it took.
package func write(_ bytes: ByteView, to descriptor: Int32) -> Int {
    unsafe Foundation.write(descriptor, bytes.start, bytes.count)
}

/// Writes all bytes; false where the system cannot.
package func writeAll(_ bytes: ByteView, to descriptor: Int32) -> Bool {
    var rest = bytes
    while rest.count > 0 {
        let done = write(rest, to: descriptor)
        if done < 0, errno == EAGAIN {
            waitUntilWritable(descriptor)
            continue
        }
        if done == 0 || (done < 0 && errno != EINTR) { return false }
        rest = rest[max(done, 0)...]
    }
    return true
}

@discardableResult
package func unlink(_ path: String) -> Int32 { unsafe Foundation.unlink(path) }

@discardableResult
package func rename(_ old: String, _ new: String) -> Int32 { unsafe Foundation.rename(old, new) }

/// Renames a file to a name that nothing has yet; not every file system can.
package func renameToNewName(_ old: String, _ new: String) -> Int32 { unsafe rename_to_new_name(old, new) }

package func link(_ path: String, _ new: String) -> Int32 { unsafe Foundation.link(path, new) }

package func access(_ path: String, _ mode: Int32) -> Int32 { unsafe Foundation.access(path, mode) }

@discardableResult
package func chmod(_ path: String, _ mode: mode_t) -> Int32 { unsafe Foundation.chmod(path, mode) }

/// The path of a file without symbolic links; nil where nothing is there.
package func realPath(_ path: String) -> String? {
    guard let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
}

/// What the system knows of a file; a symbolic link is followed.
package func status(_ path: String) -> stat? {
    var info = stat()
    return unsafe stat(path, &info) == 0 ? info : nil
}

/// What the system knows of a file or of a symbolic link.
package func linkStatus(_ path: String) -> stat? {
    var info = stat()
    return unsafe lstat(path, &info) == 0 ? info : nil
}

/// What the system knows of an open file.
package func status(_ descriptor: Int32) -> stat? {
    var info = stat()
    return unsafe fstat(descriptor, &info) == 0 ? info : nil
}

/// Locks one byte of an open file against the descriptors of others, without waiting (`F_OFD_SETLK`).
///
/// The lock ends with the descriptor, so also with the process in whatever way.
/// - Returns: false where another descriptor holds it, or the file system has no locks.
package func lock(_ descriptor: Int32, byte: Int64, exclusively: Bool) -> Bool {
    setLock(descriptor, byte: byte, exclusively ? F_WRLCK : F_RDLCK)
}

/// Lets go of what `lock` has locked.
@discardableResult
package func unlock(_ descriptor: Int32, byte: Int64) -> Bool { setLock(descriptor, byte: byte, F_UNLCK) }

private func setLock(_ descriptor: Int32, byte: Int64, _ kind: Int32) -> Bool {
    var range = flock()
    range.l_type = Int16(kind)
    range.l_whence = Int16(SEEK_SET)
    (range.l_start, range.l_len) = (off_t(byte), 1)
    let setLock: Int32 = 37
    return unsafe fcntl(descriptor, setLock, &range) == 0
}

// MARK: - Folders

package func mkdir(_ path: String, _ mode: mode_t) -> Int32 { unsafe Foundation.mkdir(path, mode) }

@discardableResult
package func rmdir(_ path: String) -> Int32 { unsafe Foundation.rmdir(path) }

/// A new folder that only its owner can enter; nil where none can be made.
///
/// - Parameter template: a path that ends with `XXXXXX`.
package func makeTemporaryFolder(_ template: String) -> String? {
    var path = Array(template.utf8CString)
    return unsafe mkdtemp(&path).map { unsafe String(cString: $0) }
}

/// The names in a folder in any order, without `.` and `..`; nil where it cannot be read to its end.
///
/// Foundation's listing ends without a word where reading fails.
///
/// - Parameter limit: how many are read at most.
package func names(inFolder path: String, limit: Int) -> [[UInt8]]? {
    guard let folder = unsafe opendir(path) else { return nil }
    defer { unsafe closedir(folder) }
    var names: [[UInt8]] = []
    errno = 0
    while names.count < limit, let entry = unsafe readdir(folder) {
        let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in unsafe Array(bytes.prefix { $0 != 0 }) }
        if name != [0x2E], name != [0x2E, 0x2E] { names.append(name) }
        errno = 0
    }
    return errno == 0 ? names : nil
}

// MARK: - Terminals and pipes

/// The size of the terminal behind a descriptor; nil where it is none.
package func terminalSize(_ descriptor: Int32) -> winsize? {
    var size = winsize()
    return unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
}

/// Waits until a descriptor can be written to, for a second at most.
package func waitUntilWritable(_ descriptor: Int32) {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    unsafe poll(&waiting, 1, 1000)
}

// MARK: - The process

/// Lets all threads share two heaps: what one thread freed serves the others, too. For a process of many threads, before
/// they start.
package func shareHeaps() { _ = share_heaps() }

/// Gives the system back what is free in the heaps, between what is in use, too; takes milliseconds.
package func trimHeaps() { _ = malloc_trim(0) }

/// Starts a program, sought as the shell does, that ends with the calling thread: also where this process is killed.
///
/// What it writes to standard error is dropped. One that cannot be started ends with 127.
/// - Returns: its process, for `waitpid`; -1 where none could be made.
package func startChild(_ arguments: [String], input: Int32, output: Int32) -> Int32 {
    let texts = unsafe arguments.map { unsafe strdup($0) }
    defer { unsafe texts.forEach { unsafe free($0) } }
    let errors = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { close(errors) }
    return unsafe start_child(texts + [nil], input, output, errors)
}

/// The exit status of a child that has ended, 128 and more for a signal; nil while it runs.
package func exitStatus(of child: Int32) -> Int32? {
    var status: Int32 = 0
    var result: Int32 = 0
    repeat { result = unsafe waitpid(child, &status, WNOHANG) } while result < 0 && errno == EINTR
    guard result != 0 else { return nil }
    guard result > 0 else { return 127 }
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F
}

/// Waits until a descriptor can be read from, or its other end is gone; false after the time.
package func waitUntilReadable(_ descriptor: Int32, milliseconds: Int32) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&waiting, 1, milliseconds) > 0
}

@discardableResult
package func setenv(_ name: String, _ value: String) -> Int32 { unsafe Foundation.setenv(name, value, 1) }

/// Whether the process ignores a signal since it was started, as `nohup` starts one.
package func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        == unsafeBitCast(SIG_IGN, to: Int.self)
}

/// Keeps a signal from the calling thread.
package func block(_ signal: Int32) { mask(signal, SIG_BLOCK) }

/// Lets a signal come to the calling thread.
package func unblock(_ signal: Int32) { mask(signal, SIG_UNBLOCK) }

private func mask(_ signal: Int32, _ how: Int32) {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, signal)
    unsafe pthread_sigmask(how, &signals, nil)
}

/// Whether an `errno` says that the disk is full, or what the user may have of it.
package func isDiskFull(_ code: Int32) -> Bool { code == ENOSPC || code == EDQUOT }

/// What the system says of an `errno`.
package func systemMessage(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
