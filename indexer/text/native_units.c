/* The units that grams are made of: those in common, and where grams in common stand. */
#include "native.h"

enum { MOST_BITS = 13, LAST_CODE = 0x10FFFF };

/* Buffers of what is counted in bags: wanted, values, bounds, chosen rows, out. */
enum { BAGS = 5 };

/* Whether arguments are such buffers, and a number of low bits that tell values apart. */
static int
take_bags(PyObject *args, Py_buffer *b, int *bits, const char *function)
{
    if (!PyArg_ParseTuple(args, "y*y*y*y*iw*", &b[0], &b[1], &b[2], &b[3], bits, &b[4]))
        return 0;
    Py_ssize_t rows = COUNT(b[2]) - 1;
    if (*bits >= 0 && *bits <= MOST_BITS && COUNT(b[0]) <= INT32_MAX && COUNT(b[1]) <= INT32_MAX &&
        are_rows(PLACES(b[2]), rows, COUNT(b[1])) && COUNT(b[3]) == COUNT(b[4]) &&
        are_among(PLACES(b[3]), COUNT(b[3]), rows) && is_apart(b, BAGS))
        return 1;
    refused(b, BAGS, function);
    return 0;
}

static PyObject *
common_in_bags(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer b[BAGS];
    int bits;
    if (!take_bags(args, b, &bits, "common_in_bags"))
        return NULL;
    int32_t own[1 << MOST_BITS], left[1 << MOST_BITS];
    int64_t *out = b[4].buf;
    size_t size = sizeof(int32_t) << bits;
    uint64_t low = ((uint64_t)1 << bits) - 1;
    memset(own, 0, size);
    for (Py_ssize_t i = 0; i < COUNT(b[0]); i++)
        own[NUMBERS(b[0])[i] & low]++;
    for (Py_ssize_t i = 0; i < COUNT(b[3]); i++) {
        Py_ssize_t row = PLACES(b[3])[i];
        int64_t found = 0;
        memcpy(left, own, size);
        for (int64_t at = PLACES(b[2])[row]; at < PLACES(b[2])[row + 1]; at++) {
            int32_t *there = &left[NUMBERS(b[1])[at] & low];
            if (*there > 0) {
                --*there;
                found++;
            }
        }
        out[i] = found;
    }
    release(b, BAGS);
    Py_RETURN_NONE;
}

/* What a row has in common with two bags, of the best cut of it: the part before the cut with the
   first, the part behind it with the second. Both bags are as before when this returns. */
static int64_t
best_cut(const uint64_t *values, int64_t count, uint64_t low, int32_t *first, int32_t *second,
         int32_t *behind)
{
    behind[count] = 0;
    for (int64_t at = count; at-- > 0;) {
        int32_t *there = &second[values[at] & low];
        behind[at] = behind[at + 1] + (*there > 0);
        *there -= *there > 0;
    }
    int64_t before = 0, best = behind[0];
    for (int64_t at = 0; at < count; at++) {
        int32_t *there = &first[values[at] & low];
        second[values[at] & low] += behind[at] - behind[at + 1];
        behind[at] = *there > 0; /* not looked at again but to give it back */
        *there -= behind[at];
        before += behind[at];
        if (before + behind[at + 1] > best)
            best = before + behind[at + 1];
    }
    for (int64_t at = 0; at < count; at++)
        first[values[at] & low] += behind[at];
    return best;
}

static PyObject *
common_in_halves(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer b[BAGS];
    int bits;
    if (!take_bags(args, b, &bits, "common_in_halves"))
        return NULL;
    int32_t halves[2][1 << MOST_BITS];
    uint64_t low = ((uint64_t)1 << bits) - 1;
    size_t longest = (size_t)longest_of(PLACES(b[2]), COUNT(b[2]) - 1);
    int32_t *behind = PyMem_Malloc((longest + 1) * sizeof(int32_t));
    for (int half = 0; half < 2; half++)
        memset(halves[half], 0, sizeof(int32_t) << bits);
    for (Py_ssize_t i = 0; i < COUNT(b[0]); i++)
        halves[i >= COUNT(b[0]) / 2][NUMBERS(b[0])[i] & low]++;
    for (Py_ssize_t i = 0; behind != NULL && i < COUNT(b[3]); i++) {
        const int64_t *edges = PLACES(b[2]) + PLACES(b[3])[i];
        ((int64_t *)b[4].buf)[i] = best_cut(NUMBERS(b[1]) + edges[0], edges[1] - edges[0], low,
                                            halves[0], halves[1], behind);
    }
    int failed = behind == NULL;
    PyMem_Free(behind);
    release(b, BAGS);
    if (failed)
        return PyErr_NoMemory();
    Py_RETURN_NONE;
}

