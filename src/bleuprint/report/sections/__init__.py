"""The sections of the page. Each folder holds what its section computes, says and draws, with its template."""
