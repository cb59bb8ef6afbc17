// Preloaded into a program: counts, logs and fails its calls on files below one folder.
//
// Loaded with LD_PRELOAD. The environment names
//   FAULTS_FOLDER   the folder; other files are not affected
//   FAULTS_CONTROL  a file of six 64-bit numbers, shared with the controlling process (see `struct control`)
//   FAULTS_LOG      a file that gets a record of every change, in order; optional
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

struct control {
    int64_t left;   // the call that brings it from 1 to 0 fails; 0: none does
    int64_t error;  // with this errno
    int64_t calls;  // calls made
    int64_t failed; // calls failed on purpose
    int64_t room;   // bytes by which files may still grow; negative: any number
    int64_t refused; // calls failed because the disk is full
};

enum { CREATE = 1, WRITE, TRUNCATE, SYNC, RENAME, LINK, UNLINK, MKDIR };

static struct control *control;
static char folder[PATH_MAX];
static size_t folder_length;
static int log_file = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int (*real_open)(const char *, int, ...);
static int (*real_openat)(int, const char *, int, ...);
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off64_t);
static ssize_t (*real_pwritev)(int, const struct iovec *, int, off64_t);
static ssize_t (*real_pread)(int, void *, size_t, off64_t);
static int (*real_ftruncate)(int, off64_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_rename)(const char *, const char *);
static int (*real_linkat)(int, const char *, int, const char *, int);
static int (*real_unlink)(const char *);
static int (*real_mkdir)(const char *, mode_t);

// Other libraries may open files before this one is initialized.
__attribute__((constructor)) static void start(void) {
    if (real_mkdir) return;
    real_open = dlsym(RTLD_NEXT, "open64");
    real_openat = dlsym(RTLD_NEXT, "openat64");
    real_write = dlsym(RTLD_NEXT, "write");
    real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
    real_pwritev = dlsym(RTLD_NEXT, "pwritev64");
    real_pread = dlsym(RTLD_NEXT, "pread64");
    real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    real_rename = dlsym(RTLD_NEXT, "rename");
    real_linkat = dlsym(RTLD_NEXT, "linkat");
    real_unlink = dlsym(RTLD_NEXT, "unlink");
    real_mkdir = dlsym(RTLD_NEXT, "mkdir");
    const char *path = getenv("FAULTS_CONTROL"), *below = getenv("FAULTS_FOLDER"), *log = getenv("FAULTS_LOG");
    if (!path || !below) return;
    int file = real_open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return;
    void *shared = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (shared == MAP_FAILED) return;
    if (log) log_file = real_open(log, O_WRONLY | O_APPEND | O_CLOEXEC);
    strncpy(folder, below, sizeof folder - 1);
    folder_length = strlen(folder);
    control = shared;
}

static int is_below(const char *path) {
    return control && strncmp(path, folder, folder_length) == 0 && (path[folder_length] == '/' || !path[folder_length]);
}

// The path of an open file, if it is below the folder.
static int path_of(int file, char *path) {
    if (!control) return 0;
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return is_below(path);
}

// Counts a call; true if it has to fail. The lock is held.
static int fails(void) {
    control->calls++;
    if (control->left > 0 && --control->left == 0) {
        control->failed++;
        errno = (int)control->error;
        return 1;
    }
    return 0;
}

// Reserves space for a file to grow to `end`; true if there is none.
static int is_full(int file, int64_t end) {
    struct stat64 status;
    if (control->room < 0 || fstat64(file, &status) != 0 || end <= status.st_size) return 0;
    int64_t growth = end - status.st_size;
    if (growth > control->room) {
        control->refused++;
        errno = ENOSPC;
        return 1;
    }
    control->room -= growth;
    return 0;
}

