"""Child processes that decode and scale images within limits of time and memory."""
