internal import Foundation

/// JSON in which results of the analysis are stored, in the archive and in the cache: with sorted keys, and with words for
/// numbers that are not finite, such as a sum beyond the largest number.
package enum StoredText {
    private static let words = (infinity: "inf", negative: "-inf", nan: "nan")

    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: words.infinity, negativeInfinity: words.negative, nan: words.nan)
        return encoder
    }()

    private static let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: words.infinity, negativeInfinity: words.negative, nan: words.nan)
        return decoder
    }()

    /// Writes a value.
    package static func encode(_ value: some Encodable) throws -> String {
        String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// Reads a value; nil where the text is of another form.
    package static func decode<Value: Decodable>(_ type: Value.Type, _ text: String) -> Value? {
        try? decoder.decode(type, from: Data(text.utf8))
    }
}
