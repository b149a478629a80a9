#!/usr/bin/env node
import * as module from 'node:module'

// Keeps the compiled code of the files imported from here on for the next start. Not available in Node 20.
;(module as { enableCompileCache?: () => unknown }).enableCompileCache?.()
const { runProcess } = await import('./run-cli.js')
await runProcess()
