import { join } from 'node:path'

/**
 * The environment of a process that a test starts. The loader by which tap measures coverage takes a second
 * of CPU for each process; V8 measures the same by itself.
 */
export function processEnvironment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: options = '', NODE_V8_COVERAGE: _, ...env } = process.env
  const kept = options.replaceAll(/"?--import=\S*@tapjs\/processinfo\/\S*?"?(?=\s|$)/g, '').trim()
  if (kept === process.env['NODE_OPTIONS']?.trim()) return process.env
  const isMeasured = env['_TAPJS_PROCESSINFO_COVERAGE_'] === '1'
  const root = env['_TAPJS_PROCESSINFO_CWD_'] ?? process.cwd()
  const coverage = { NODE_V8_COVERAGE: join(root, '.tap/coverage') }
  return { ...env, NODE_OPTIONS: kept, ...(isMeasured && coverage) }
}
