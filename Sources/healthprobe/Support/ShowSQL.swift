internal import ArgumentParser

/// `--show-sql`: the queries behind a command's numbers instead of the numbers.
struct ShowSQL: ParsableArguments {
    @Flag(help: "Print the SQL behind the numbers, for the sqlite3 shell, instead of them.")
    var showSql = false
}
