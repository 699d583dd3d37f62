"""The command `perfolio`.

In:  arguments. Out: a call of one room below, and lines for people or programs.

    main             the command, which finds its subcommands
    commands/        one module per subcommand
    command_options  options that commands share, the one-line error, the project in the folder
    share_options    options of commands whose output others are to read
    skeleton_files   what `perfolio new` writes: whole or not at all, over nothing
    skeletons/       the texts that it fills in, a folder per kind
    output_guard     outputs that would destroy an input: refused before any work
"""
