/** A defect, and the cases that must notice it. */
interface ShownDefect {
  readonly name: string
  readonly says: string
  readonly noticedBy: readonly string[]
}

/** The tables of the defects for people who write a server or a runner of their own. */
export function formatDefects(
  defects: readonly ShownDefect[],
  streamDefects: readonly ShownDefect[],
): string {
  return `${intro}${formatTable(defects)}\n${streamIntro}${formatTable(streamDefects)}`
}

function formatTable(defects: readonly ShownDefect[]): string {
  const rows = defects.map(
    ({ name, says, noticedBy }) =>
      `| ${name} | ${says.replaceAll('|', '\\|')} | ${noticedBy.map((id) => `\`${id}\``).join(', ')} |`,
  )
  return `| Defect | What is wrong | Noticed by |\n|---|---|---|\n${rows.join('\n')}\n`
}

const intro = `# Which case must notice which defect

A server that serves the standard schema by edition 2026-09 passes every case that its capabilities allow. With one of these
defects, each of the cases beside it must fail or warn, or inform if no text requires more. Made from \`spec-tests/exhaustive/conformance/mutants/\`, whose server can
switch on each of them; \`UPDATE=1 node dist/spec-tests/exhaustive/conformance/mutants.test.js\` writes this page.

`

const streamIntro = `## Streams and sockets

The same for the suites \`sse\`, \`websocket\`, \`incremental\` and \`multipart-subscriptions\`. The server is in
\`spec-tests/exhaustive/conformance/streaming/mutants/\`; every case of these suites is noticed by at least one of its defects.

`
