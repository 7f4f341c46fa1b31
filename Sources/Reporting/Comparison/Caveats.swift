/// What every report must say about its own limits, shortly.
enum Caveats {
    static let all = [
        "A record that a later export lacks was not necessarily deleted: deletion by a person, removal of an app and its data, "
            + "condensing, permissions, synchronisation between devices and an incomplete export all look alike in the files.",
        "Exports carry no sample UUIDs. Identity is inferred from type, dates, value and unit; identical twins are told apart "
            + "by their number only.",
        "Printed offsets are those of the phone that exported, not of the place where something was recorded.",
        "Units and some values are printed as the phone was set at the time of the export.",
        "Different types measure with different accuracy; agreement of two types proves nothing about either.",
        "Source and device texts are what the source said of itself.",
        "Repairs made while reading, quarantined items and the export's own format version are listed below; what was not read "
            + "is not compared.",
        "Consolidation without the condenser's identifier is likely, never certain.",
    ]
}
