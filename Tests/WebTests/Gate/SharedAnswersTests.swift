import Foundation
import Synchronization
import Testing
import TestSupport
import Web

/// Answers are made once while nothing changes; those that are not there in time are computed while their reader asks again.
@Suite("Shared answers", .enabled(if: BuiltProgram.isExpected))
struct SharedAnswersTests {
    /// A lane of which the test decides when it works, with one thread.
    private final class SlowLane: Sendable {
        private final class Counter: Sendable {
            let count = Mutex(0)
        }

        private let waiting = Mutex<[SharedAnswers.Work]>([])
        private let asked = Counter()
        private let site: Site

        init(_ archive: WebArchive) {
            let environment = ["HOME": archive.sandbox.folder, "XDG_DATA_HOME": archive.sandbox.path("data")]
            site = Site(environment: environment, settingsFile: SettingsFile(environment)) {
                [asked, reader = archive.reader] in
                asked.count.withLock { $0 += 1 }
                return reader
            }
        }

        var count: Int { waiting.withLock { $0.count } }

        func add(_ work: @escaping SharedAnswers.Work) -> Bool {
            waiting.withLock { $0.append(work) }
            return true
        }

        /// Does what waits, and says how often that asked for the archive.
        @discardableResult
        func work() -> Int {
            let before = asked.count.withLock { $0 }
            work(on: site)
            return asked.count.withLock { $0 } - before
        }

        func work(on site: Site) {
            while let work = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { work(site, Deadline()) }
        }
    }

    private let archive: WebArchive
    private let lane: SlowLane
    private let answers: SharedAnswers

    init() throws {
        archive = try WebArchive("unit-switch")
        lane = SlowLane(archive)
        answers = SharedAnswers(jobs: archive.jobs, patience: .milliseconds(300))
    }

    private func ask(_ request: Request) async throws -> WebArchive.Reply {
        try WebArchive.Reply(await answers.answer(request) { [lane] in lane.add($1) })
    }

    /// Asks, and lets the lane work at once.
    private func askQuickly(_ request: Request, on lanes: [Lane] = Lane.allCases) async throws -> (
        reply: WebArchive.Reply, asked: Int
    ) {
        let answer = Task { [answers, lane] in await answers.answer(request) { lanes.contains($0) && lane.add($1) } }
        var asked = 0
        while lane.count == 0 { await Task.yield() }
        while lane.count > 0 { asked += lane.work() }
        return (try WebArchive.Reply(await answer.value), asked)
    }

    @Test(arguments: ["/timeline.json", "/timeline", "/show.json", "/health/log.json"])
    func theNextRequestFindsTheAnswer(path: String) async throws {
        let request = Request(.get, path)
        let pending = try await ask(request)
        let status = path.hasSuffix(".json") ? 202 : 200
        #expect(pending.status == status && pending["retry-after"] == "1")
        if path.hasSuffix(".json") {
            let value = try JSONSerialization.jsonObject(with: Data(pending.bytes))
            #expect(try JSONSchema("web-pending").complaints(value) == [])
        } else {
            #expect(pending["refresh"] == "2")
            try PageCheck.wellFormed(pending.text, archive.sandbox, path)
            PageCheck.words(pending.text, path)
        }
        // Asked again while it is computed, and computed once for both.
        let again = try await ask(request)
        #expect(again.status == status && again["retry-after"] == "1" && lane.count == 1)
        let cost = lane.work()
        let (reply, asked) = try await askQuickly(request)
        let expected = try archive.get(path).text
        #expect(reply.status == 200 && reply.text == expected)
        // Only the state of the archive is looked at.
        #expect(asked < cost)
        answers.forget()
        let anew = try await askQuickly(request)
        // A form changes nothing that follows from the archive's state and the settings.
        #expect(anew.asked == (path == "/health/log.json" ? cost : asked))
    }

