"""The export of WordPress (WXR), and the markup of its posts."""
