import { tables } from '../../spec-tests/options/number-tables.js'
import { readRoot } from './read-root.js'
import { formatTable, joinSections } from './markdown.js'

// oxfmt-ignore
const sections: readonly [title: string, about: string, tables: readonly [file: string, name: string][]][] = [
  ['What the handler does', 'Options of `createHandler` and `serve`. Only `schema` is required. [Hooks](hooks.md) explains the functions.', [['src/options/options.ts', 'Options'], ['src/options/hooks.ts', 'Hooks']]],
  ['Stored documents',      'See [trusted documents](documents.md).',                     [['src/options/document-options.ts', 'DocumentOptions'], ['src/options/document-options.ts', 'apqRows']]],
  ['Limits of documents',   '[Limits](limits.md) has the flags, and what to set for which deployment.',      [['src/graphql/limits/limits.ts', 'limitRows']]],
  ['Limits of requests',    '[Limits](limits.md) has the flags, and what to set for which deployment.',      [['src/options/numeric-options.ts', 'requestRows'], ['src/options/batch-options.ts', 'batchRows']]],
  ['Limits of streams',     'See [subscriptions](subscriptions.md).',                     [['src/options/stream-options.ts', 'streamRows']]],
  ['WebSockets',            'Members of the option `websocket` of `serve`: [WebSockets](websocket.md).', [['src/websocket/socket-options.ts', 'socketRows']]],
  ['Servers',               'Options of `serve` and `listen`, in addition to the above: [a server on Node](server.md).', [['src/hosts/node/connection/connection-options.ts', 'listenRows'], ['src/hosts/node/connection/connection-options.ts', 'connectionRows'], ['src/hosts/node/exchange/node-host-options.ts', 'nodeHostRows']]],
  ['Closing',               'Options of `close()`: [what it does](server.md#what-close-does).', [['src/hosts/node/server/close-options.ts', 'closeRows']]],
]

/** How the options of some tables are written. */
const prefixes: { readonly [name: string]: string } = {
  apqRows: 'apq.',
  batchRows: 'batch.',
  socketRows: 'websocket.',
}

/** The page of options: each with its default, as the comments of their interfaces and rows have it. */
export function makeOptionsPage(): string {
  const parts = sections.map(([title, about, shown]) => {
    const rows = shown.flatMap(([file, name]) => readRows(file, name))
    return `## ${title}\n\n${about}\n\n${formatTable([['Option', 'Default', 'What it does'], ...rows])}`
  })
  const about =
    'The options, as editors show them. An unknown name or an invalid value is a TypeError that says what was expected. ' +
    'Those of the binary are [flags](flags.md).'
  return joinSections(['# Options', about, ...parts])
}

/** The members of an interface or of a table of rows, which have a comment in one line: what it says, and the default at its end. */
function readRows(file: string, name: string): (readonly string[])[] {
  const [, body = ''] =
    new RegExp(`export (?:interface|const) ${name}\\b[^{]*\\{\\n([^]*?)\\n\\}`).exec(
      readRoot(file),
    ) ?? []
  const members = [
    ...body.matchAll(/^ {2}\/\*\* (.*) \*\/\n(?: {2}\/\/ .*\n)* {2}(?:readonly )?(\w+)/gm),
  ]
  const count = [...body.matchAll(/^ {2}(?:readonly )?\w+\??[:(]/gm)].length
  if (count === 0 || members.length !== count) {
    throw new Error(`${file}: each member of ${name} needs a comment in one line`)
  }
  const numbers = tables.find(([, one]) => one === name)?.[2]
  return members.map(([, comment = '', member = '']) => {
    const [, meaning = comment, value = 'none'] = /^(.*?) Default: (.*)\.$/.exec(comment) ?? []
    const isRequired = member === 'schema'
    const option = `\`${prefixes[name] ?? ''}${member}\``
    const why = numbers?.[member]?.why
    const text = why === undefined ? meaning : `${meaning} Reason: ${why}.`
    return [option, isRequired ? 'required' : escape(value), escape(text)]
  })
}

function escape(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/(?<!`)(@\w+)(?!`)/g, '`$1`')
}
