// Companion: what an app beside HealthKit knows about workouts, and what follows from it.
//
// In reading order: the file of such an app with everything that is wrong in it (`File/`), the triggers of its
// scripts with their expressions (`Triggers/`), and what a script would have played in a workout (`Replay/`). Nothing here
// reads an archive.
