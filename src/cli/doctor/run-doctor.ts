import { existsSync } from 'node:fs'
import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Outcome } from '../../index.js'
import type { Terminal } from '../arguments/define-command.js'
import type { FlagValues } from '../arguments/flag.js'
import { fail, orUnreachable, type CliError } from '../process/cli-error.js'
import { exitCodes } from '../process/exit-codes.js'
import { describeFileError } from '../process/read-text-file.js'
import { isSchemaFile } from '../serve/flags/plan.js'
import type { DoctorFlags } from './doctor-flags.js'
import { formatFindings, type CheckFinding } from './finding.js'

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
  const plan = {
    url,
    headers: flags.header.value,
    timeout: flags.timeout.value,
    insecure: flags.insecure.value,
    partial: flags.partial.value,
    balancerIdle: flags['balancer-idle'].value,
  }
  return orUnreachable(checkUrl(plan, proxyChecks))
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
  if (!isModule) return { ok: true, value: installed }
  const configured = await checkConfiguration(flags, place, terminal)
  return configured.ok ? { ok: true, value: [...installed, ...configured.value] } : configured
}

/** The nearest folder with a package.json, at or above the folder. */
function projectOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, 'package.json'))) return at
    if (dirname(at) === at) return folder
  }
}

/** What the options of a module leave open. */
async function checkConfiguration(
  { production, 'balancer-idle': balancerIdle }: DoctorFlagValues,
  file: string,
  { env }: Terminal,
): Promise<Outcome<readonly CheckFinding[], CliError>> {
  const isProduction = production.value ?? env['NODE_ENV'] === 'production'
  const { loadServed } = await import('../serve/load/load-served.js')
  // Some defaults depend on the variable.
  const served = await loadServed(
    [file],
    {},
    isProduction ? { ...env, NODE_ENV: 'production' } : env,
  )
  if (!served.ok) return served
  const { checkServedOptions } = await import('./check-options.js')
  const source = await readFile(file, 'utf8')
  const context = { isProduction, balancerIdle: balancerIdle.value, source }
  return { ok: true, value: checkServedOptions(served.value.options, context) }
}
