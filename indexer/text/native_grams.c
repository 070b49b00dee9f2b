/* Sets of grams, and how many of them texts have in common. */
#include "native.h"

uint64_t slot_multiplier = 1; /* another one in each process: see add_gram_set */

typedef struct {
    uint64_t *values;
    uint32_t *marks; /* 0: nothing here; else the number of the row that had the value last */
    int bits;
} Slots;

typedef struct {
    PyObject_HEAD
    Slots slots;
    uint32_t mark;
    Py_ssize_t count;
} GramSet;

enum { MANY = 1 << 16 }; /* from so many values on memory counts */

/* Slots for so many values, all of them free: where most are, most look-ups end at the first. */
static int
take_slots(Slots *slots, Py_ssize_t values)
{
    int bits = bits_for((values < MANY ? 4 : 2) * values);
    slots->values = PyMem_Malloc(((size_t)1 << bits) * sizeof(uint64_t));
    slots->marks = PyMem_Calloc((size_t)1 << bits, sizeof(uint32_t));
    slots->bits = bits;
    if (slots->values != NULL && slots->marks != NULL)
        return 0;
    PyErr_NoMemory();
    return -1;
}

static void
release_slots(Slots *slots)
{
    PyMem_Free(slots->values);
    PyMem_Free(slots->marks);
}

static inline size_t
last_slot(const Slots *slots)
{
    return ((size_t)1 << slots->bits) - 1;
}

static inline size_t
slot_of(const Slots *slots, uint64_t value)
{
    return slot_for(value, slots->bits);
}

/* The slot of a value, or the free one where it would be. */
static inline size_t
slot_with(const Slots *slots, uint64_t value)
{
    size_t last = last_slot(slots), slot = slot_of(slots, value);
    while (slots->marks[slot] && slots->values[slot] != value)
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
    GramSet *self = (GramSet *)PyType_GenericAlloc(type, 0);
    if (self != NULL) {
        self->mark = 1;
        if (take_slots(&self->slots, COUNT(values)) < 0)
            Py_CLEAR(self);
    }
    for (Py_ssize_t i = 0; self != NULL && i < COUNT(values); i++) {
        size_t slot = slot_with(&self->slots, NUMBERS(values)[i]);
        if (!self->slots.marks[slot]) {
            self->slots.values[slot] = NUMBERS(values)[i];
            self->slots.marks[slot] = 1;
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
    release_slots(&self->slots);
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
        for (size_t i = 0; i <= last_slot(&self->slots); i++)
            self->slots.marks[i] = self->slots.marks[i] != 0;
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
    if (!are_rows(PLACES(b[1]), rows, COUNT(b[0])) || 2 * COUNT(b[2]) != COUNT(b[3]) ||
        !are_among(PLACES(b[2]), COUNT(b[2]), rows) || !is_apart(b, 4))
        return refused(b, 4, "common");
    int64_t *out = b[3].buf, *out_places = out + COUNT(b[2]);
    uint32_t *marks = self->slots.marks;
    for (Py_ssize_t i = 0; i < COUNT(b[2]); i++) {
        Py_ssize_t row = PLACES(b[2])[i];
        uint32_t mark = next_mark(self);
        int64_t found = 0, places = 0;
        for (int64_t at = PLACES(b[1])[row]; at < PLACES(b[1])[row + 1]; at++) {
            size_t slot = slot_with(&self->slots, NUMBERS(b[0])[at]);
            if (!marks[slot])
                continue;
            places++;
            if (marks[slot] != mark) {
                marks[slot] = mark;
                found++;
            }
        }
        out[i] = found;
        out_places[i] = places;
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
        if (self->slots.marks[slot_with(&self->slots, NUMBERS(b[0])[i])])
            out[found++] = i;
    release(b, 2);
    return PyLong_FromSsize_t(found);
}

static PyObject *
gram_set_places_in_both(GramSet *self, PyObject *args)
{
    Py_buffer b[4]; /* own values, those of another set, out, out */
    if (!PyArg_ParseTuple(args, "y*y*w*w*", &b[0], &b[1], &b[2], &b[3]))
        return NULL;
    if (COUNT(b[2]) < COUNT(b[0]) || COUNT(b[3]) < COUNT(b[1]) || !is_apart(b, 3) ||
        !is_apart(b, 4))
        return refused(b, 4, "places_in_both");
    int64_t *own = b[2].buf, *others = b[3].buf;
    uint32_t mark = next_mark(self), *marks = self->slots.marks;
    Py_ssize_t here = 0, there = 0;
    for (Py_ssize_t i = 0; i < COUNT(b[1]); i++) {
        size_t slot = slot_with(&self->slots, NUMBERS(b[1])[i]);
        if (marks[slot]) {
            marks[slot] = mark;
            others[there++] = i;
        }
    }
    for (Py_ssize_t i = 0; there && i < COUNT(b[0]); i++)
        if (marks[slot_with(&self->slots, NUMBERS(b[0])[i])] == mark)
            own[here++] = i;
    release(b, 4);
    return Py_BuildValue("nn", here, there);
}

static PyMethodDef gram_set_methods[] = {
    {"common", (PyCFunction)gram_set_common, METH_VARARGS, NULL},
    {"places", (PyCFunction)gram_set_places, METH_VARARGS, NULL},
    {"places_in_both", (PyCFunction)gram_set_places_in_both, METH_VARARGS, NULL},
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

/* The row that a slot was taken by last is its mark, so that nothing need be cleared between rows. */
static int64_t
distinct_of(const uint64_t *values, Py_ssize_t count, Slots *slots, uint32_t mark)
{
    size_t last = last_slot(slots);
    int64_t found = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        size_t slot = slot_of(slots, values[i]);
        while (slots->marks[slot] == mark && slots->values[slot] != values[i])
            slot = (slot + 1) & last;
        found += slots->marks[slot] != mark;
        slots->marks[slot] = mark;
        slots->values[slot] = values[i];
    }
    return found;
}

static PyObject *
distinct_counts(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer b[4]; /* values, bounds, chosen rows, out */
    if (!PyArg_ParseTuple(args, "y*y*y*w*", &b[0], &b[1], &b[2], &b[3]))
        return NULL;
    const int64_t *bounds = PLACES(b[1]), *chosen = PLACES(b[2]);
    Py_ssize_t rows = COUNT(b[1]) - 1, count = COUNT(b[2]), longest = 0;
    if (!are_rows(bounds, rows, COUNT(b[0])) || count != COUNT(b[3]) || count >= UINT32_MAX ||
        !are_among(chosen, count, rows) || !is_apart(b, 4))
        return refused(b, 4, "distinct_counts");
    for (Py_ssize_t i = 0; i < count; i++)
        if (bounds[chosen[i] + 1] - bounds[chosen[i]] > longest)
            longest = bounds[chosen[i] + 1] - bounds[chosen[i]];
    Slots slots;
    int there = take_slots(&slots, longest) == 0;
    int64_t *out = b[3].buf;
    for (Py_ssize_t i = 0; there && i < count; i++) {
        int64_t low = bounds[chosen[i]], high = bounds[chosen[i] + 1];
        out[i] = distinct_of(NUMBERS(b[0]) + low, high - low, &slots, (uint32_t)(i + 1));
    }
    release_slots(&slots);
    release(b, 4);
    if (!there)
        return NULL;
    Py_RETURN_NONE;
}

PyMethodDef gram_functions[] = {
    {"distinct_counts", distinct_counts, METH_VARARGS, NULL},
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
