"""What can be done with contacts and their progression."""
