// swift-tools-version: 6.2

import PackageDescription

/// One set of compiler settings for every target: Swift 6, explicit existentials and imports, warnings are errors.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
    // Run-time exclusivity checks cost a tenth of an import; debug builds and the tests keep them.
    .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)),
]

/// For targets whose loops over bytes make a debug build slow: optimised there, too, with the checks of bounds and exclusive
/// access that a debug build has.
let optimised =
    settings + [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let hummingbird = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let channels = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let sockets = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let http = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

let package = Package(
    name: "HealthProbe",
    products: [
        .executable(name: "healthprobe", targets: ["healthprobe"]),
        .executable(name: "synthetic-exports", targets: ["synthetic-exports"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        // What Hummingbird is made of, as far as `Web/Server` names it.
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
    ],
    targets: [
        // System libraries.
        .systemLibrary(name: "Cshims"),
        .systemLibrary(name: "Clibcrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "Clibxml2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .systemLibrary(name: "Clibzip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"])]),
        .systemLibrary(name: "Czlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        // Values and their text, and the reading of an export.
        .target(name: "Basics", dependencies: ["Cshims"], swiftSettings: optimised),
        .target(
            name: "HealthModel", dependencies: ["Basics", "Clibcrypto"],
            resources: [.embedInCode("Units/quantity-types.json"), .embedInCode("Units/category-synonyms.json")],
            swiftSettings: optimised),
        .target(
            name: "ExportReading", dependencies: ["Basics", "HealthModel", "Cshims", "Clibxml2", "Clibzip", "Czlib"],
            swiftSettings: optimised),
        // The archive, from the file up: each target knows only those before it.
        .target(
            name: "Store", dependencies: ["Basics", "HealthModel", "Cshims", "Czlib", grdb, sqlite],
            resources: [.embedInCode("Schema/schema-4.sql")], swiftSettings: settings),
        .target(name: "Days", dependencies: ["Basics", "HealthModel", "Store", grdb], swiftSettings: settings),
        .target(name: "Evidence", dependencies: ["Basics", "HealthModel", "Store", grdb], swiftSettings: settings),
        .target(
            name: "History", dependencies: ["Basics", "HealthModel", "Store", "Days", "Evidence", grdb],
            swiftSettings: settings),
        .target(
            name: "Questions", dependencies: ["Basics", "HealthModel", "Store", "Days", "Evidence", "History", grdb],
            swiftSettings: settings),
        .target(
            name: "Care", dependencies: ["Basics", "HealthModel", "Store", "Days", "Evidence", "History", grdb],
            swiftSettings: settings),
        // What joins reader and archive.
        .target(
            name: "Importing",
            dependencies: [
                "Basics", "HealthModel", "ExportReading", "Store", "Evidence", "History", "Questions", "Care",
            ],
            swiftSettings: settings),
        // What workouts and days amount to: formulas over arrays, what fetches the arrays, and the files of other apps.
        .target(
            name: "Training", dependencies: ["Basics", "HealthModel", "ExportReading", "Store", "Days", "Questions"],
            resources: [.embedInCode("Formulas/Workout/workout-activities.json")], swiftSettings: optimised),

        // What people and other programs get.
        .target(name: "Presentation", dependencies: ["Basics"], swiftSettings: settings),
        .target(
            name: "Exporting",
            dependencies: [
                "Basics", "HealthModel", "ExportReading", "Store", "Evidence", "History", "Questions", "Care",
                "Training",
                "Presentation", "Czlib",
            ],
            swiftSettings: settings),
        .target(
            name: "Reporting",
            dependencies: [
                "Basics", "HealthModel", "Store", "Days", "Evidence", "History", "Questions", "Care", "Importing",
                "Training", "Presentation",
            ],
            swiftSettings: settings),
        .target(
            name: "Caching",
            dependencies: [
                "Basics", "HealthModel", "Store", "Days", "Evidence", "Questions", "Exporting", "Reporting",
                "Presentation", grdb,
            ],
            resources: [.embedInCode("Schema/cache-schema-2.sql")], swiftSettings: settings),
        .target(
            name: "Web",
            dependencies: [
                "Basics", "HealthModel", "Store", "Days", "Evidence", "History", "Questions", "Training", "Exporting",
                "Reporting", "Caching", "Presentation", hummingbird, channels, sockets, http, httpTypes, logging,
            ],
            swiftSettings: settings),
        .target(
            name: "Commands",
            dependencies: [
                "Basics", "HealthModel", "ExportReading", "Store", "Days", "Evidence", "History", "Questions", "Care",
                "Importing", "Training", "Exporting", "Reporting", "Caching", "Presentation", "Web", arguments,
            ],
            swiftSettings: settings),
        .executableTarget(name: "healthprobe", dependencies: ["Commands"], swiftSettings: settings),

        .executableTarget(
            name: "healthprobe-benchmarks", dependencies: ["SyntheticExportGenerator", "Clibxml2", sqlite, arguments],
            path: "Benchmarks", swiftSettings: settings),

        .target(name: "TestSupport", dependencies: ["Clibxml2"], path: "Tests/TestSupport", swiftSettings: settings),
        .target(
            name: "ArchiveTestSupport",
            dependencies: ["Store", "History", "Care", "ExportReading", "Importing", "TestSupport", grdb],
            path: "Tests/ArchiveTestSupport", swiftSettings: settings),
        .testTarget(name: "BasicsTests", dependencies: ["Basics", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "HealthModelTests", dependencies: ["Basics", "HealthModel", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "ExportReadingTests",
            dependencies: ["ExportReading", "Basics", "HealthModel", "FuzzTargets", "TestSupport"],
            exclude: ["Fixtures"], swiftSettings: settings),
        .target(
            name: "FuzzTargets", dependencies: ["ExportReading", "Basics", "HealthModel"], path: "Fuzzing/Targets",
            swiftSettings: settings),
        .testTarget(
            name: "ArchiveTests",
            dependencies: [
                "ArchiveTestSupport", "TestSupport", "SyntheticExportGenerator", "Store", "Days", "Evidence", "History",
                "Questions", "Care", "Basics", "HealthModel", "ExportReading", "Importing", grdb, sqlite,
            ],
            exclude: ["Fixtures"], swiftSettings: settings),
        .testTarget(
            name: "ExportingTests",
            dependencies: [
                "ArchiveTestSupport", "TestSupport", "Exporting", "ExportReading", "Store", "Evidence", "History",
                "Questions", "Care", "Basics", "HealthModel", grdb,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ScenarioTests",
            dependencies: ["TestSupport", "HealthModel", "SyntheticExportGenerator", grdb],
            exclude: ["Fixtures"], swiftSettings: settings),
        .testTarget(
            name: "TrainingTests", dependencies: ["Training", "HealthModel", "Basics", "TestSupport"],
            exclude: ["Data"],
            swiftSettings: settings),
        .testTarget(name: "RepositoryTests", swiftSettings: settings),
        .testTarget(
            name: "ReportingTests", dependencies: ["Questions", "Reporting", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "CommandsTests", dependencies: ["Commands", "Basics", arguments],
            swiftSettings: settings),
        .testTarget(name: "PresentationTests", dependencies: ["Presentation"], swiftSettings: settings),
        .testTarget(
            name: "WebTests",
            dependencies: [
                "Web", "Caching", "Presentation", "Store", "TestSupport", grdb, sqlite,
            ],
            swiftSettings: settings),
        .testTarget(name: "ModelTests", dependencies: ["TestSupport", grdb], swiftSettings: settings),
        .testTarget(
            name: "SyntheticExportGeneratorTests", dependencies: ["SyntheticExportGenerator"], swiftSettings: settings),

        // Synthetic exports with ground truth.
        .target(
            name: "SyntheticExportGenerator", dependencies: ["Czlib"], path: "Tools/SyntheticExportGenerator",
            resources: ["version-3", "version-8", "version-14"].map { .embedInCode("DocumentTypes/\($0).dtd") },
            swiftSettings: optimised),
        .executableTarget(
            name: "synthetic-exports", dependencies: ["SyntheticExportGenerator", arguments],
            path: "Tools/synthetic-exports", swiftSettings: settings),
    ]
)

// What is not memory-safe is marked `unsafe`, and only in files named so; tests and benchmarks call C as they like.
for target in package.targets where target.type != .test {
    let folder = target.path ?? ""
    if folder.hasPrefix("Tests") || folder.hasPrefix("Benchmarks") { continue }
    target.swiftSettings?.append(.strictMemorySafety())
}

// libFuzzer brings its own loop, so this exists only for `scripts/fuzz`.
if Context.environment["HEALTHPROBE_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "healthprobe-fuzz", dependencies: ["FuzzTargets", "Basics"], path: "Fuzzing/Harness",
            swiftSettings: settings))
}
