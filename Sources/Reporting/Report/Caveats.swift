/// What every report must say about its own limits, shortly.
enum Caveats {
    static let all = [
        "A record that is no longer visible need not be gone from the phone: removal by a person, removal of an app and its "
            + "data, condensing, permissions, synchronisation between devices and an incomplete export all look alike in the files.",
        "Exports carry no sample UUIDs. Identity is inferred from type, dates, value and unit; equal records are distinguished "
            + "only by their number.",
        "Printed offsets are those of the phone that exported, not of the place where something was recorded.",
        "Units and some values are printed as the phone was set at the time of the export.",
        "Steps and distances differ in accuracy: in tests of iPhones (van Zandwijk and Boztas, DFRWS EU 2019) steps were off by "
            + "about 2 %, distances by up to 30 to 40 %, depending on speed, gait and where the phone was carried. That two "
            + "types agree proves nothing about either.",
        "Source and device texts are what the source said of itself.",
        "Repairs made while reading, quarantined items, bytes that were not parsed, the export's format version and the hash of "
            + "its document type are listed below; what was not read is not compared.",
        "Consolidation without the condenser's identifier is likely, never certain.",
    ]
}
