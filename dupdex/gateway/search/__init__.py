"""Near duplicates in searches: the `near_duplicate` clause, `dedup`, and why on every hit."""

from dupdex.gateway.search.clause_routes import clause_routes as clause_routes
from dupdex.gateway.search.handlers import handlers as handlers
