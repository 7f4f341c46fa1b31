/// What leaves the archive: structured exports in BagIt bags with their manifests, and Health exports written again.
package enum Exporting {}
