"""Rule sets that are judged by what they predict, exactly: limits on predictions, the 0-1 loss, and their number."""
