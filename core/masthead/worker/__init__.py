"""The worker: what has to happen without anybody asking for it, shared by any number of them."""
