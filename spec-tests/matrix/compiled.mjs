// Lets every handler compile each operation from its first use: run node with --import of this file.
import * as nodeModule from 'node:module'

const settings = new URL('../../dist/src/options/settings.js', import.meta.url).href
const compiled = new URL('../../dist/src/compiled/index.js', import.meta.url).href
const standing = 'execution: checked.execution,'

/** The hook of both ways to register: only the default of one option is changed. */
export function load(url, context, nextLoad) {
  const loaded = nextLoad(url, context)
  if (url !== settings) return loaded
  return loaded instanceof Promise ? loaded.then(withDefault) : withDefault(loaded)
}

function withDefault(loaded) {
  const source = Buffer.from(loaded.source).toString()
  if (!source.includes(standing)) throw new Error(`${settings} has no line "${standing}"`)
  const always = '(checked.execute ? undefined : compiledExecution({ afterUses: 0 }))'
  const changed = source.replace(standing, `execution: checked.execution ?? ${always},`)
  return { ...loaded, source: `import { compiledExecution } from '${compiled}'\n${changed}` }
}

process.env['GRAPHWIRE_MATRIX_EXECUTOR'] = 'compiled'

// The hooks thread of Node 20 imports this file too, and must not register again.
const isHooksThread = new URL(import.meta.url).hash === '#hooks'
if (!isHooksThread) {
  if (nodeModule.registerHooks) nodeModule.registerHooks({ load })
  else nodeModule.register(`${import.meta.url}#hooks`)
}
