import { exitCodes } from './exit-codes.js'
import { settingTable, type Setting } from './settings.js'

/** What `--help` prints. */
export function formatHelp(): string {
  const settings = Object.values<Setting<unknown>>(settingTable)
  return `${[
    ['The people service: GraphQL at /graphql, resource-style endpoints beside it.'],
    [
      'Usage',
      '  node people/dist/main.js [flags]                      serves',
      '  node people/dist/main.js keys create|list|revoke      API keys; --help says more',
      '  node people/dist/main.js logins create|list|remove    logins; --help says more',
    ],
    ['Flags, each with its environment variable', ...settings.flatMap(describeFlag)],
    ['Environment only', ...settings.flatMap(describeVariable)],
    [
      '  NODE_ENV=production',
      '      JSON logs on stdout, no seed, no demo credentials, no introspection, and JWT_KEY must be set.',
    ],
    [
      'Exit codes',
      ...Object.values(exitCodes).map(
        ({ code, meaning }) => `  ${String(code).padEnd(5)} ${meaning}`,
      ),
    ],
  ]
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`
}

function describeFlag({ flag, env, placeholder, doc, defaultText }: Setting<unknown>): string[] {
  if (flag === undefined) return []
  const spelling = placeholder === undefined ? `--[no-]${flag}` : `--${flag} <${placeholder}>`
  return [`  ${spelling.padEnd(32)} ${env}`, `      ${doc} Default: ${defaultText}.`]
}

function describeVariable({
  flag,
  env,
  placeholder,
  doc,
  defaultText,
}: Setting<unknown>): string[] {
  if (flag !== undefined) return []
  return [`  ${env}=<${placeholder}>`, `      ${doc} Default: ${defaultText}.`]
}
