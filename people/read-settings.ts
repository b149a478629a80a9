import { parseArgs } from 'node:util'
import { failure, success, type Outcome } from 'graphwire'
import { settingTable, type Setting, type Settings } from './settings.js'

/** What the environment gives, by name. */
export interface Environment {
  readonly [name: string]: string | undefined
}

type Asked = 'help' | 'version'

/** The settings of `args` and `env`, flags first; a failure says what is wrong with which of them. */
export function readSettings(
  args: readonly string[],
  env: Environment,
): Outcome<Settings | Asked, string> {
  const flags = readFlags(args)
  if (!flags.ok) return flags
  if (flags.value['help'] === true) return success('help')
  if (flags.value['version'] === true) return success('version')
  const isProduction = env['NODE_ENV'] === 'production'
  const found: { [name: string]: unknown } = { isProduction }
  for (const [name, setting] of Object.entries<Setting<unknown>>(settingTable)) {
    const value = readSetting(setting, flags.value, env)
    if (!value.ok) return value
    // Production has people of its own.
    const fallback = name === 'seed' ? !isProduction : setting.fallback
    found[name] = value.value ?? fallback
  }
  return success(found as unknown as Settings)
}

type Flags = { readonly [name: string]: string | boolean | undefined }

function readFlags(args: readonly string[]): Outcome<Flags, string> {
  const options: { [flag: string]: { type: 'string' | 'boolean'; short?: string } } = {
    help: { type: 'boolean', short: 'h' },
    version: { type: 'boolean' },
  }
  for (const { flag, placeholder } of Object.values<Setting<unknown>>(settingTable)) {
    if (flag !== undefined)
      options[flag] = { type: placeholder === undefined ? 'boolean' : 'string' }
  }
  try {
    const { values, tokens } = parseArgs({
      args: [...args],
      options,
      strict: true,
      allowNegative: true,
      tokens: true,
    })
    const names = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []))
    const twice = names.find((name, at) => names.indexOf(name) !== at)
    if (twice !== undefined) return failure(`--${twice} is given twice.`)
    return success(values)
  } catch (error) {
    return failure((error as Error).message)
  }
}

function readSetting(
  setting: Setting<unknown>,
  flags: Flags,
  variables: Environment,
): Outcome<unknown, string> {
  const { flag, env, expected, isSecret } = setting
  const given = flag === undefined ? undefined : flags[flag]
  if (typeof given === 'boolean') return success(given)
  const text = given ?? (variables[env] || undefined)
  if (text === undefined) return success(undefined)
  const value = setting.read(text)
  if (value !== undefined) return success(value)
  const place = given === undefined ? env : `--${flag}`
  const shown = isSecret === true ? 'something else' : JSON.stringify(text)
  return failure(`${place}: expected ${expected}, got ${shown}.`)
}
