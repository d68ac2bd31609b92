"""The change log: what became visible, changed, moved or vanished, in the order of commits."""
