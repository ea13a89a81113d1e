"""How well the tests test: which lines of the package run, and which wrong formulas no test notices."""
