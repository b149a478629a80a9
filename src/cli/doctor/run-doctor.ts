import { existsSync } from 'node:fs'
import { readFile, realpath, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import type { Outcome } from '../../index.js'
import type { Terminal } from '../arguments/define-command.js'
import type { FlagValues } from '../arguments/flag.js'
import { fail, type CliError } from '../process/cli-error.js'
import { exitCodes } from '../process/exit-codes.js'
import { describeFileError } from '../process/read-text-file.js'
import { isSchemaFile } from '../serve/flags/plan.js'
import type { DoctorFlags } from './doctor-flags.js'
import { formatFindings, toFinding, type CheckFinding, type CheckVerdict } from './finding.js'

type DoctorFlagValues = FlagValues<DoctorFlags>

/** Checks what the words name, and prints a line for each finding; a fail is exit code 1. */
export async function runDoctor(
  flags: DoctorFlagValues,
  words: readonly string[],
  terminal: Terminal,
): Promise<Outcome<number, CliError>> {
  const [place, ...more] = words
  if (more.length > 0) {
    return fail('usage', `doctor takes one folder or schema file, got ${words.join(', ')}.`)
  }
  if (flags.url.value !== undefined && place !== undefined) {
    return fail('usage', `--url checks a server: remove ${place}.`)
  }
  const found =
    flags.url.value === undefined
      ? await checkProject(flags, place ?? '.', terminal)
      : await checkServer(flags, flags.url.value)
  if (!found.ok) return found
  const findings = found.value
  terminal.out(
    flags.json.value ? `${JSON.stringify({ findings }, undefined, 2)}\n` : formatFindings(findings),
  )
  const isBroken = findings.some(({ state }) => state === 'fail')
  return { ok: true, value: exitCodes[isBroken ? 'findings' : 'ok'].code }
}

async function checkServer(
  flags: DoctorFlagValues,
  url: string,
): Promise<Outcome<readonly CheckFinding[], CliError>> {
  const { checkUrl } = await import('./check-url.js')
  const { proxyChecks } = await import('./proxy-checks.js')
  const { partial, header, timeout, insecure } = flags
  const plan = {
    url,
    headers: header.value,
    timeout: timeout.value,
    insecure: insecure.value,
    partial: partial.value,
    balancerIdle: flags['balancer-idle'].value,
  }
  try {
    return { ok: true, value: await checkUrl(plan, proxyChecks) }
  } catch (error) {
    const isExpected = error instanceof TypeError || (error as Error).name === 'UnreachableError'
    if (!isExpected) throw error
    return fail('usage', (error as Error).message)
  }
}

async function checkProject(
  flags: DoctorFlagValues,
  place: string,
  terminal: Terminal,
): Promise<Outcome<readonly CheckFinding[], CliError>> {
  const isModule = isSchemaFile(place)
  let folder
  try {
    const real = await realpath(place)
    if (!isModule && !(await stat(real)).isDirectory()) {
      return fail('usage', `${place}: expected a folder, or a schema file.`)
    }
    folder = isModule ? projectOf(dirname(real)) : real
  } catch (error) {
    return fail('usage', describeFileError(place, error))
  }
  const { checkInstallation } = await import('./check-installation.js')
  const installed = checkInstallation(folder, process.versions.node)
  const configured = await checkConfiguration(flags, isModule ? place : undefined, terminal)
  if (!configured.ok) return configured
  return { ok: true, value: [...installed, ...configured.value] }
}

/** The nearest folder with a package.json, at or above the folder. */
function projectOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, 'package.json'))) return at
    if (dirname(at) === at) return folder
  }
}

/** The options of the module, and the port of `serve`. */
async function checkConfiguration(
  flags: DoctorFlagValues,
  file: string | undefined,
  { env }: Terminal,
): Promise<Outcome<readonly CheckFinding[], CliError>> {
  const { loadServed } = await import('../serve/load/load-served.js')
  const isStandard = file === undefined
  const served = await loadServed(
    isStandard ? [] : [file],
    isStandard ? { standard: { value: true, from: '--standard' } } : {},
    productionOf(flags, env),
  )
  if (!served.ok) return served
  const { plan, options } = served.value
  const port = toFinding('port', await checkPort(plan.host.value, plan.port.value))
  if (isStandard) return { ok: true, value: [port] }
  const { checkServedOptions } = await import('./check-options.js')
  const context = {
    isProduction: isProduction(flags, env),
    balancerIdle: flags['balancer-idle'].value,
    source: await readFile(file, 'utf8'),
  }
  return { ok: true, value: [port, ...checkServedOptions(options, context)] }
}

function isProduction({ production }: DoctorFlagValues, env: Terminal['env']): boolean {
  return production.value ?? env['NODE_ENV'] === 'production'
}

/** Some defaults depend on the variable. */
function productionOf(flags: DoctorFlagValues, env: Terminal['env']): Terminal['env'] {
  return isProduction(flags, env) ? { ...env, NODE_ENV: 'production' } : env
}

/** Whether the port of `serve` is free, by listening there for a moment. */
async function checkPort(host: string, port: number): Promise<CheckVerdict> {
  const code = await tryPort(host, port)
  if (code === undefined) return `${host}:${port} is free`
  if (code === 'EADDRINUSE') {
    return [
      'warn',
      `${host}:${port} is in use`,
      'A server that starts there ends with exit code 4. Perhaps yours is running already.',
      'Use --port or PORT, or stop the process that is using it.',
    ]
  }
  return [
    'fail',
    `${host}:${port}: ${code}`,
    'A server cannot listen there.',
    code === 'EACCES'
      ? 'Use a port from 1024 on, and let a proxy listen at the lower one.'
      : 'Use --host with an address of this machine.',
  ]
}

/** The code of the error; undefined if it listened. */
function tryPort(host: string, port: number): Promise<string | undefined> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => done(undefined)))
  })
}
