/* The smallest hashes of a text: of its chunks, of its windows, and of its letters in any order. */
#include "native.h"
#include <stdlib.h>

static int
by_value(const void *left, const void *right)
{
    uint64_t one = *(const uint64_t *)left, other = *(const uint64_t *)right;
    return (one > other) - (one < other);
}

/* Distinct values, ascending, in their place; how many. */
static Py_ssize_t
distinct(uint64_t *values, Py_ssize_t count)
{
    Py_ssize_t kept = count > 0;
    qsort(values, (size_t)count, sizeof(uint64_t), by_value);
    for (Py_ssize_t i = 1; i < count; i++)
        if (values[i] != values[kept - 1])
            values[kept++] = values[i];
    return kept;
}

/* Values among which are the smallest `most`; there is room for twice as many. */
typedef struct {
    uint64_t *values, limit;
    Py_ssize_t count, most;
} Smallest;

static inline void
clear(Smallest *set)
{
    set->count = 0;
    set->limit = UINT64_MAX;
}

/* The smallest `most` distinct values, ascending; how many. */
static Py_ssize_t
settle(Smallest *set)
{
    set->count = distinct(set->values, set->count);
    if (set->count >= set->most) {
        set->count = set->most;
        set->limit = set->most ? set->values[set->most - 1] : 0;
    }
    return set->count;
}

static inline void
offer(Smallest *set, uint64_t value)
{
    if (value > set->limit || !set->most)
        return;
    set->values[set->count++] = value;
    if (set->count == 2 * set->most)
        settle(set);
}

/* ---- passages ---- */

typedef struct {
    Py_ssize_t chunk, keep, widest, narrowest, parts;
} Sampling;

/* count / chunk, rounded to the nearest number, halves to an even one; at least one. */
static Py_ssize_t
chunks_of(Py_ssize_t count, Py_ssize_t chunk)
{
    Py_ssize_t whole = count / chunk, rest = count % chunk;
    whole += 2 * rest > chunk || (2 * rest == chunk && whole % 2);
    return whole ? whole : 1;
}

/* The smallest value of every run of `width` values, where it is another than that of the run before
   or stands elsewhere; how many. `queue`: places of values that are smaller than all after them. */
static Py_ssize_t
window_minima(const uint64_t *values, Py_ssize_t count, Py_ssize_t width, int64_t *queue,
              uint64_t *out)
{
    Py_ssize_t found = 0, first = 0, last = 0, before = -1;
    if (width > count)
        width = count;
    for (Py_ssize_t i = 0; i < count; i++) {
        while (last > first && values[queue[last - 1]] >= values[i])
            last--;
        queue[last++] = i;
        if (queue[first] + width <= i)
            first++;
        if (i + 1 < width || queue[first] == before)
            continue;
        before = queue[first];
        out[found++] = values[before];
    }
    return found;
}

static Py_ssize_t
passages_of(const uint64_t *values, Py_ssize_t count, const Sampling *how, uint64_t *scratch,
            uint64_t *out)
{
    Py_ssize_t chunks = chunks_of(count, how->chunk), found = 0;
    for (Py_ssize_t i = 0; i < chunks; i++) {
        Smallest set = {.values = scratch, .most = how->keep};
        clear(&set);
        for (Py_ssize_t at = count * i / chunks; at < count * (i + 1) / chunks; at++)
            offer(&set, values[at]);
        memcpy(out + found, scratch, (size_t)settle(&set) * sizeof(uint64_t));
        found += set.count;
    }
    if (!how->widest)
        return found;
    Py_ssize_t width = count / how->parts;
    width = width < how->narrowest ? how->narrowest : width;
    width = width < how->widest ? width : how->widest;
    found += window_minima(values, count, width, (int64_t *)scratch, out + found);
    return distinct(out, found);
}

/* For each row the smallest values of its chunks, and of its windows if these have a width. */
static PyObject *
passages(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer b[4]; /* values, bounds, out, bounds of out */
    Sampling how;
    if (!PyArg_ParseTuple(args, "y*y*(nnnnn)w*w*", &b[0], &b[1], &how.chunk, &how.keep, &how.widest,
                          &how.narrowest, &how.parts, &b[2], &b[3]))
        return NULL;
    Py_ssize_t rows = COUNT(b[1]) - 1, found = 0;
    if (!are_rows(PLACES(b[1]), rows, COUNT(b[0])) || COUNT(b[2]) < 2 * COUNT(b[0]) ||
        COUNT(b[3]) != rows + 1 || how.chunk < 1 || how.keep < 1 || how.widest < 0 ||
        how.narrowest < 1 || (how.widest && how.parts < 1) || !is_apart(b, 3) || !is_apart(b, 4))
        return refused(b, 4, "passages");
    /* no chunk has more values to keep than there are values at all */
    how.keep = how.keep < COUNT(b[0]) ? how.keep : COUNT(b[0]);
    uint64_t *scratch = PyMem_Malloc((2 * (size_t)COUNT(b[0]) + 1) * sizeof(uint64_t));
    int64_t *bounds = b[3].buf;
    bounds[0] = 0;
    for (Py_ssize_t row = 0; scratch != NULL && row < rows; row++) {
        Py_ssize_t start = PLACES(b[1])[row], count = PLACES(b[1])[row + 1] - start;
        found += passages_of(NUMBERS(b[0]) + start, count, &how, scratch,
                             (uint64_t *)b[2].buf + found);
        bounds[row + 1] = found;
    }
    PyMem_Free(scratch);
    release(b, 4);
    return scratch == NULL ? PyErr_NoMemory() : PyLong_FromSsize_t(found);
}

