#!/usr/bin/env node
import { untilSignal, type CloseReport } from 'graphwire/node'
import { exitCodes, formatHelp } from './command-line.js'
import { commands, createDemo } from './commands/commands.js'
import { createTerminal, runCommand } from './commands/run-command.js'
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
  if (isCommand) return printed(await runCommand(commands, args, createTerminal(process.env)))
  const read = readSettings(args, process.env)
  if (!read.ok) return end('usage', `${read.reason}\nRun with --help for usage.`)
  if (read.value === 'help') process.stdout.write(`${help()}\n`)
  else if (read.value === 'version') process.stdout.write(`people ${readVersion()}\n`)
  else return serve(read.value)
  return printed(exitCodes.ok.code)
}

/** The exit code once all is written, unless that failed, such as on a full disk. */
function printed(code: number): Promise<number> {
  return new Promise((resolve) => {
    process.stdout.write('', () => {
      const lost: NodeJS.ErrnoException | null = process.stdout.errored
      const isLost = lost !== null && lost.code !== 'EPIPE'
      resolve(isLost ? end('usage', `cannot write to stdout: ${lost.message}`) : code)
    })
  })
}

function help(): string {
  const program = 'node people/dist/main.js'
  return formatHelp(
    'The people service: GraphQL over HTTP (September 2026) at /graphql, and resource-style endpoints. With NODE_ENV=production, no seed, demo credentials or introspection, and JSON logs on stdout.',
    [
      [`${program} [flags]`, 'Starts the service.'],
      ...Object.entries(commands).map(
        ([name, { summary }]) => [`${program} ${name}`, summary] as const,
      ),
    ],
    Object.values(settingTable),
  )
}

async function serve(settings: ServiceSettings): Promise<number> {
  const stopped = untilSignal({ secondCode: exitCodes.interrupted.code })
  const log = createLog(settings.isProduction, settings.logLevel)
  let service: Service | undefined
  try {
    const starting = startService(settings, log)
    // Nothing has to be stopped yet: the database undoes an unfinished migration.
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
  for (const line of formatPages(service.origin, settings.ide)) say(line)
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

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

function end(exit: keyof typeof exitCodes, why: string): number {
  say(`people: ${why}`)
  return exitCodes[exit].code
}

/** Prints why it ends, and returns the exit code; `settings` are those of the service, if it was starting. */
function fail(error: unknown, settings?: ServiceSettings): number {
  const { code = '', message, name, stack } = error as NodeJS.ErrnoException
  const { host, port } = settings ?? {}
  if (settings !== undefined && code === 'EADDRINUSE') {
    const advice = 'use --port, or stop the process that is using it'
    return end('portInUse', `port ${port} of ${host} is in use: ${advice}.`)
  }
  if (settings !== undefined && ['EACCES', 'ENOTFOUND', 'EADDRNOTAVAIL'].includes(code)) {
    return end('configuration', `cannot listen on ${host}:${port}: ${message}.`)
  }
  // Errors whose message is meant for the operator.
  const isMeant = ['StoreUnavailable', 'StoreError', 'ConfigurationError'].includes(name)
  return isMeant
    ? end('configuration', message)
    : end('bug', `this is a bug in the service:\n${stack}`)
}
