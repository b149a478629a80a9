import type { Rule } from '../../src/cli/explain/rules.js'
import type { CodeRow } from '../../src/cli/explain/codes.js'

/** What a reason is about, by the table that it is from. */
export const surfaces: { readonly [by in CodeRow['by']]: string } = {
  HTTP: 'any request',
  GraphQL: 'operations',
  routes: '[routes](../rest.md)',
  connections: '[connections](../server.md)',
  streams: '[streams](../subscriptions.md)',
  uploads: '[uploads](../uploads.md)',
}

export function pageOfCode(code: string): string {
  return `${code.toLowerCase().replaceAll('_', '-')}.md`
}

/** The section of a page with the sentences of the specification. */
export function formatRules(rules: readonly Rule[]): string | undefined {
  if (rules.length === 0) return undefined
  const lines = rules.map(
    ({ statement, level, section, sentence, link }) =>
      `- \`${statement}\` **${level}** ([${section}](${link})): ${plain(sentence)}`,
  )
  return `## What the specification says\n\n${lines.join('\n')}`
}

/** In one line; names that the specification sets in braces become code. */
function plain(sentence: string): string {
  return sentence
    .replaceAll(/\s+/g, ' ')
    .replaceAll('<', '&lt;')
    .replaceAll(/\{("?\w+"?)\}/g, '`$1`')
}
