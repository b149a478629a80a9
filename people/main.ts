#!/usr/bin/env node
import { untilSignal, type CloseReport } from 'graphwire/node'
import { formatHelp } from './command-line.js'
import { commands } from './commands/commands.js'
import { createDemo } from './commands/commands.js'
import { runCommand } from './commands/run-command.js'
import { createTerminal } from './commands/run-command.js'
import { exitCodes } from './exit-codes.js'
import { createLog } from './front/log.js'
import { readVersion } from './pages.js'
import { readSettings, settingTable, type ServiceSettings } from './settings.js'
import { startService, type Service } from './service.js'
import { formatPages } from './web-pages.js'

// If the reader of our output ends, keep serving.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

process.exitCode = await run(process.argv.slice(2)).catch(fail)
// All output is written first.
process.stdout.write('', () => process.stderr.write('', () => process.exit()))

async function run(args: readonly string[]): Promise<number> {
  const isCommand = Object.keys(commands).some((name) => name.split(' ', 1)[0] === args[0])
  if (isCommand) return runCommand(commands, args, createTerminal(process.env))
  const read = readSettings(args, process.env)
  if (!read.ok) {
    say(`people: ${read.reason}\nRun with --help for usage.`)
    return exitCodes.usage.code
  }
  if (read.value === 'help') process.stdout.write(help())
  else if (read.value === 'version') process.stdout.write(`people ${readVersion()}\n`)
  else return serve(read.value)
  return exitCodes.ok.code
}

function help(): string {
  const program = 'node people/dist/main.js'
  return formatHelp({
    summary:
      'The people service: GraphQL over HTTP (September 2026) at /graphql, and resource-style endpoints.',
    usage: [
      [`${program} [flags]`, 'Starts the service.'],
      [`${program} keys create|list|revoke`, 'Manages API keys: keys --help.'],
      [`${program} logins create|list|remove`, 'Manages logins: logins --help.'],
      [`${program} audit list`, 'Shows who has written what: audit --help.'],
      [`${program} backup|restore <file>`, 'Copies the database, also while it is in use.'],
    ],
    flags: Object.values(settingTable),
    notes: [
      '  NODE_ENV=production',
      '      JSON logs on stdout, no seed, no demo credentials, no introspection; JWT_KEY is required.',
    ],
  })
}

async function serve(settings: ServiceSettings): Promise<number> {
  const stopped = untilSignal({ secondCode: exitCodes.interrupted.code })
  const log = createLog(settings.isProduction, settings.logLevel)
  let service: Service | undefined
  try {
    const starting = startService(settings, log)
    // The database undoes an unfinished migration; nothing else has begun yet.
    service = await Promise.race([starting, stopped.then(() => undefined)])
    if (service === undefined) {
      starting.catch(() => {})
      say('stopped before it was listening')
      return exitCodes.interrupted.code
    }
    if (!settings.isProduction) {
      for (const line of await createDemo(service.store, service.origin)) say(line)
    }
  } catch (error) {
    await service?.close()
    return fail(error, settings)
  }
  for (const line of formatPages(service.origin, settings.ide === 'on')) say(line)
  say(`listening on ${service.origin}`)
  await stopped
  const report = await service.close()
  await log.flush()
  say(formatStop(report))
  const { cut, streams, sockets } = report
  return cut + streams.cut + sockets.cut > 0 ? exitCodes.cut.code : exitCodes.ok.code
}

function formatStop({ finished, cut, streams, sockets }: CloseReport): string {
  const facts = [`stopped: ${finished} requests finished, ${cut} cut`]
  if (streams.ended + streams.cut > 0) {
    facts.push(`${streams.ended} streams ended, ${streams.cut} cut`)
  }
  if (sockets.closed + sockets.cut > 0) {
    facts.push(`${sockets.closed} sockets closed, ${sockets.cut} cut`)
  }
  return facts.join('; ')
}

/** Prints why it ends, and returns the exit code. */
function fail(error: unknown, settings?: ServiceSettings): number {
  const { text, code } = formatFailure(error, settings)
  say(`people: ${text}`)
  return code
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** A failure as a line for the operator, and the exit code; `settings` are those of the service, if it was starting. */
function formatFailure(
  error: unknown,
  settings: ServiceSettings | undefined,
): { readonly text: string; readonly code: number } {
  if (!(error instanceof Error)) return toBug(String(error))
  const { code, message, name, stack } = error as NodeJS.ErrnoException
  if (settings !== undefined && code === 'EADDRINUSE') {
    const text = `port ${settings.port} of ${settings.host} is in use: use --port, or stop the process that is using it.`
    return { text, code: exitCodes.portInUse.code }
  }
  const isUnheard = ['EACCES', 'ENOTFOUND', 'EADDRNOTAVAIL'].includes(code ?? '')
  if (settings !== undefined && isUnheard) {
    const text = `cannot listen on ${settings.host}:${settings.port}: ${message}.`
    return { text, code: exitCodes.configuration.code }
  }
  // Errors whose message is meant for the operator.
  const isExpected = ['StoreUnavailable', 'StoreError', 'ConfigurationError'].includes(name)
  return isExpected ? { text: message, code: exitCodes.configuration.code } : toBug(stack)
}

function toBug(trace: string | undefined): { readonly text: string; readonly code: number } {
  return { text: `this is a bug in the service:\n${trace}`, code: exitCodes.bug.code }
}
