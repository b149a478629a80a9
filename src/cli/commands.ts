import { suggest } from '../shapes/index.js'
import { formatCommandHelp, formatHelp, type Command, type Commands } from './arguments/command.js'
import { readArguments } from './arguments/read-flags.js'
import { conformFlags, type ConformFlags } from './conform/conform-flags.js'
import { doctorFlags, type DoctorFlags } from './doctor/doctor-flags.js'
import { documentsCommand } from './documents/documents-command.js'
import { explainFlags, type ExplainFlags } from './explain/explain-flags.js'
import { initFlags, type InitFlags } from './init/init-flags.js'
import { serveFlags, type ServeFlags } from './serve/flags/serve-flags.js'
import { CliError, exitCodes } from './process/exit.js'
import { paint, type Terminal } from './process/terminal.js'

const serve: Command<ServeFlags> = {
  summary: 'Serves a schema over HTTP.',
  usage: [
    '<schema.graphql> [--resolvers <module>] [--data <file>] [flags]',
    '<module.js> [flags]',
    '--standard [flags]',
  ],
  flags: serveFlags,
  async run({ flags, words, terminal }) {
    const { toPlan } = await import('./serve/flags/plan.js')
    const plan = toPlan(flags, words)
    const watches = flags.watch.value || flags['watch-documents'].value
    if (flags.workers.from !== undefined || watches) {
      const { runWorkers } = await import('./serve/workers/run-workers.js')
      return runWorkers(plan, terminal)
    }
    const { runServer } = await import('./serve/start/run-server.js')
    return runServer(plan, terminal)
  },
}

const conform: Command<ConformFlags> = {
  summary: 'Tests whether a server conforms to GraphQL over HTTP.',
  usage: [
    '<url> [flags]',
    '--target <file> [flags]',
    'diff <before.json> <after.json> [--reporter html] [--output <file>]',
  ],
  flags: conformFlags,
  async run(call) {
    const { runDiff, runList, runTarget } = await import('./conform/run-conform.js')
    if (call.words[0] === 'diff') return runDiff(call)
    const { toConformPlan } = await import('./conform/conform-plan.js')
    const plan = await toConformPlan(call)
    return call.flags.list.value ? runList(plan) : runTarget(plan)
  },
}

const explain: Command<ExplainFlags> = {
  summary: 'Explains the answer to a request, a status or a code.',
  usage: [
    "<schema.graphql|module.js> [flags] -- --json '{...}'",
    "<url> [flags] -- -H 'Accept: ...' --json '{...}'",
    '<status|CODE> [flags]',
  ],
  flags: explainFlags,
  prepare: markCurl,
  run: async (call) => (await import('./explain/run-explain.js')).runExplain(call),
}

/** A curl command can be pasted unchanged: its words begin at its name, or at its first short option. */
function markCurl(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => word === '--' || word === 'curl' || /^-[A-Za-z]/.test(word))
  if (at < 0 || words[at] === '--') return words
  return [...words.slice(0, at), '--', ...words.slice(at)]
}

const doctor: Command<DoctorFlags> = {
  summary: 'Checks a project, its options for production, or a running server.',
  usage: ['[folder] [flags]', '<schema.graphql|module.js> [flags]', '--url <url> [flags]'],
  flags: doctorFlags,
  run: async (call) => (await import('./doctor/run-doctor.js')).runDoctor(call),
}

const init: Command<InitFlags> = {
  summary: 'Writes a small project: an API, its server and a test.',
  usage: ['[folder] [flags]'],
  flags: initFlags,
  run: async (call) => (await import('./init/run-init.js')).runInit(call),
}

/** Every command by name. Its code is loaded when it runs, so that others start faster. */
const commands: Commands = {
  serve,
  conform,
  documents: documentsCommand,
  explain,
  doctor,
  init,
}

/** Runs the command that the words name, or shows help, and returns the exit code. */
export async function dispatch(
  title: string,
  words: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const [first, ...rest] = words
  const isHelp = first === 'help' || first === '--help' || first === '-h'
  const name = isHelp ? rest[0] : first
  if (name === undefined || (isHelp && first !== 'help')) {
    if (isHelp) terminal.out(formatHelp(title, commands, terminal.stdout))
    else terminal.err(formatHelp(title, commands, terminal.stderr))
    return isHelp ? exitCodes.ok.code : exitCodes.usage.code
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) return report(unknownCommand(name), 'help', terminal)
  if (isHelp || asksForHelp(rest)) {
    terminal.out(formatCommandHelp(name, command, terminal.stdout))
    return exitCodes.ok.code
  }
  try {
    const { flags, prepare } = command
    const read = readArguments(prepare?.(rest) ?? rest, flags, terminal.env)
    return exitCodes[await command.run({ ...read, terminal })].code
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    return report(error, `${name} --help`, terminal)
  }
}

function unknownCommand(name: string): CliError {
  const names = [...Object.keys(commands), 'help', '--help', '--version']
  const fault = name.startsWith('-')
    ? `Expected a command before ${name}.`
    : `Unknown command ${JSON.stringify(name)}.`
  return new CliError('usage', `${fault}${suggest(name, names)}`)
}

function asksForHelp(words: readonly string[]): boolean {
  const end = words.indexOf('--')
  const flags = end < 0 ? words : words.slice(0, end)
  return flags.includes('--help') || flags.includes('-h')
}

function report({ kind, message }: CliError, topic: string, terminal: Terminal): number {
  // Messages about a file begin with `file:line:column`, which editors recognize.
  const start = kind === 'configuration' ? '' : paint(terminal.stderr, 'red', 'graphwire: ')
  terminal.err(`${start}${message}\n`)
  if (kind === 'usage') terminal.err(`Run "graphwire ${topic}" for usage.\n`)
  return exitCodes[kind].code
}
