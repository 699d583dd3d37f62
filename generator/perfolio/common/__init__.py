"""What knows nothing of profiles: used by every room, and uses none.

errors           every error that is raised on purpose, with its exit code
units            the one place where a number and its unit become text
atomic_output    files and folders that appear whole or not at all
atomic_folders   whole folders in which files of others stay, with a manifest
partial_files    files written beside their place, and what killed processes left
special_files    outputs that are pipes, devices or open already
remote_folders   folders at addresses such as s3://bucket/folder, to be read
file_locks       one process at a time at a place
cache            what can be made again, kept in a folder of the user or of a project
content_files    YAML of metrics, rules and causes; digests of code and content
typed_entries    entries of content files as objects of a type
toml_files       TOML that anyone may have written, within bounds
csv_files        tables as CSV without formulas, and CSV as spreadsheets save it
json_schema      documents against their JSON Schemas
escaping         words of a profile for Markdown and CI systems
signals          Ctrl-C, SIGTERM and SIGHUP to one exception
processes        independent work in several processes
address_space    whether a command has the address space that its libraries take
progress         bars on a terminal, lines elsewhere
"""
