/** The commands, their options and their help. */
import { Command, Option } from 'commander'
import { PROFILE_NAMES } from '../engine/options.ts'
import { FORMAT_IDS } from '../formats/adapter.ts'
import { VERSION } from '../version.ts'
import type { BudgetFlags } from './commands/budget.ts'
import type { CheckFlags } from './commands/check.ts'
import type { CompactFlags } from './commands/compact.ts'
import { addOption, addPin, parseShare, parseWhole } from './settings.ts'

/** What the commands do; each takes the file's name and its options. */
export interface CommandActions {
  readonly compact: (file: string | undefined, flags: CompactFlags) => Promise<void>
  readonly check: (file: string | undefined, flags: CheckFlags) => Promise<void>
  readonly budget: (file: string | undefined, flags: BudgetFlags) => Promise<void>
}

const FILE =
  'a request body, an array of messages, or a Claude Code transcript; stdin where it is - or missing'

const INPUT_HELP = `
The input is a request body as its provider takes it (JSON), a bare array of messages, or a Claude Code
session transcript (JSON lines); which one is told by its structure.`

const EXIT_HELP = `
Exit codes: 0 done; 1 the target was not met, or rules are broken; 2 the command line or the input is at fault.`

export function createProgram(actions: CommandActions): Command {
  const program = new Command('precis')
    .description(
      'Makes conversations with language models smaller, still valid for their provider.',
    )
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .showSuggestionAfterError()
    .addHelpText(
      'after',
      `${INPUT_HELP}
${EXIT_HELP}

Examples:
  precis compact request.json --target 50000 > smaller.json
  precis compact ~/.claude/projects/shop/session.jsonl --target 50000 --dry-run
  precis check request.json && echo valid
  precis budget request.json --model gpt-4o`,
    )
  addCompact(program, actions)
  addCheck(program, actions)
  addBudget(program, actions)
  return program
}

function addCompact(program: Command, actions: CommandActions): void {
  addBudgetOptions(
    program
      .command('compact')
      .description('Write the conversation smaller, and to stderr what was done to it.')
      .argument('[file]', FILE)
      .option(
        '-t, --target <tokens>',
        'most tokens of the conversation; unset: from the window',
        parseWhole,
      ),
  )
    .option('--max-bytes <bytes>', 'most bytes of the conversation as JSON', parseWhole)
    .option('--low-water <share>', 'compact in steps, down to this share of the room', parseShare)
    .addOption(new Option('--profile <name>', 'preset of options').choices(PROFILE_NAMES))
    .option('--pin <message>', 'number or id of a message that must stay; repeatable', addPin)
    .option(
      '--option <name=value>',
      'one option of a stage, such as prune.keepResults=2; repeatable',
      addOption,
    )
    .option('-o, --output <file>', 'write there and not to stdout')
    .option('--json', 'write the report and the conversation as one JSON document, and no table')
    .option('--dry-run', 'only report what would be done')
    .addOption(
      new Option('--explain [messages]', 'list each message that changed, or all of them')
        .choices(['changed', 'all'])
        .preset('changed'),
    )
    .option('--record <file>', 'write what the models said, for --replay')
    .option(
      '--replay <file>',
      'decide by what models said before, under other options for instance, and ask none',
    )
    .addHelpText(
      'after',
      `${INPUT_HELP}
The document comes back as it was but for its conversation; a transcript comes as {"messages": [...]}.
${EXIT_HELP}

Examples:
  precis compact request.json --target 50000 --output smaller.json
  precis compact session.jsonl --target 50000 --dry-run --explain all
  precis compact request.json --profile agent --option relevance.toolExchanges=drop --pin 3
  precis compact request.json --record answers.json > smaller.json
  precis compact request.json --replay answers.json --option relevance.minDropConfidence=0.9 --dry-run
  jq .messages request.json | precis compact --target 8000 --format openai-chat | jq length`,
    )
    .action((file, flags) => actions.compact(file, flags))
}

function addCheck(program: Command, actions: CommandActions): void {
  program
    .command('check')
    .description("List which of the provider's rules the conversation breaks.")
    .argument('[file]', FILE)
    .addOption(formatOption())
    .option('--model <name>', 'model that the conversation is for')
    .option('--json', 'write the result as JSON')
    .addHelpText(
      'after',
      `${EXIT_HELP}

Examples:
  precis check request.json
  precis compact request.json --target 8000 | precis check --json | jq .valid`,
    )
    .action((file, flags) => actions.check(file, flags))
}

function addBudget(program: Command, actions: CommandActions): void {
  addBudgetOptions(
    program
      .command('budget')
      .description('Show how much room the conversation has, and whether it is time to compact it.')
      .argument('[file]', FILE),
  )
    .option('--json', 'write the result as JSON')
    .addHelpText(
      'after',
      `${EXIT_HELP}

Examples:
  precis budget request.json --model gpt-4o
  precis budget session.jsonl --context-window 200000 --json | jq .shouldCompact`,
    )
    .action((file, flags) => actions.budget(file, flags))
}

function addBudgetOptions(command: Command): Command {
  return command
    .option('--model <name>', 'model that the conversation is for; unset: what the input names')
    .addOption(formatOption())
    .option('--context-window <tokens>', 'window of the model; unset: from the table', parseWhole)
    .option('--max-output-tokens <tokens>', 'room for the answer', parseWhole)
    .option(
      '--compaction-threshold <share>',
      'share of the room at which to compact; only lowers 0.8',
      parseShare,
    )
    .option(
      '--current-request <text>',
      'what the next answer is about; unset: the last user message',
    )
}

function formatOption(): Option {
  return new Option('--format <id>', 'format of the conversation; unset: by its structure').choices(
    FORMAT_IDS,
  )
}
