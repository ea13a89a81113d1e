"""Tables that come with the package, each with its licence beside it."""
