internal import Clibxml2
internal import Foundation

/// Validates an XML file against its own document type with libxml2, as `xmllint --valid` does.
package enum UnsafeValidation {
    /// Nil where the file is valid, else the first thing that libxml2 says.
    package static func complaint(_ path: String) -> String? {
        guard let context = xmlNewParserCtxt() else { return "no parser" }
        defer { xmlFreeParserCtxt(context) }
        let options =
            XML_PARSE_DTDVALID.rawValue | XML_PARSE_NONET.rawValue | XML_PARSE_HUGE.rawValue
            | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
        guard let document = xmlCtxtReadFile(context, path, nil, Int32(bitPattern: UInt32(options))) else {
            return message(context) ?? "not well-formed"
        }
        xmlFreeDoc(document)
        return context.pointee.wellFormed == 1 && context.pointee.valid == 1 ? nil : message(context) ?? "not valid"
    }

    /// Whether every prefix of an XML file's names is declared where it stands.
    package static func isNamespaceWellFormed(_ path: String) -> Bool {
        guard let context = xmlNewParserCtxt() else { return false }
        defer { xmlFreeParserCtxt(context) }
        let options = XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
        guard let document = xmlCtxtReadFile(context, path, nil, Int32(bitPattern: UInt32(options))) else {
            return false
        }
        xmlFreeDoc(document)
        return context.pointee.wellFormed == 1 && context.pointee.nsWellFormed == 1
    }

    private static func message(_ context: xmlParserCtxtPtr) -> String? {
        guard let error = xmlCtxtGetLastError(context), let text = error.pointee.message else { return nil }
        return String(cString: text)
    }
}
