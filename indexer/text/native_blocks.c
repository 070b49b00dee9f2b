/* Stretches of two texts that are equal wherever they stand, as in `query/facts/align.py`. */
#include "native.h"

enum { FREE = 0, MANY = -1 };

/* A gram, and one more than its place on either side where it stands there once. */
typedef struct {
    uint64_t gram;
    int64_t left, right;
} Slot;

typedef struct {
    Slot *slots;
    int shift;
} Table;

static Slot *
slot_with(const Table *table, uint64_t gram)
{
    size_t last = ((size_t)1 << (64 - table->shift)) - 1;
    size_t at = (size_t)(mixed(gram) * slot_multiplier >> table->shift);
    while (table->slots[at].left != FREE && table->slots[at].gram != gram)
        at = (at + 1) & last;
    return &table->slots[at];
}

/* The polynomial hashes of all runs of `width` units, one after the other. */
typedef struct {
    const uint32_t *units;
    Py_ssize_t width;
    uint64_t gram, first;
} Rolling;

static Rolling
rolling(const uint32_t *units, Py_ssize_t width)
{
    Rolling run = {units, width, 0, 1};
    for (Py_ssize_t i = 0; i < width; i++) {
        run.gram = run.gram * BASE + units[i];
        run.first *= i ? BASE : 1;
    }
    return run;
}

/* From the run at a place to the next one. */
static inline void
roll(Rolling *run, Py_ssize_t place)
{
    run->gram -= run->units[place] * run->first;
    run->gram = run->gram * BASE + run->units[place + run->width];
}

/* Note where the grams of both sides stand. */
static void
fill(Table *table, const uint32_t *left, Py_ssize_t count, const uint32_t *right, Py_ssize_t others,
     Py_ssize_t width)
{
    Rolling run = rolling(left, width);
    for (Py_ssize_t i = 0; i + width <= count; i++) {
        Slot *slot = slot_with(table, run.gram);
        slot->left = slot->left == FREE ? i + 1 : MANY;
        slot->gram = run.gram;
        if (i + width < count)
            roll(&run, i);
    }
    run = rolling(right, width);
    for (Py_ssize_t i = 0; i + width <= others; i++) {
        Slot *slot = slot_with(table, run.gram);
        if (slot->left != FREE)
            slot->right = slot->right == FREE ? i + 1 : MANY;
        if (i + width < others)
            roll(&run, i);
    }
}

static int
add_block(PyObject *out, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t other)
{
    PyObject *block = Py_BuildValue("nnn", start, stop, other);
    int status = block == NULL ? -1 : PyList_Append(out, block);
    Py_XDECREF(block);
    return status;
}

/* The runs of equal units around grams that either side has once. Such runs do not interlace, so one
   that is known is the last one found. */
static int
add_around_grams(PyObject *out, const Table *table, const uint32_t *left, Py_ssize_t count,
                 const uint32_t *right, Py_ssize_t others, Py_ssize_t width)
{
    Py_ssize_t start = 0, stop = 0, shift = 0;
    Rolling run = rolling(left, width);
    for (Py_ssize_t i = 0; i + width <= count; i++) {
        const Slot *slot = slot_with(table, run.gram);
        if (i + width < count)
            roll(&run, i);
        if (slot->left != i + 1 || slot->right <= 0)
            continue;
        Py_ssize_t there = slot->right - 1;
        if (i < stop && there - i == shift)
            continue;
        shift = there - i;
        for (start = i; start > 0 && start + shift > 0; start--)
            if (left[start - 1] != right[start - 1 + shift])
                break;
        for (stop = i; stop < count && stop + shift < others; stop++)
            if (left[stop] != right[stop + shift])
                break;
        if (add_block(out, start, stop, start + shift) < 0)
            return -1;
    }
    return 0;
}

/* What is equal from the beginning, and from the end. */
static int
add_ends(PyObject *out, const uint32_t *left, Py_ssize_t count, const uint32_t *right,
         Py_ssize_t others)
{
    Py_ssize_t least = count < others ? count : others, before = 0, after = 0;
    while (before < least && left[before] == right[before])
        before++;
    while (after < least && left[count - 1 - after] == right[others - 1 - after])
        after++;
    if (add_block(out, 0, before, 0) < 0)
        return -1;
    return add_block(out, count - after, count, others - after);
}

static PyObject *
equal_blocks(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer b[2]; /* left, right */
    Py_ssize_t width;
    if (!PyArg_ParseTuple(args, "y*y*n", &b[0], &b[1], &width))
        return NULL;
    const uint32_t *left = b[0].buf, *right = b[1].buf;
    Py_ssize_t count = b[0].len / 4, others = b[1].len / 4;
    if (width < 1)
        return refused(b, 2, "equal_blocks");
    PyObject *out = PyList_New(0);
    if (out != NULL && add_ends(out, left, count, right, others) < 0)
        Py_CLEAR(out);
    if (out != NULL && count >= width && others >= width) {
        int bits = bits_for(2 * count);
        Table table = {PyMem_Calloc((size_t)1 << bits, sizeof(Slot)), 64 - bits};
        if (table.slots == NULL)
            PyErr_NoMemory();
        else
            fill(&table, left, count, right, others, width);
        if (table.slots == NULL ||
            add_around_grams(out, &table, left, count, right, others, width) < 0)
            Py_CLEAR(out);
        PyMem_Free(table.slots);
    }
    release(b, 2);
    return out;
}

PyMethodDef block_functions[] = {
    {"equal_blocks", equal_blocks, METH_VARARGS, NULL},
    {NULL},
};
