"""The compiled scanner: text bytes in, counted expressions out."""