    /// What somebody waits for is a job, and its page ends it.
    @Test func whatTakesLongIsAJobThatCanBeCancelled() async throws {
        let request = Request(.get, "/types.json")
        #expect(try await ask(request).status == 202)
        let job = try #require(archive.jobs.all.first)
        #expect(job.kind == .answer && job.state == .running)
        #expect(try archive.get("/jobs/\(job.id)").text.contains("href=\"/types.json\""))
        let site = Site(environment: [:], isReadOnly: true, jobs: archive.jobs) { [reader = archive.reader] in reader }
        #expect(site.answer(Request(.post, "/jobs/\(job.id)/cancel")).status == 303)
        lane.work()
        #expect(archive.jobs.job(job.id)?.state == .cancelled)
        let again = try await askQuickly(request).reply
        #expect(again.status == 200)
    }

    /// A script that saves a file sees by the status that it has none yet.
    @Test(arguments: ["html", "md"])
    func aFileThatIsComputedIsNotThere(form: String) async throws {
        let request = Request(.get, "/report.\(form)", [.init("from", "1"), .init("to", "2")])
        let pending = try await ask(request)
        #expect(pending.status == 202 && pending["refresh"] == "2" && pending["content-disposition"] == nil)
        _ = lane.work()
        let file = try await askQuickly(request).reply
        #expect(file.status == 200 && file["content-disposition"] == "attachment; filename=\"report-1-2.\(form)\"")
    }

    /// What waits looks as the person set pages.
    @Test func aPageThatIsComputedLooksAsOthers() async throws {
        #expect(archive.post("/settings", [.init("display.theme", "dark")]).status == 303)
        _ = try await askQuickly(Request(.get, "/timeline"))
        let pending = try await ask(Request(.get, "/types"))
        #expect(pending["refresh"] == "2" && pending.text.contains("data-theme=\"dark\""))
    }

    /// Of neighbours the import has stored the counts.
    @Test(arguments: [false, true])
    func aComparisonOfNeighboursHasItsCountsAtOnce(isThrough: Bool) async throws {
        let through: [Request.Parameter] = isThrough ? [.init("through", "1")] : []
        let request = Request(.get, "/diff", [.init("from", "1"), .init("to", "2")] + through)
        let answer = await answers.answer(request) { [site = archive.site, lane] place, work in
            guard place == .page else { return lane.add(work) }
            work(site, Deadline())
            return true
        }
        let pending = try WebArchive.Reply(answer)
        let whole = try archive.get("/diff?from=1&to=2").text
        let counts = try #require(whole.firstMatch(of: /[^>]* changed representation[^<]*/)).output
        #expect(pending.status == 200 && pending["refresh"] == "2")
        #expect(pending.text.contains(counts) != isThrough)
        try PageCheck.wellFormed(pending.text, archive.sandbox, "/diff")
    }

    @Test(arguments: ["/", "/timeline.json", "/show", "/metrics.json", "/exports"])
    func answersOfAChainAreKept(path: String) async throws {
        let request = Request(.get, path, path == "/show" ? [.init("at", "1")] : [])
        let first = try await askQuickly(request)
        let second = try await askQuickly(request)
        #expect(first.reply.status == 200 && first.reply.text == second.reply.text)
        #expect(second.asked < first.asked)
    }

    @Test(arguments: ["/health.json", "/health/log.json", "/show"])
    func whatMayChangeOrLeadsElsewhereIsNotKept(path: String) async throws {
        let first = try await askQuickly(Request(.get, path))
        let second = try await askQuickly(Request(.get, path))
        #expect(first.reply.status == second.reply.status)
        #expect(first.asked == second.asked)
    }

