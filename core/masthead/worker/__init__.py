"""The worker, which runs background jobs; any number of workers share the jobs."""
