"""A server for assistants: runs of a folder, asked for by the Model Context Protocol.

In:  a folder. Out: answers over standard input and output; nothing is written to the folder.

    served_folder   which profiles, stores and reports there are, and that nothing outside is read
    measured_runs   their documents and stores, made once
    run_answers     what each tool answers, as JSON
    stdio_server    the tools, for the SDK of the protocol: the extra `mcp`

Names from a profile reach an assistant only in the field `untrusted` of an answer. To add a tool: a
method of `run_answers.RunAnswers`, and its name in `stdio_server.TOOLS`.
"""
