"""What tests of Masthead and of its plugins need: databases to run on and checks to reuse."""
