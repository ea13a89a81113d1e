"""What keeps the repository in order: generators of tables and of the manual."""
