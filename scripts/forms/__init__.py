"""Forms that are filled in anew every time: columns, notices, forecasts and reports."""
