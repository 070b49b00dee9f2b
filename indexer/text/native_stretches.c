/* Stretches that two texts have in common, broken by edits. */
#include "native.h"

enum { BANDS = 2 }; /* rows of bands: a stretch that leaves one of the first is whole in the second */

/* Where each value of a text comes: its first place, by a table of slots, and the places behind. */
typedef struct {
    const uint64_t *values;
    int64_t *slots, *behind; /* -1: nothing here, nothing behind */
    int64_t *count; /* how often the value comes, of which this is the first place */
    int bits;
} Index;

/* Shared grams that follow each other on nearly one diagonal. */
typedef struct {
    int64_t first, last, low, high, size;
} Stretch;

/* How stretches are told: see native.pyi. */
typedef struct {
    long long reach, drift, most, least;
} Rules;

static int64_t *
slot_in(const Index *index, uint64_t value)
{
    size_t last = ((size_t)1 << index->bits) - 1, slot = slot_for(value, index->bits);
    while (index->slots[slot] >= 0 && index->values[index->slots[slot]] != value)
        slot = (slot + 1) & last;
    return &index->slots[slot];
}

static int
take_index(Index *index, const uint64_t *values, Py_ssize_t count)
{
    int bits = bits_for(2 * count);
    index->values = values;
    index->bits = bits;
    index->slots = PyMem_Malloc(((size_t)1 << bits) * sizeof(int64_t));
    index->behind = PyMem_Malloc((size_t)count * sizeof(int64_t));
    index->count = PyMem_Malloc((size_t)count * sizeof(int64_t));
    if (index->slots == NULL || index->behind == NULL || index->count == NULL)
        return 0;
    memset(index->slots, 0xFF, ((size_t)1 << bits) * sizeof(int64_t));
    for (Py_ssize_t at = count; at-- > 0;) {
        int64_t *slot = slot_in(index, values[at]);
        index->behind[at] = *slot;
        index->count[at] = *slot < 0 ? 1 : index->count[*slot] + 1;
        *slot = at;
    }
    return 1;
}

static void
release_index(Index *index)
{
    PyMem_Free(index->slots);
    PyMem_Free(index->behind);
    PyMem_Free(index->count);
}

static void
end_stretch(const Stretch *stretch, int64_t *inside[2], long long least)
{
    if (stretch->size < least)
        return;
    inside[0][stretch->first]++;
    inside[0][stretch->last + 1]--;
    inside[1][stretch->low]++;
    inside[1][stretch->high + 1]--;
}

static void
add_pair(Stretch *stretch, int64_t here, int64_t there, int64_t *inside[2], const Rules *rules)
{
    if (stretch->size && here - stretch->last > rules->reach) {
        end_stretch(stretch, inside, rules->least);
        stretch->size = 0;
    }
    if (!stretch->size) {
        stretch->first = here;
        stretch->low = stretch->high = there;
    }
    stretch->last = here;
    stretch->low = there < stretch->low ? there : stretch->low;
    stretch->high = there > stretch->high ? there : stretch->high;
    stretch->size++;
}

/* Mark in `inside` where stretches begin and end in either text; `open` has `bands` of either row. */
static void
mark_stretches(const Py_buffer *texts, const Index *left, const Index *right, Stretch *open,
               Py_ssize_t bands, int64_t *inside[2], const Rules *rules)
{
    const uint64_t *values = NUMBERS(texts[0]);
    int64_t width = 2 * rules->drift, below = (COUNT(texts[0]) / width + 1) * width;
    for (Py_ssize_t here = 0; here < COUNT(texts[0]); here++) {
        int64_t there = *slot_in(right, values[here]);
        if (there < 0 || right->count[there] > rules->most ||
            left->count[*slot_in(left, values[here])] > rules->most)
            continue;
        for (; there >= 0; there = right->behind[there])
            for (int row = 0; row < BANDS; row++) {
                int64_t band = (there - here + row * rules->drift + below) / width;
                add_pair(&open[row * bands + band], here, there, inside, rules);
            }
    }
    for (Py_ssize_t at = 0; at < BANDS * bands; at++)
        end_stretch(&open[at], inside, rules->least);
}

static Py_ssize_t
places_inside(const int64_t *edges, Py_ssize_t count)
{
    Py_ssize_t found = 0;
    int64_t depth = 0;
    for (Py_ssize_t at = 0; at < count; at++)
        found += (depth += edges[at]) > 0;
    return found;
}

static PyObject *
in_stretches(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer texts[2];
    Rules rules;
    if (!PyArg_ParseTuple(args, "y*y*LLLL", &texts[0], &texts[1], &rules.reach, &rules.drift,
                          &rules.most, &rules.least))
        return NULL;
    if (rules.drift < 1 || rules.drift > INT32_MAX || rules.least < 1)
        return refused(texts, 2, "in_stretches");
    Py_ssize_t counts[] = {COUNT(texts[0]), COUNT(texts[1])};
    Py_ssize_t bands = (counts[0] + counts[1]) / (2 * rules.drift) + 3;
    Index left = {0}, right = {0};
    Stretch *open = PyMem_Calloc((size_t)(BANDS * bands), sizeof(Stretch));
    int64_t *inside[] = {PyMem_Calloc((size_t)counts[0] + 1, sizeof(int64_t)),
                         PyMem_Calloc((size_t)counts[1] + 1, sizeof(int64_t))};
    PyObject *out = NULL;
    if (open != NULL && inside[0] != NULL && inside[1] != NULL &&
        take_index(&left, NUMBERS(texts[0]), counts[0]) &&
        take_index(&right, NUMBERS(texts[1]), counts[1])) {
        mark_stretches(texts, &left, &right, open, bands, inside, &rules);
        out = Py_BuildValue("nn", places_inside(inside[0], counts[0]),
                            places_inside(inside[1], counts[1]));
    }
    else
        PyErr_NoMemory();
    release_index(&left);
    release_index(&right);
    PyMem_Free(open);
    PyMem_Free(inside[0]);
    PyMem_Free(inside[1]);
    release(texts, 2);
    return out;
}

PyMethodDef stretch_functions[] = {
    {"in_stretches", in_stretches, METH_VARARGS, NULL},
    {NULL},
};
