/* Sets of grams, and what texts have in common. */
#include "native.h"

uint64_t slot_multiplier = 1; /* another one in each process: see add_gram_set */

static int
are_among(const int64_t *chosen, Py_ssize_t count, Py_ssize_t rows)
{
    for (Py_ssize_t i = 0; i < count; i++)
        if (chosen[i] < 0 || chosen[i] >= rows)
            return 0;
    return 1;
}

typedef struct {
    PyObject_HEAD
    uint64_t *values;
    uint32_t *marks; /* 0: nothing here; else the number of the row that had the value last */
    int shift;
    uint32_t mark;
    Py_ssize_t count;
} GramSet;

static inline size_t
slot_of(const GramSet *set, uint64_t value)
{
    return (size_t)((value * slot_multiplier) >> set->shift);
}

/* The slot of a value, or the free one where it would be. */
static inline size_t
slot_with(const GramSet *set, uint64_t value)
{
    size_t last = ((size_t)1 << (64 - set->shift)) - 1, slot = slot_of(set, value);
    while (set->marks[slot] && set->values[slot] != value)
        slot = (slot + 1) & last;
    return slot;
}

static PyObject *
gram_set_new(PyTypeObject *type, PyObject *args, PyObject *named)
{
    static char *names[] = {"values", NULL};
    Py_buffer values;
    if (!PyArg_ParseTupleAndKeywords(args, named, "y*", names, &values))
        return NULL;
    int bits = 4;
    while (bits < 60 && ((Py_ssize_t)1 << bits) < 2 * COUNT(values))
        bits++;
    size_t slots = (size_t)1 << bits;
    GramSet *self = (GramSet *)PyType_GenericAlloc(type, 0);
    if (self != NULL) {
        self->values = PyMem_Malloc(slots * sizeof(uint64_t));
        self->marks = PyMem_Calloc(slots, sizeof(uint32_t));
        self->shift = 64 - bits;
        self->mark = 1;
        if (self->values == NULL || self->marks == NULL) {
            Py_CLEAR(self);
            PyErr_NoMemory();
        }
    }
    for (Py_ssize_t i = 0; self != NULL && i < COUNT(values); i++) {
        size_t slot = slot_with(self, NUMBERS(values)[i]);
        if (!self->marks[slot]) {
            self->values[slot] = NUMBERS(values)[i];
            self->marks[slot] = 1;
            self->count++;
        }
    }
    PyBuffer_Release(&values);
    return (PyObject *)self;
}

static void
gram_set_dealloc(GramSet *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyMem_Free(self->values);
    PyMem_Free(self->marks);
    type->tp_free(self);
    Py_DECREF(type);
}

static Py_ssize_t
gram_set_length(GramSet *self)
{
    return self->count;
}

static uint32_t
next_mark(GramSet *self)
{
    if (++self->mark == 0) { /* after four billion rows */
        for (size_t i = 0; i < (size_t)1 << (64 - self->shift); i++)
            self->marks[i] = self->marks[i] != 0;
        self->mark = 2;
    }
    return self->mark;
}

static PyObject *
gram_set_common(GramSet *self, PyObject *args)
{
    Py_buffer b[4]; /* values, bounds, chosen rows, out */
    if (!PyArg_ParseTuple(args, "y*y*y*w*", &b[0], &b[1], &b[2], &b[3]))
        return NULL;
    Py_ssize_t rows = COUNT(b[1]) - 1;
    if (!are_rows(PLACES(b[1]), rows, COUNT(b[0])) || COUNT(b[2]) != COUNT(b[3]) ||
        !are_among(PLACES(b[2]), COUNT(b[2]), rows) || !is_apart(b, 4))
        return refused(b, 4, "common");
    int64_t *out = b[3].buf;
    for (Py_ssize_t i = 0; i < COUNT(b[2]); i++) {
        Py_ssize_t row = PLACES(b[2])[i];
        uint32_t mark = next_mark(self);
        int64_t found = 0;
        for (int64_t at = PLACES(b[1])[row]; at < PLACES(b[1])[row + 1]; at++) {
            size_t slot = slot_with(self, NUMBERS(b[0])[at]);
            if (self->marks[slot] && self->marks[slot] != mark) {
                self->marks[slot] = mark;
                found++;
            }
        }
        out[i] = found;
    }
    release(b, 4);
    Py_RETURN_NONE;
}

static PyObject *
gram_set_places(GramSet *self, PyObject *args)
{
    Py_buffer b[2]; /* values, out */
    if (!PyArg_ParseTuple(args, "y*w*", &b[0], &b[1]))
        return NULL;
    if (COUNT(b[1]) < COUNT(b[0]) || !is_apart(b, 2))
        return refused(b, 2, "places");
    int64_t *out = b[1].buf;
    Py_ssize_t found = 0;
    for (Py_ssize_t i = 0; i < COUNT(b[0]); i++)
        if (self->marks[slot_with(self, NUMBERS(b[0])[i])])
            out[found++] = i;
    release(b, 2);
    return PyLong_FromSsize_t(found);
}

static PyMethodDef gram_set_methods[] = {
    {"common", (PyCFunction)gram_set_common, METH_VARARGS, NULL},
    {"places", (PyCFunction)gram_set_places, METH_VARARGS, NULL},
    {NULL},
};

static PyType_Slot gram_set_slots[] = {
    {Py_tp_new, gram_set_new},
    {Py_tp_dealloc, gram_set_dealloc},
    {Py_tp_methods, gram_set_methods},
    {Py_sq_length, gram_set_length},
    {0, NULL},
};

static PyType_Spec gram_set_spec = {
    .name = "indexer.text.native.GramSet",
    .basicsize = sizeof(GramSet),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = gram_set_slots,
};

enum { MOST_BITS = 13 };

static PyObject *
common_in_bags(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer b[5]; /* wanted, values, bounds, chosen rows, out */
    int bits;
    if (!PyArg_ParseTuple(args, "y*y*y*y*iw*", &b[0], &b[1], &b[2], &b[3], &bits, &b[4]))
        return NULL;
    Py_ssize_t rows = COUNT(b[2]) - 1;
    if (bits < 0 || bits > MOST_BITS || COUNT(b[0]) > INT32_MAX ||
        !are_rows(PLACES(b[2]), rows, COUNT(b[1])) || COUNT(b[3]) != COUNT(b[4]) ||
        !are_among(PLACES(b[3]), COUNT(b[3]), rows) || !is_apart(b, 5))
        return refused(b, 5, "common_in_bags");
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
    release(b, 5);
    Py_RETURN_NONE;
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

PyMethodDef gram_functions[] = {
    {"common_in_bags", common_in_bags, METH_VARARGS, NULL},
    {"covered", covered, METH_VARARGS, NULL},
    {"covered_from", covered_from, METH_VARARGS, NULL},
    {"densest", densest, METH_VARARGS, NULL},
    {NULL},
};

int
add_gram_set(PyObject *module)
{
    PyObject *type = PyType_FromSpec(&gram_set_spec), *word = PyUnicode_FromString("grams");
    int status = -1;
    if (type != NULL && word != NULL) {
        slot_multiplier = mixed((uint64_t)PyObject_Hash(word)) | 1; /* hashes of strings are secret */
        status = PyModule_AddObjectRef(module, "GramSet", type);
    }
    Py_XDECREF(type);
    Py_XDECREF(word);
    return status;
}
