"""The test suite; see conftest.py for how it finds its servers."""
