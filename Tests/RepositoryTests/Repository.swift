internal import Foundation

/// The files of this repository as a fresh clone has them: without what was built and without version control.
enum Repository {
    static let root: URL = {
        var folder = URL(fileURLWithPath: #filePath)
        repeat {
            folder.deleteLastPathComponent()
        } while folder.path != "/"
            && !FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path)
        return folder
    }()

    /// All files by their path from the root, sorted.
    static let paths: [String] = {
        guard let walk = FileManager.default.enumerator(atPath: root.path) else { return [] }
        var found: [String] = []
        for case let path as String in walk {
            let name = (path as NSString).lastPathComponent
            if name == ".git" || name == ".swiftpm" || name.hasPrefix(".build") {
                walk.skipDescendants()
            } else if walk.fileAttributes?[.type] as? FileAttributeType == .typeRegular {
                found.append(path)
            }
        }
        return found.sorted()
    }()

    static func paths(under folder: String, ending suffix: String = ".swift") -> [String] {
        paths.filter { $0.hasPrefix(folder + "/") && $0.hasSuffix(suffix) }
    }

    /// The text of a file; empty where there is none or it is not UTF-8.
    static func text(_ path: String) -> String {
        (try? String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)) ?? ""
    }

    static func lineCount(_ path: String) -> Int { text(path).utf8.count { $0 == 0x0A } }
}

extension String {
    /// The first capture group of every match.
    func captures(of pattern: String) -> [String] {
        guard let expression = try? NSRegularExpression(pattern: pattern, options: [.anchorsMatchLines]) else {
            return []
        }
        return expression.matches(in: self, range: NSRange(startIndex..., in: self)).compactMap { match in
            Range(match.range(at: match.numberOfRanges > 1 ? 1 : 0), in: self).map { String(self[$0]) }
        }
    }
}
