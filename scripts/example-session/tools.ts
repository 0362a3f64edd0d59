/** Tool definitions of the session's agent, as chat completions take them. */
export const TOOLS = [
  tool('read_file', 'Reads a file of the project, with line numbers.', {
    path: text('Path from the root of the project.'),
    from: optional('integer', 'First line to read.'),
    to: optional('integer', 'Last line to read.'),
  }),
  tool('list_files', 'Lists the files below a folder.', { folder: text('Folder, "" for all.') }),
  tool('search', 'Finds a text in the files of the project, as path:line: text.', {
    pattern: text('Text to find, not a regular expression.'),
  }),
  tool('edit_file', 'Replaces a text that stands once in a file, or creates the file.', {
    path: text('Path from the root of the project.'),
    old_text: text('Text to replace; "" creates the file.'),
    new_text: text('Text that takes its place.'),
  }),
  tool('run_tests', 'Runs the tests whose file names contain the filter.', {
    filter: text('Part of a file name.'),
  }),
  tool('run_command', 'Runs a shell command in the root of the project.', {
    command: text('The command line.'),
  }),
]

interface Property {
  readonly type: string
  readonly description: string
  readonly isRequired: boolean
}

function text(description: string): Property {
  return { type: 'string', description, isRequired: true }
}

function optional(type: string, description: string): Property {
  return { type, description, isRequired: false }
}

function tool(name: string, description: string, properties: Readonly<Record<string, Property>>) {
  return {
    type: 'function',
    function: {
      name,
      description,
      parameters: {
        type: 'object',
        properties: Object.fromEntries(
          Object.entries(properties).map(([key, { isRequired: _, ...schema }]) => [key, schema]),
        ),
        required: Object.keys(properties).filter((key) => properties[key]?.isRequired === true),
      },
    },
  }
}
