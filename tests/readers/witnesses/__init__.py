"""Each format of files beside a profile that has a module of tests of its own."""