static PyObject *
as_string(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer b[1]; /* units */
    unsigned int limit, instead;
    if (!PyArg_ParseTuple(args, "y*II", &b[0], &limit, &instead))
        return NULL;
    Py_ssize_t count = COUNT(b[0]), done = 0;
    if (limit > LAST_CODE + 1 || instead > limit)
        return refused(b, 1, "as_string");
    uint32_t *codes = PyMem_Malloc((size_t)count * sizeof(uint32_t));
    for (; codes != NULL && done < count; done++) {
        uint64_t unit = NUMBERS(b[0])[done], code = unit < limit ? unit : unit - limit + instead;
        if (code >= limit || (unit < limit && unit >= instead))
            break;
        codes[done] = (uint32_t)code;
    }
    PyObject *out = codes == NULL ? PyErr_NoMemory() : NULL;
    if (codes != NULL && done == count)
        out = PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, codes, count);
    else if (codes != NULL)
        out = Py_NewRef(Py_None);
    PyMem_Free(codes);
    release(b, 1);
    return out;
}

static PyObject *
covered(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer starts;
    long long width, units = 0, pieces = 0, longest = 0, run = 0;
    if (!PyArg_ParseTuple(args, "y*L", &starts, &width))
        return NULL;
    const int64_t *at = PLACES(starts);
    for (Py_ssize_t i = 0; i < COUNT(starts); i++) {
        int64_t step = i ? at[i] - at[i - 1] : width;
        units += step < width ? step : width;
        run = i && step == 1 ? run + 1 : 1;
        pieces += run == 1;
        longest = run > longest ? run : longest;
    }
    PyBuffer_Release(&starts);
    return Py_BuildValue("LLL", units, pieces, longest ? longest + width - 1 : 0);
}

static PyObject *
covered_from(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer b[2]; /* starts, units */
    long long width;
    unsigned long long least;
    if (!PyArg_ParseTuple(args, "y*Ly*K", &b[0], &width, &b[1], &least))
        return NULL;
    int64_t found = 0, done = 0, count = COUNT(b[1]);
    for (Py_ssize_t i = 0; i < COUNT(b[0]); i++) {
        int64_t at = PLACES(b[0])[i], stop = at + width < count ? at + width : count;
        for (at = at > done ? at : done; at < stop; at++)
            found += NUMBERS(b[1])[at] >= least;
        done = stop > done ? stop : done;
    }
    release(b, 2);
    return PyLong_FromLongLong(found);
}

static PyObject *
densest(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer starts;
    long long gap;
    Py_ssize_t begin = 0, best = 0, size = 0;
    if (!PyArg_ParseTuple(args, "y*L", &starts, &gap))
        return NULL;
    const int64_t *at = PLACES(starts);
    for (Py_ssize_t i = 0; i < COUNT(starts); i++) {
        if (i && at[i] - at[i - 1] > gap)
            begin = i;
        if (i - begin + 1 > size) {
            size = i - begin + 1;
            best = begin;
        }
    }
    PyObject *out = Py_BuildValue("nn", best, best + size);
    PyBuffer_Release(&starts);
    return out;
}

PyMethodDef unit_functions[] = {
    {"as_string", as_string, METH_VARARGS, NULL},
    {"common_in_bags", common_in_bags, METH_VARARGS, NULL},
    {"common_in_halves", common_in_halves, METH_VARARGS, NULL},
    {"covered", covered, METH_VARARGS, NULL},
    {"covered_from", covered_from, METH_VARARGS, NULL},
    {"densest", densest, METH_VARARGS, NULL},
    {NULL},
};
