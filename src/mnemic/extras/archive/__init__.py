"""Deep storage: raw logs packed with a manifest, texts of old episodes in a side file."""
