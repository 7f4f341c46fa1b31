internal import Basics
internal import Foundation
internal import FuzzTargets

/// libFuzzer's own loop; it comes with `-sanitize=fuzzer`.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// One input for the target that `FUZZ_TARGET` names.
private func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        fatalError("FUZZ_TARGET must be one of: \(FuzzTarget.allCases.map(\.rawValue))")
    }
    if let bytes { target.run(ByteView(bytes, count)) }
    return 0
}

var count = CommandLine.argc
var arguments = CommandLine.unsafeArgv
exit(runDriver(&count, &arguments, fuzz))
