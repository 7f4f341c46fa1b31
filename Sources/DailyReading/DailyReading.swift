/// From the archive to the arrays that days are computed from, and the answer of `metrics`.
///
/// `DailyAnswer` is the way in. `DailyInputReader` reads each type once, in the order of its records; no formula is here.
package enum DailyReading {}
