"""The battery: inputs, files and circumstances made to break things, each with the one outcome that is right."""