    @Test(arguments: [("athlete.json", #"{"sex":"female"}"#), ("settings.json", #"{"display.units":"imperial"}"#)])
    func anAnswerOfOtherSettingsIsMadeAnew(name: String, text: String) async throws {
        let request = Request(.get, "/metrics.json")
        let first = try await askQuickly(request)
        let folder = archive.sandbox.path(".config/healthprobe")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        #expect(try await askQuickly(request).asked >= first.asked)
    }

    @Test func anAnswerWithoutTheKeyIsMadeAnew() async throws {
        let request = Request(.get, "/timeline.json")
        let first = try await askQuickly(request)
        #expect(try await askQuickly(request).asked < first.asked)
        try FileManager.default.removeItem(atPath: archive.sandbox.path("data/healthprobe/keys"))
        #expect(try await askQuickly(request).asked == first.asked)
    }

    @Test func whatIsKeptDoesNotWaitBehindLongAnswers() async throws {
        let request = Request(.get, "/sources.json")
        let first = try await askQuickly(request).reply
        let again = try await askQuickly(request, on: [.page]).reply
        #expect(first.status == 200 && again.text == first.text)
    }

    @Test func anAnswerOfAnEarlierStateIsMadeAnew() async throws {
        let request = Request(.get, "/timeline.json")
        let pending = try await ask(request)
        #expect(pending.status == 202)
        lane.work()
        let kept = try await askQuickly(request).reply
        let exports = TestSupport.repository.appendingPathComponent("SyntheticExports/first-and-unchanged/exports").path
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: exports).sorted().first)
        try archive.sandbox.run("import", "\(exports)/\(name)", "--chain", "other").expecting(0)
        let fresh = try await askQuickly(request)
        #expect(fresh.reply.status == 200 && fresh.reply.text == kept.text && fresh.asked > 1)
    }

    @Test func whoWaitsForAnArchiveThatCannotBeReadIsAnswered() async throws {
        let request = Request(.get, "/timeline.json")
        let kept = try await askQuickly(Request(.get, "/sources.json"))
        let asked = Mutex(0)
        let locked = Site(environment: [:]) {
            asked.withLock { $0 += 1 }
            throw WebError(.archiveInUse)
        }
        #expect(try await ask(request).status == 202)
        lane.work(on: locked)
        let cost = asked.withLock { $0 }
        let answer = Task { [answers, lane] in await answers.answer(request) { lane.add($1) } }
        while lane.count == 0 { await Task.yield() }
        lane.work(on: locked)
        #expect(await answer.value.status == 409)
        #expect(asked.withLock { $0 } - cost < cost)
        // When it can be read again, it is, and what was kept before is still right.
        #expect(try await askQuickly(request).reply.status == 200)
        #expect(try await askQuickly(Request(.get, "/sources.json")).asked < kept.asked)
    }

    @Test func anAnswerOfAnEditedArchiveIsMadeAnew() async throws {
        let request = Request(.get, "/timeline.json")
        let before = try await askQuickly(request).reply.text
        guard try archive.damage() else { return }
        let after = try await askQuickly(request).reply.text
        let fresh = try archive.get("/timeline.json").text
        #expect(before != after && after == fresh)
    }

    @Test func aPageThatTakesTooLongGoesOnAmongTheLongOnes() async throws {
        let slow = Site(environment: [:]) { throw WebError(.internal) }
        let answer = Task { [answers, lane] in
            await answers.answer(Request(.get, "/timeline.json")) { place, work in
                guard place == .page else { return lane.add(work) }
                work(slow, .over)
                return true
            }
        }
        while lane.count == 0 { await Task.yield() }
        lane.work()
        let reply = try WebArchive.Reply(await answer.value)
        let expected = try archive.get("/timeline.json").text
        #expect(reply.status == 200 && reply.text == expected)
    }

    @Test(arguments: [[], [Lane.page]])
    func whatAFullLaneDoesNotTakeIsBegunWhenItIsAskedForAgain(lanes: [Lane]) async throws {
        let slow = Site(environment: [:]) { throw WebError(.internal) }
        let full = await answers.answer(Request(.get, "/timeline")) { lane, work in
            if lanes.contains(lane) { work(slow, .over) }
            return lanes.contains(lane)
        }
        #expect(full.status == 200 && full.header("retry-after") == "1")
        // Nothing is left of it.
        let next = try await askQuickly(Request(.get, "/timeline"))
        #expect(next.reply.status == 200)
    }
}

extension Deadline {
    /// One that is over.
    fileprivate static var over: Deadline {
        let deadline = Deadline()
        deadline.start(.zero)
        return deadline
    }
}
