/// The name of the main XML, which follows the language of the phone.
enum MainFile {
    private static let names = [
        "zh_CN": "导出.xml", "zh_TW": "輸出.xml", "de": "Export.xml", "fr": "exporter.xml", "es": "exportar.xml",
        "it": "dati esportati.xml", "nb": "eksport.xml", "pl": "eksport.xml", "fi": "vienti.xml", "ru": "экспорт.xml",
        "ja": "書き出したデータ.xml", "ko": "내보내기.xml",
    ]

    /// The name in the language of a locale such as `de_DE`.
    static func name(locale: String) -> String {
        names[locale] ?? names[String(locale.prefix(2))] ?? "export.xml"
    }
}
