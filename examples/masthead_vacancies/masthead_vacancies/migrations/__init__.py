"""The history of the tables of vacancies and applications."""
