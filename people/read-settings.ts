import { success, type Outcome } from 'graphwire'
import { readValues, readWords, type Environment } from './command-line/read-words.js'
import { settingTable, type ServiceSettings } from './settings.js'

/** The settings of `args` and `env`, flags first; a failure says what is wrong with which of them. */
export function readSettings(
  args: readonly string[],
  env: Environment,
): Outcome<ServiceSettings | 'help' | 'version', string> {
  const words = readWords(args, { flags: Object.values(settingTable) })
  if (!words.ok) return words
  if (typeof words.value === 'string') return success(words.value)
  // `set NODE_ENV=production &&` of cmd.exe leaves a space at the end.
  const isProduction = env['NODE_ENV']?.trim().toLowerCase() === 'production'
  // A database in production has its own people.
  const seed = { ...settingTable.seed, fallback: !isProduction }
  const values = readValues<Omit<ServiceSettings, 'isProduction'>>(
    words.value,
    { ...settingTable, seed },
    env,
  )
  return values.ok ? success({ ...values.value, isProduction }) : values
}
