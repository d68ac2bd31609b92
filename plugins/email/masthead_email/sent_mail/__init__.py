"""Mail that staff have sent: its deliveries, pausing, cancelling, sending failed ones again."""
