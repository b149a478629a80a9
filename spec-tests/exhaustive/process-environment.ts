import { join } from 'node:path'

/**
 * The environment of a process that a test starts. The loader by which tap measures coverage takes a second
 * of CPU for each process; V8 measures the same by itself.
 */
export function processEnvironment(): NodeJS.ProcessEnv {
  const env = unmeasuredEnvironment()
  if (env['NODE_OPTIONS'] === process.env['NODE_OPTIONS']?.trim()) return process.env
  const isMeasured = env['_TAPJS_PROCESSINFO_COVERAGE_'] === '1'
  const root = env['_TAPJS_PROCESSINFO_CWD_'] ?? process.cwd()
  return { ...env, ...(isMeasured && { NODE_V8_COVERAGE: join(root, '.tap/coverage') }) }
}

/** The same for a process whose memory or time matters: nothing measures its coverage. */
export function unmeasuredEnvironment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: options = '', NODE_V8_COVERAGE: _, ...env } = process.env
  const kept = options.replaceAll(/"?--import=\S*@tapjs\/processinfo\/\S*?"?(?=\s|$)/g, '').trim()
  return { ...env, NODE_OPTIONS: kept }
}
