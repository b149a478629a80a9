#!/usr/bin/env node
import { exitCodes } from './process/exit-codes.js'
import { runCli } from './run-cli.js'

// A reader of our output that goes away is no reason to stop serving.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

process.once('beforeExit', () => {
  process.stderr.write('graphwire: a module is waiting for a promise that never settles.\n')
  process.exit(exitCodes.configuration.code)
})

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
})
// Modules of the user may hold the process open; what was written goes out first.
process.stdout.write('', () => process.stderr.write('', () => process.exit()))
