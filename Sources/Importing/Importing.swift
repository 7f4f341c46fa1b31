/// Joins reader and archive: one import job with its progress, and the order of several exports.
package enum Importing {}
