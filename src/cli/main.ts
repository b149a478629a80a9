#!/usr/bin/env node
import * as module from 'node:module'

// What Node compiles of the files that are imported from here on is kept for the next start. Node 20 cannot.
;(module as { enableCompileCache?: () => unknown }).enableCompileCache?.()
const { runProcess } = await import('./run-cli.js')
await runProcess()
