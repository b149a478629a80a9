import type { Outcome } from '../index.js'
import { exitCodeOf, fail, type CliError } from './process/cli-error.js'
import {
  defineCommand,
  formatCommandHelp,
  formatHelp,
  type Command,
  type Terminal,
} from './arguments/define-command.js'
import { exitCodes } from './process/exit-codes.js'
import { suggest } from '../shapes/suggest.js'

/**
 * Every command by name. The flags of a command are loaded when it is needed or described, and what runs it when it runs:
 * starting costs time.
 */
const commands: { readonly [name: string]: () => Promise<Command> } = {
  serve,
  conform,
  documents: async () => (await import('./documents/documents-command.js')).documentsCommand,
  explain,
  doctor,
  init,
}

/** Runs the command that the words name and returns the exit code; `help` and `--version` are handled here. */
export async function runCli(words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const [first, ...rest] = words
    if (first === undefined) {
      terminal.err(await help())
      return exitCodes.usage.code
    }
    const done = await dispatch(first, rest, terminal)
    if (done.ok && typeof done.value === 'string') terminal.out(done.value)
    if (done.ok) return typeof done.value === 'string' ? exitCodes.ok.code : done.value
    report(done.reason, Object.hasOwn(commands, first) ? `${first} --help` : 'help', terminal)
    return exitCodeOf(done.reason)
  } catch (bug) {
    const stack = bug instanceof Error ? (bug.stack ?? bug.message) : String(bug)
    terminal.err(`graphwire: this is a bug in graphwire, please report it.\n${stack}\n`)
    return exitCodes.bug.code
  }
}

function report({ kind, message }: CliError, topic: string, terminal: Terminal): void {
  // Messages about a file begin with `file:line:column`, which editors recognize.
  terminal.err(`${kind === 'configuration' ? '' : 'graphwire: '}${message}\n`)
  if (kind === 'usage') terminal.err(`Run "graphwire ${topic}" for usage.\n`)
}

/** A text to print, or the exit code. */
async function dispatch(
  first: string,
  rest: readonly string[],
  terminal: Terminal,
): Promise<Outcome<string | number, CliError>> {
  if (first === '--version') return { ok: true, value: `${await version()}\n` }
  const isHelp = ['help', '--help', '-h'].includes(first)
  const name = isHelp ? rest[0] : first
  if (name === undefined || (isHelp && first !== 'help')) return { ok: true, value: await help() }
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (load === undefined) {
    const names = [...Object.keys(commands), 'help', '--help', '--version']
    const fault = name.startsWith('-')
      ? `Expected a command before ${name}.`
      : `Unknown command ${JSON.stringify(name)}.`
    return fail('usage', `${fault}${suggest(name, names)}`)
  }
  const command = await load()
  return isHelp || asksForHelp(rest)
    ? { ok: true, value: formatCommandHelp({ name, command }) }
    : command.run(rest, terminal)
}

function asksForHelp(words: readonly string[]): boolean {
  const end = words.indexOf('--')
  const flags = end < 0 ? words : words.slice(0, end)
  return flags.includes('--help') || flags.includes('-h')
}

async function help(): Promise<string> {
  const loading = Object.entries(commands).map(async ([name, load]) => ({
    name,
    command: await load(),
  }))
  return formatHelp(await version(), await Promise.all(loading))
}

async function version(): Promise<string> {
  const { readPackage } = await import('./process/package.js')
  const { name, version: number } = readPackage()
  return `${name} ${number}`
}

/** Serves a schema until a signal. */
async function serve(): Promise<Command> {
  const { serveFlags } = await import('./serve/flags/serve-flags.js')
  return defineCommand({
    summary: 'Serves a schema over HTTP.',
    usage: [
      '<schema.graphql> [--resolvers <module>] [--data <file>] [flags]',
      '<module.js> [flags]',
      '--standard [flags]',
    ],
    flags: serveFlags,
    async run(flags, positionals, terminal) {
      const { toPlan } = await import('./serve/flags/plan.js')
      const plan = toPlan(flags, positionals)
      if (!plan.ok) return plan
      const watches = flags.watch.value || flags['watch-documents'].value
      if (flags.workers.from !== undefined || watches) {
        const { runWorkers } = await import('./serve/workers/run-workers.js')
        return runWorkers(plan.value, terminal)
      }
      const { runServer } = await import('./serve/start/run-server.js')
      return runServer(plan.value, terminal)
    },
  })
}

/** Tests a server against the specification, or compares two reports. */
async function conform(): Promise<Command> {
  const { conformFlags } = await import('./conform/conform-flags.js')
  return defineCommand({
    summary: 'Tests whether a server conforms to GraphQL over HTTP.',
    usage: [
      '<url> [flags]',
      '--target <file> [flags]',
      'diff <before.json> <after.json> [--reporter html] [--output <file>]',
    ],
    flags: conformFlags,
    async run(flags, positionals, terminal) {
      if (positionals[0] === 'diff') {
        const { runDiff } = await import('./conform/run-conform.js')
        return runDiff(flags, positionals.slice(1), terminal)
      }
      const { toConformPlan } = await import('./conform/conform-plan.js')
      const plan = await toConformPlan(flags, positionals)
      if (!plan.ok) return plan
      const { runList, runTarget } = await import('./conform/run-conform.js')
      return flags.list.value ? runList(plan.value, terminal) : runTarget(plan.value, terminal)
    },
  })
}

/** Explains a request, a status or a code. */
async function explain(): Promise<Command> {
  const { explainFlags } = await import('./explain/explain-flags.js')
  const command = defineCommand({
    summary:
      'Explains how a request is answered and by which rule, or what a status or a code means.',
    usage: [
      "<schema.graphql|module.js> [flags] -- -X POST -H 'Accept: ...' --json '{...}'",
      "<url> [flags] -- -H 'Accept: ...' --json '{...}'",
      '<status|CODE> [flags]',
    ],
    flags: explainFlags,
    run: async (...words) => (await import('./explain/run-explain.js')).runExplain(...words),
  })
  return { ...command, run: (words, terminal) => command.run(markCurl(words), terminal) }
}

/** A command of curl may be pasted as it is: its words begin at its name, or at its first short option. */
function markCurl(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => word === '--' || word === 'curl' || /^-[A-Za-z]/.test(word))
  if (at < 0 || words[at] === '--') return words
  return [...words.slice(0, at), '--', ...words.slice(at)]
}

/** Looks for what is wrong with a project, or between a server and its clients. */
async function doctor(): Promise<Command> {
  const { doctorFlags } = await import('./doctor/doctor-flags.js')
  return defineCommand({
    summary: 'Checks a project, its options for production, or a server behind its proxies.',
    usage: ['[folder] [flags]', '<schema.graphql|module.js> [flags]', '--url <url> [flags]'],
    flags: doctorFlags,
    run: async (...words) => (await import('./doctor/run-doctor.js')).runDoctor(...words),
  })
}

/** Writes a project to begin with. */
async function init(): Promise<Command> {
  const { initFlags } = await import('./init/init-flags.js')
  return defineCommand({
    summary: 'Writes a small project: an API, its server and a test. It never overwrites a file.',
    usage: ['[folder] [flags]'],
    flags: initFlags,
    run: async (...words) => (await import('./init/run-init.js')).runInit(...words),
  })
}
