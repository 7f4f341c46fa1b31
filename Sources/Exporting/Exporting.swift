// Exporting: from an archive to files that can be verified without it.
//
// The folders in reading order: `Question/` has what is asked (`ExportQuestion`), the state that it is asked of
// (`ExportContext`), and what is chosen, counted and warned of; `Provenance/` decides what of names is printed; `Items/`
// and `HealthExport/` are the two forms, bags of canonical items and Health exports written again; `Output/` puts files
// in their places; `Verifying/` checks both forms against their own manifests. Nothing here knows SQL: the archive
// answers through a `Snapshot`.
