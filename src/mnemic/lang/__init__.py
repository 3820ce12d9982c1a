"""What is known of a language, as data: a folder of TOML files for each, read by one loader and by nothing else."""
