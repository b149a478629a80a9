#!/usr/bin/env node
import { untilSignal } from 'graphwire/node'
import { createDemo } from './access/demo.js'
import { runKeys } from './commands/run-keys.js'
import { runLogins } from './commands/run-logins.js'
import { createTerminal } from './commands/terminal.js'
import { exitCodes } from './exit-codes.js'
import { formatFailure } from './format-failure.js'
import { formatHelp } from './format-help.js'
import { createLog } from './operation/log.js'
import { readVersion } from './operation/index-page.js'
import { readSettings } from './read-settings.js'
import { startService, type Service } from './service.js'
import type { Settings } from './settings.js'

// A reader of our output that goes away is no reason to stop serving.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

process.exitCode = await run(process.argv.slice(2)).catch(fail)
// What was written goes out first.
process.stdout.write('', () => process.stderr.write('', () => process.exit()))

async function run([command, ...rest]: readonly string[]): Promise<number> {
  const terminal = createTerminal(process.env)
  if (command === 'keys') return runKeys(rest, terminal)
  if (command === 'logins') return runLogins(rest, terminal)
  const read = readSettings(process.argv.slice(2), process.env)
  if (!read.ok) {
    say(`people: ${read.reason}\n        --help tells what can be set.`)
    return exitCodes.usage.code
  }
  if (read.value === 'help') process.stdout.write(formatHelp())
  else if (read.value === 'version') process.stdout.write(`people ${readVersion()}\n`)
  else return serve(read.value)
  return exitCodes.ok.code
}

async function serve(settings: Settings): Promise<number> {
  const stopped = untilSignal({ secondCode: exitCodes.interrupted.code })
  const log = createLog(settings.isProduction, settings.logLevel)
  let service: Service | undefined
  try {
    service = await startService(settings, log)
    if (!settings.isProduction) for (const line of await createDemo(service.store)) say(line)
  } catch (error) {
    await service?.close()
    return fail(error, settings)
  }
  say(`listening on ${service.origin}`)
  await stopped
  const { finished, cut } = await service.close()
  await log.flush()
  say(`stopped: ${finished} requests finished, ${cut} cut`)
  return cut > 0 ? exitCodes.cut.code : exitCodes.ok.code
}

/** Says why it ends, and gives the exit code. */
function fail(error: unknown, settings?: Settings): number {
  const { text, code } = formatFailure(error, settings)
  say(`people: ${text}`)
  return code
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
