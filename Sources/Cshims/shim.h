/* What Swift cannot reach by itself: two searches and a rename that the C library's headers show only to GNU
   sources, the allocator's settings, functions of SQLite's with a variable argument list, and fork. */
#include <stddef.h>
void *memmem(const void *haystack, size_t haystack_length, const void *needle, size_t needle_length);
void *memrchr(const void *bytes, int byte, size_t length);

int mallopt(int parameter, int value);
static inline int keep_large_blocks(void) {
    return mallopt(-3 /* M_MMAP_THRESHOLD */, 32 << 20) && mallopt(-1 /* M_TRIM_THRESHOLD */, 24 << 20);
}

static inline int share_heaps(void) { return mallopt(-8 /* M_ARENA_MAX */, 2); }
int malloc_trim(size_t kept);

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned int flags);
static inline int rename_to_new_name(const char *from, const char *to) {
    return renameat2(-100 /* AT_FDCWD */, from, -100, to, 1 /* RENAME_NOREPLACE */);
}

struct sqlite3;
int sqlite3_config(int operation, ...);
static inline int sqlite_set_memory_statistics(int on) {
    return sqlite3_config(9 /* SQLITE_CONFIG_MEMSTATUS */, on);
}
int sqlite3_db_config(struct sqlite3 *db, int operation, ...);
static inline int sqlite_set_flag(void *db, int operation, int on) {
    return sqlite3_db_config((struct sqlite3 *)db, operation, on, (int *)0);
}

/* Starts a program that the system ends with the thread that started it. */
int fork(void);
int getpid(void);
int getppid(void);
int prctl(int option, ...);
int dup2(int from, int to);
int close_range(unsigned int first, unsigned int last, int flags);
int execvp(const char *file, char *const arguments[]);
void _exit(int status);
static inline int start_child(char *const arguments[], int input, int output, int errors) {
    int parent = getpid(), child = fork();
    if (child != 0) return child;
    prctl(1 /* PR_SET_PDEATHSIG */, 9 /* SIGKILL */);
    if (getppid() == parent && dup2(input, 0) >= 0 && dup2(output, 1) >= 0 && dup2(errors, 2) >= 0
        && close_range(3, ~0U, 0) == 0)
        execvp(arguments[0], arguments);
    _exit(127);
}
