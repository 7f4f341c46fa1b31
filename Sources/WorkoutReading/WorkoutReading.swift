// WorkoutReading: from the archive to the arrays that `HealthMetrics` computes with. No formula is here, and no SQL in `Metrics`.
