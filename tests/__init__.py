"""The test suite; see conftest.py for how it finds its servers.

What a helper asserts is told with its values, as what a test asserts.
"""

import pkgutil

import pytest

pytest.register_assert_rewrite(*(f"tests.{each.name}" for each in pkgutil.iter_modules(__path__)))