static void give_back(const char *path) {
    struct stat64 status;
    if (control->room >= 0 && stat64(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 1)
        control->room += status.st_size;
}

// A log record: kind, lengths of path and data, offset; then the path below the folder and the data.
static void note(int kind, const char *path, int64_t offset, const void *data, size_t length) {
    if (log_file < 0) return;
    const char *inside = path + folder_length;
    struct { int32_t kind, path; int64_t offset, length; } head = {kind, (int32_t)strlen(inside), offset, (int64_t)length};
    size_t total = sizeof head + (size_t)head.path + length;
    char *record = malloc(total);
    if (!record) abort();
    memcpy(record, &head, sizeof head);
    memcpy(record + sizeof head, inside, (size_t)head.path);
    if (length) memcpy(record + sizeof head + head.path, data, length);
    for (size_t done = 0; done < total;) {
        ssize_t written = real_write(log_file, record + done, total - done);
        if (written < 0) abort();
        done += (size_t)written;
    }
    free(record);
}

static int open_below(int at, const char *path, int flags, mode_t mode) {
    start();
    if (!is_below(path) || !(flags & (O_WRONLY | O_RDWR | O_CREAT)))
        return at == AT_FDCWD ? real_open(path, flags, mode) : real_openat(at, path, flags, mode);
    pthread_mutex_lock(&lock);
    int file = -1;
    if (!fails()) {
        int is_new = access(path, F_OK) != 0;
        file = real_open(path, flags, mode);
        if (file >= 0 && is_new) note(CREATE, path, 0, NULL, 0);
        if (file >= 0 && !is_new && (flags & O_TRUNC)) note(TRUNCATE, path, 0, NULL, 0);
    }
    int error = errno;
    pthread_mutex_unlock(&lock);
    errno = error;
    return file;
}

#define MODE(flags)                                                                                                    \
    mode_t mode = 0;                                                                                                   \
    if ((flags) & (O_CREAT | O_TMPFILE)) {                                                                             \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        mode = va_arg(rest, mode_t);                                                                                   \
        va_end(rest);                                                                                                  \
    }

int open(const char *path, int flags, ...) { MODE(flags) return open_below(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return open_below(AT_FDCWD, path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { MODE(flags) return open_below(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE(flags) return open_below(at, path, flags, mode); }

// Wraps a call on an open file: `allowed` and `done` see `path`, and `result` is set between them.
#define ON_FILE(type, call, allowed, done)                                                                             \
    start();                                                                                                           \
    char path[PATH_MAX];                                                                                               \
    if (!path_of(file, path)) return call;                                                                             \
    pthread_mutex_lock(&lock);                                                                                         \
    type result = -1;                                                                                                  \
    if (!fails() && (allowed)) {                                                                                       \
        result = call;                                                                                                 \
        if (result >= 0) { done; }                                                                                     \
    }                                                                                                                  \
    int error = errno;                                                                                                 \
    pthread_mutex_unlock(&lock);                                                                                       \
    errno = error;                                                                                                     \
    return result;

ssize_t pwrite64(int file, const void *data, size_t length, off64_t offset) {
    ON_FILE(ssize_t, real_pwrite(file, data, length, offset), !is_full(file, offset + (int64_t)length),
            note(WRITE, path, offset, data, (size_t)result))
}
ssize_t pwrite(int file, const void *data, size_t length, off_t offset) { return pwrite64(file, data, length, offset); }
// The total size of a vectored write; the log has its parts one after the other.
static int64_t size_of(const struct iovec *parts, int count) {
    int64_t size = 0;
    for (int part = 0; part < count; part++) size += (int64_t)parts[part].iov_len;
    return size;
}
static void note_parts(const char *path, int64_t offset, const struct iovec *parts, int count, ssize_t written) {
    for (int part = 0; part < count && written > 0; part++) {
        size_t length = parts[part].iov_len < (size_t)written ? parts[part].iov_len : (size_t)written;
        note(WRITE, path, offset, parts[part].iov_base, length);
        offset += (int64_t)length;
        written -= (ssize_t)length;
    }
}
ssize_t pwritev64(int file, const struct iovec *parts, int count, off64_t offset) {
    ON_FILE(ssize_t, real_pwritev(file, parts, count, offset), !is_full(file, offset + size_of(parts, count)),
            note_parts(path, offset, parts, count, result))
}
ssize_t pwritev(int file, const struct iovec *parts, int count, off_t offset) {
    return pwritev64(file, parts, count, offset);
}
ssize_t write(int file, const void *data, size_t length) {
    off64_t offset = 0;
    ON_FILE(ssize_t, real_write(file, data, length),
            (offset = lseek64(file, 0, SEEK_CUR), !is_full(file, offset + (int64_t)length)),
            note(WRITE, path, offset, data, (size_t)result))
}
ssize_t pread64(int file, void *data, size_t length, off64_t offset) {
    ON_FILE(ssize_t, real_pread(file, data, length, offset), 1, (void)0)
}
ssize_t pread(int file, void *data, size_t length, off_t offset) { return pread64(file, data, length, offset); }
int ftruncate64(int file, off64_t length) {
    struct stat64 status = {0};
    ON_FILE(int, real_ftruncate(file, length), (fstat64(file, &status), !is_full(file, length)),
            if (control->room >= 0 && length < status.st_size) control->room += status.st_size - length;
            note(TRUNCATE, path, length, NULL, 0))
}
int ftruncate(int file, off_t length) { return ftruncate64(file, length); }
int fsync(int file) { ON_FILE(int, real_fsync(file), 1, note(SYNC, path, 0, NULL, 0)) }
int fdatasync(int file) { ON_FILE(int, real_fdatasync(file), 1, note(SYNC, path, 0, NULL, 0)) }

// Wraps a call on a path.
#define ON_PATH(path, call, before, done)                                                                              \
    start();                                                                                                           \
    if (!is_below(path)) return call;                                                                                  \
    pthread_mutex_lock(&lock);                                                                                         \
    int result = -1;                                                                                                   \
    if (!fails()) {                                                                                                    \
        before;                                                                                                        \
        result = call;                                                                                                 \
        if (result == 0) { done; }                                                                                     \
    }                                                                                                                  \
    int error = errno;                                                                                                 \
    pthread_mutex_unlock(&lock);                                                                                       \
    errno = error;                                                                                                     \
    return result;

int rename(const char *from, const char *to) {
    ON_PATH(from, real_rename(from, to), give_back(to), note(RENAME, from, 0, to + folder_length, strlen(to + folder_length)))
}
int linkat(int from_at, const char *from, int to_at, const char *to, int flags) {
    ON_PATH(from, real_linkat(from_at, from, to_at, to, flags), (void)0,
            note(LINK, from, 0, to + folder_length, strlen(to + folder_length)))
}
int link(const char *from, const char *to) { return linkat(AT_FDCWD, from, AT_FDCWD, to, 0); }
int unlink(const char *path) { ON_PATH(path, real_unlink(path), give_back(path), note(UNLINK, path, 0, NULL, 0)) }
int mkdir(const char *path, mode_t mode) { ON_PATH(path, real_mkdir(path, mode), (void)0, note(MKDIR, path, 0, NULL, 0)) }
