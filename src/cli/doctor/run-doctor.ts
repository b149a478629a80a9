import { existsSync } from 'node:fs'
import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Call } from '../arguments/command.js'
import { describeFileError } from '../process/read-text-file.js'
import { isSchemaFile } from '../serve/flags/plan.js'
import type { DoctorFlags } from './doctor-flags.js'
import { checkIdle, formatFindings, toFinding } from './finding.js'
import type { CheckFinding, CheckVerdict } from './finding.js'
import { fail, type Exit } from '../process/exit.js'
import { toJson } from '../process/terminal.js'
import type { changedNumbers, PlannedOptions } from '../serve/flags/apply-plan.js'

type DoctorCall = Call<DoctorFlags>

/** Checks what the words name, and prints a line for each finding; a fail is exit code 1. */
export async function runDoctor(call: DoctorCall): Promise<Exit> {
  const { flags, words, terminal } = call
  const [place, ...more] = words
  if (more.length > 0) {
    fail('usage', `doctor takes one folder or schema file, got ${words.join(', ')}.`)
  }
  if (flags.url.value !== undefined && place !== undefined) {
    fail('usage', `--url checks a server: remove ${place}.`)
  }
  const findings =
    flags.url.value === undefined
      ? await checkProject(call, place ?? '.')
      : await (await import('./check-url.js')).checkUrl(flags.url.value, flags)
  terminal.out(flags.json.value ? toJson({ findings }) : formatFindings(findings, terminal.stdout))
  const isBroken = findings.some(({ state }) => state === 'fail')
  return isBroken ? 'findings' : 'ok'
}

async function checkProject(call: DoctorCall, place: string): Promise<readonly CheckFinding[]> {
  const isModule = isSchemaFile(place)
  const real = await realpath(place).catch((error: unknown) =>
    fail('usage', describeFileError(place, error)),
  )
  if (!isModule && !(await stat(real)).isDirectory()) {
    fail('usage', `${place}: expected a folder, or a schema file.`)
  }
  const { checkInstallation } = await import('./check-installation.js')
  const folder = isModule ? projectOf(dirname(real)) : real
  const installed = checkInstallation(folder, process.versions.node)
  return isModule ? [...installed, ...(await checkConfiguration(call, place))] : installed
}

/** The nearest folder with a package.json, at or above the folder. */
function projectOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, 'package.json'))) return at
    if (dirname(at) === at) return folder
  }
}

/** Finds what is open, unmasked or unlimited. Outside production, these are only informational. */
async function checkConfiguration(
  { flags: { production, 'balancer-idle': balancerIdle }, terminal: { env } }: DoctorCall,
  file: string,
): Promise<readonly CheckFinding[]> {
  const isProduction = production.value ?? env['NODE_ENV'] === 'production'
  const { loadServed } = await import('../serve/load/load-plan.js')
  // Some defaults depend on the variable.
  const inProduction = { ...env, NODE_ENV: 'production' }
  const options = await loadServed([file], {}, isProduction ? inProduction : env)
  const { changedNumbers } = await import('../serve/flags/apply-plan.js')
  const open = Object.entries(checkOpenness(options)).map(([check, verdict]) =>
    isProduction || typeof verdict === 'string'
      ? toFinding(check, verdict)
      : toFinding(check, `${verdict[1]} (fine while developing)`),
  )
  const { trustedProxies, keepAliveTimeout } = options
  return [
    ...open,
    toFinding('raised limits', checkLimits(changedNumbers(options))),
    toFinding('proxy trust', checkTrust(await readFile(file, 'utf8'), trustedProxies)),
    toFinding('keep-alive', checkIdle(keepAliveTimeout / 1000, balancerIdle.value)),
  ]
}

function checkOpenness(options: PlannedOptions): { readonly [check: string]: CheckVerdict } {
  const { introspection, ide, cors, maskErrors, reportOnly, authenticate, admit } = options
  const checker = authenticate === undefined ? admit && '`admit`' : '`authenticate`'
  const reported = [reportOnly].flat().join(', ')
  const origins = typeof cors?.origins === 'function' ? ['as a function says'] : cors?.origins
  return {
    introspection: introspection ? ['warn', 'on', 'introspection'] : 'off',
    ide: ide === undefined ? 'off' : ['warn', 'on', 'ide'],
    cors:
      origins === '*'
        ? ['warn', '*', 'cors']
        : (origins?.join(', ') ?? 'off: only pages of this origin'),
    masking: maskErrors === false ? ['fail', 'off', 'masking'] : 'on',
    limits: reported === '' ? 'enforced' : ['warn', `only reported: ${reported}`, 'report only'],
    credentials: checker === undefined ? 'none: open to everyone' : `checked by ${checker}`,
  }
}

function checkLimits(changed: ReturnType<typeof changedNumbers>): CheckVerdict {
  const raised = changed.flatMap(({ name, value, row }) =>
    name.startsWith('max') && value > row.default
      ? `${name} ${value} (default ${row.default})`
      : [],
  )
  return raised.length === 0 ? 'none' : ['warn', raised.join(', '), 'raised limits']
}

/** Searches the text of the user's module for headers of proxies. */
function checkTrust(source: string, trustedProxies: number): CheckVerdict {
  const header = /x-forwarded-[a-z]+|x-real-ip|\bforwarded['"]/i.exec(source)?.[0]
  if (header !== undefined) return ['warn', `the module reads ${header}`, 'proxy trust']
  return trustedProxies === 0
    ? 'nothing reads X-Forwarded-*'
    : `X-Forwarded-For names the client (trustedProxies ${trustedProxies})`
}
