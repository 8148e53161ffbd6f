"""What the paper says, each sentence declared on the function that checks it."""
