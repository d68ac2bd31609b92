"""Unicode text: normal forms, invisible characters, look-alikes and the order of names."""
