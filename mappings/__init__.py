"""What is stored: field names, the plan, index bodies and the errors every layer shares."""
