"""Mail that came back, and addresses that get nothing any more because of it."""
