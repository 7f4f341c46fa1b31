internal import GRDB

/// The rows about containers agree with the observations.
enum SourceInvariants {
    static let all = [
        InvariantCheck("E02-sourceMembers") { scope in
            try scope.firstViolations([
                (
                    "kept sources whose name is no hash of this observation",
                    """
                    SELECT s.import_id FROM import_sources s JOIN imports i ON i.id = s.import_id
                    WHERE (s.keep_source = 'copy') <> (s.kept_name IS NOT NULL) OR s.kept_name IS NOT NULL
                        AND s.kept_name NOT IN (
                            lower(hex(ifnull(i.source_sha256, x'00'))) || '.zip', lower(hex(ifnull(i.xml_sha256, x'00'))) || '.xml')
                    """
                ),
                (
                    "main members that are not the observation's XML",
                    """
                    SELECT m.import_id FROM source_members m JOIN imports i ON i.id = m.import_id
                    WHERE m.role = 'main' AND m.sha256 IS NOT i.xml_sha256
                    """
                ),
                (
                    "references without the main member",
                    """
                    SELECT s.import_id FROM import_sources s WHERE s.keep_source <> 'none' AND NOT EXISTS (
                        SELECT 1 FROM source_members m WHERE m.import_id = s.import_id AND m.role = 'main')
                    """
                ),
                (
                    "sources with members although none was to be kept",
                    """
                    SELECT s.import_id FROM import_sources s WHERE s.keep_source = 'none'
                        AND EXISTS (SELECT 1 FROM source_members m WHERE m.import_id = s.import_id)
                    """
                ),
            ])
        }
    ]
}