/* ---- letters in any order ---- */

static inline uint64_t
hash_of(uint64_t letter)
{
    return mixed(letter * BASE);
}

/* The smallest hashes of the windows of `width` letters in any order, of those that tell something
   where some do: in which at most half are thin. A text that is shorter is one window. */
static Py_ssize_t
loose_of(const uint64_t *letters, Py_ssize_t count, Py_ssize_t width, uint64_t salt, uint64_t thin,
         Smallest *telling, Smallest *all)
{
    Py_ssize_t size = width < count ? width : count, few = 0;
    uint64_t sum = 0;
    clear(telling);
    clear(all);
    for (Py_ssize_t i = 0; i < count; i++) {
        sum += hash_of(letters[i]);
        few += letters[i] < thin;
        if (i >= size) {
            sum -= hash_of(letters[i - size]);
            few -= letters[i - size] < thin;
        }
        if (i + 1 < size)
            continue;
        uint64_t value = mixed(mixed(sum) ^ salt);
        if (2 * few <= size)
            offer(telling, value);
        else if (!telling->count)
            offer(all, value);
    }
    return settle(telling->count ? telling : all);
}

/* How many windows a row keeps: fewer the longer it is, as `loose.kept` says. */
typedef struct {
    Py_ssize_t most, least, full;
} Keeping;

static Py_ssize_t
kept(const Keeping *how, Py_ssize_t count)
{
    uint64_t most = (uint64_t)how->most;
    uint64_t square = most * most * (uint64_t)how->full / (uint64_t)(count > 1 ? count : 1);
    Py_ssize_t keep = how->most;
    while (keep > how->least && (uint64_t)keep * (uint64_t)keep > square)
        keep--;
    return keep;
}

static int
are_windows(const Py_buffer *b, const Keeping *how)
{
    Py_ssize_t rows = COUNT(b[1]) - 1, ranges = COUNT(b[2]) / 3, room = COUNT(b[3]);
    if (!are_rows(PLACES(b[1]), rows, COUNT(b[0])) || COUNT(b[2]) != 3 * ranges ||
        COUNT(b[4]) != rows + 1 || how->most < 1 || how->most > UINT16_MAX || how->least < 0 ||
        how->full < 0 || how->full > INT32_MAX || (rows && ranges > room / rows / how->most) ||
        !is_apart(b, 4) || !is_apart(b, 5))
        return 0;
    for (Py_ssize_t i = 0; i < ranges; i++)
        if (PLACES(b[2])[3 * i] < 1)
            return 0;
    return 1;
}

/* For each row the smallest hashes of the windows of each width that its length asks for. */
static PyObject *
loose(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer b[5]; /* letters, bounds, ranges of three; out, bounds of out */
    Keeping how;
    unsigned long long seed, thin;
    if (!PyArg_ParseTuple(args, "y*y*y*(nnn)KKw*w*", &b[0], &b[1], &b[2], &how.most, &how.least,
                          &how.full, &seed, &thin, &b[3], &b[4]))
        return NULL;
    Py_ssize_t rows = COUNT(b[1]) - 1, ranges = COUNT(b[2]) / 3, found = 0;
    const int64_t *bounds = PLACES(b[1]), *range = PLACES(b[2]);
    if (!are_windows(b, &how))
        return refused(b, 5, "loose");
    uint64_t *scratch = PyMem_Malloc(4 * (size_t)how.most * sizeof(uint64_t)), *out = b[3].buf;
    int64_t *out_bounds = b[4].buf;
    out_bounds[0] = 0;
    for (Py_ssize_t row = 0; scratch != NULL && row < rows; row++) {
        Py_ssize_t count = bounds[row + 1] - bounds[row], keep = kept(&how, count);
        Smallest telling = {.values = scratch, .most = keep};
        Smallest all = {.values = scratch + 2 * how.most, .most = keep};
        for (Py_ssize_t i = 0; count && i < ranges; i++) {
            if (count < range[3 * i + 1] || count > range[3 * i + 2])
                continue;
            uint64_t salt = seed << 32 | (uint64_t)range[3 * i];
            Py_ssize_t size = loose_of(NUMBERS(b[0]) + bounds[row], count, range[3 * i], salt, thin,
                                       &telling, &all);
            memcpy(out + found, telling.count ? telling.values : all.values, (size_t)size * 8);
            found += size;
        }
        out_bounds[row + 1] = found;
    }
    PyMem_Free(scratch);
    release(b, 5);
    return scratch == NULL ? PyErr_NoMemory() : PyLong_FromSsize_t(found);
}

PyMethodDef sample_functions[] = {
    {"passages", passages, METH_VARARGS, NULL},
    {"loose", loose, METH_VARARGS, NULL},
    {NULL},
};
