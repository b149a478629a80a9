#!/usr/bin/env node
import { exitCodes } from './process/exit-codes.js'
import { runCli } from './run-cli.js'

// If the reader of our output ends, keep serving.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

process.once('beforeExit', () => {
  process.stderr.write('graphwire: a module is waiting for a promise that never settles.\n')
  process.exit(exitCodes.configuration.code)
})

let isDone = false
process.once('exit', (code) => {
  // Only a module of the user can end the process with 0 before the command is done.
  if (isDone || code !== 0) return
  process.exitCode = exitCodes.configuration.code
  process.stderr.write('graphwire: a module ended the process with process.exit(0).\n')
})

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
})
isDone = true
// The user's modules may keep the process alive, so it is ended, but only after all output is written.
process.stdout.write('', () => process.stderr.write('', () => process.exit()))
