// Workouts: from the archive to the arrays that `Formulas/` computes with. No formula is here, and no SQL.
//
// In reading order: what a workout's row states (`FactsReader`), the workouts that an observation shows
// (`WorkoutIndex`, `WorkoutChoice`), the records that may belong to one (`CandidateReader`, `CandidateSweep`), its route
// (`RouteReader`), the athlete on its day (`AthleteReader`), and all of it together (`WorkoutReader`): of one workout
// (`WorkoutFinding`), at two observations (`WorkoutComparison`), of a page of them (`WorkoutList`), with the runs of an
// app (`RunLinks`, `CompanionReports`) and what their scripts play (`ReplayReading`, `ReplayReport`).
