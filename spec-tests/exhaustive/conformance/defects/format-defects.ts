import type { Defect } from './defect.js'

/** The tables of the defects for people who write a server or a runner of their own. */
export function formatDefects(defects: readonly Defect[], ofStreams: readonly Defect[]): string {
  return `${intro}${formatTable(defects)}\n${streamIntro}${formatTable(ofStreams)}`
}

function formatTable(defects: readonly Defect[]): string {
  const rows = defects.map(
    ({ name, says, noticedBy }) =>
      `| ${name} | ${says.replaceAll('|', '\\|')} | ${noticedBy.map((id) => `\`${id}\``).join(', ')} |`,
  )
  return `| Defect | What is wrong | Noticed by |\n|---|---|---|\n${rows.join('\n')}\n`
}

const intro = `# Which case must notice which defect

A server that serves the standard schema by edition 2026-09 passes every case that its capabilities allow. With one of these
defects, each of the cases beside it must fail or warn, or inform if no text requires more. Made from \`spec-tests/exhaustive/conformance/defects/\`, where each
is a transformation of our own server; \`UPDATE=1 node dist/spec-tests/exhaustive/conformance/mutants.test.js\` writes this page.

`

const streamIntro = `## Streams and sockets

The same for the suites \`sse\`, \`websocket\`, \`incremental\` and \`multipart-subscriptions\`. Every case of these suites is noticed by at least one of its defects.

`
