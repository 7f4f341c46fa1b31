/// The name of the main XML, which follows the language of the phone.
enum MainFile {
    /// The name in the language of a locale such as `de_DE`.
    static func name(locale: String) -> String {
        switch locale {
        case "zh_CN": return "导出.xml"
        case "zh_TW": return "輸出.xml"
        default: break
        }
        switch locale.prefix(2) {
        case "de": return "Export.xml"
        case "fr": return "exporter.xml"
        case "es": return "exportar.xml"
        case "it": return "dati esportati.xml"
        case "nb", "pl": return "eksport.xml"
        case "fi": return "vienti.xml"
        case "ru": return "экспорт.xml"
        case "ja": return "書き出したデータ.xml"
        case "ko": return "내보내기.xml"
        default: return "export.xml"
        }
    }
}
