/* The inner loops of texts, keys and grams, for which NumPy calls take several times as long where
   texts are short.

   Every function has a twin in NumPy that gives the same numbers, beside where it is called; where
   this could not be compiled, the twins do the work. Arrays are taken as contiguous buffers of
   numbers; who calls sees to their types. Of what does not fit together a function complains. */
#include "native.h"

static struct PyModuleDef native = {
    PyModuleDef_HEAD_INIT, "indexer.text.native", NULL, -1, NULL,
};

PyMODINIT_FUNC
PyInit_native(void)
{
    PyObject *module = PyModule_Create(&native);
    if (module != NULL &&
        (PyModule_AddIntConstant(module, "interface", 9) < 0 ||
         PyModule_AddFunctions(module, block_functions) < 0 ||
         PyModule_AddFunctions(module, gram_functions) < 0 ||
         PyModule_AddFunctions(module, key_functions) < 0 ||
         PyModule_AddFunctions(module, kind_functions) < 0 ||
         PyModule_AddFunctions(module, sample_functions) < 0 ||
         PyModule_AddFunctions(module, sign_functions) < 0 ||
         PyModule_AddFunctions(module, stretch_functions) < 0 ||
         PyModule_AddFunctions(module, text_functions) < 0 ||
         PyModule_AddFunctions(module, unit_functions) < 0 ||
         PyModule_AddFunctions(module, word_functions) < 0 || add_gram_set(module) < 0))
        Py_CLEAR(module);
    return module;
}
