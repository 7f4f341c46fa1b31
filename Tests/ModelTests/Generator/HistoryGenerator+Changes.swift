import TestSupport

extension HistoryGenerator {
    /// One source gets another name, everywhere or (a second source of the same name) in most places.
    mutating func renamed(_ items: [Element]) -> [Element] {
        let old = generator.source()
        let new = generator.random.pick(Domain.newNames, else: "Uhr")
        let isWhole = generator.random.chance(80)
        return items.map { item in
            guard isWhole || generator.random.chance(70) else { return item }
            return item.mapped { element in
                if element.text("sourceName") == old { element.attributes["sourceName"] = .text(new) }
            }
        }
    }

    /// One type is printed in another unit, everywhere or in most places.
    mutating func switchedUnits(_ items: [Element]) -> [Element] {
        let type = generator.random.pick([Domain.mass, Domain.energy], else: Domain.mass)
        let target = generator.random.pick(Domain.units[type] ?? [], else: "kg")
        let isWhole = generator.random.chance(80)
        return items.map { item in
            guard isWhole || generator.random.chance(70) else { return item }
            return item.mapped { element in
                guard element.name == "Record", element.text("type") == type, let unit = element.text("unit"),
                    let value = element.text("value").flatMap(Double.init),
                    let converted = UnitTable.convert(value, from: unit, to: target), unit != target
                else { return }
                element.attributes["unit"] = .text(target)
                element.attributes["value"] = .text(UnitTable.printed(converted))
            }
        }
    }

    /// A restored phone: creation dates move, for all items of some sources.
    mutating func restored(_ items: [Element]) -> [Element] {
        let source = generator.random.chance(50) ? generator.source() : nil
        let creation = generator.creation()
        return items.map { item in
            item.mapped { element in
                guard element.attributes["sourceName"] != nil, source == nil || element.text("sourceName") == source
                else { return }
                element.attributes["creationDate"] = creation.map { .instant($0) }
            }
        }
        .shuffled(using: &generator.random)
    }

    /// A new iOS version prints sleep differently; now and then an old one is back.
    mutating func respelledSleep(_ items: [Element]) -> [Element] {
        let valueTexts = ["HKCategoryValueSleepAnalysisAsleep", "HKCategoryValueSleepAnalysisAsleepUnspecified"]
        let isBackwards = generator.random.chance(20)
        let old = valueTexts[isBackwards ? 1 : 0]
        let new = valueTexts[isBackwards ? 0 : 1]
        return items.map { item in
            item.mapped { element in
                if element.text("value") == old { element.attributes["value"] = .text(new) }
            }
        }
    }

    /// Payload changes: one field of the item.
    mutating func retouched(_ item: Element) -> Element {
        guard item.attributes["sourceName"] != nil else { return item }
        var copy = item
        switch Int.random(in: 0..<5, using: &generator.random) {
        case 0: copy.attributes["sourceName"] = .text(generator.source())
        case 1: copy.attributes["sourceVersion"] = generator.random.pick(Domain.versions, else: nil).map { .text($0) }
        case 2: copy.attributes["device"] = generator.random.pick(Domain.devices, else: nil).map { .device($0) }
        case 3: copy.attributes["creationDate"] = generator.creationDate()
        default:
            let metadata = generator.random.pick(Domain.metadata, else: [:]).sorted { $0.key < $1.key }
            copy.children = copy.children.filter { $0.name != "MetadataEntry" }
            copy.children += metadata.map { .entry($0.key, $0.value) }
        }
        return copy
    }

    /// Its own app writes an item anew: the same identifiers, another value or another time.
    mutating func replaced(_ item: Element) -> Element {
        guard item.name == "Record" else { return rescheduled(item) }
        let other = generator.record()
        guard other.text("type") == item.text("type") else { return rescheduled(item) }
        var copy = item
        copy.attributes["value"] = other.attributes["value"]
        copy.attributes["unit"] = other.attributes["unit"]
        return copy
    }

    /// An item moves in time and keeps everything else.
    mutating func rescheduled(_ item: Element) -> Element {
        guard let start = item.instant("startDate"), let end = item.instant("endDate") else { return item }
        let moved = generator.random.pick(Domain.instants, else: start)
        var copy = item
        copy.attributes["startDate"] = .instant(moved)
        copy.attributes["endDate"] = .instant(moved + (end - start))
        return copy
    }
}
