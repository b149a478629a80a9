import type { Defect } from './defects.js'

/** The table of the defects for people who write a server or a runner of their own. */
export function formatDefects(defects: readonly Defect[]): string {
  const rows = defects.map(
    ({ name, says, noticedBy }) =>
      `| ${name} | ${says.replaceAll('|', '\\|')} | ${noticedBy.map((id) => `\`${id}\``).join(', ')} |`,
  )
  return `${intro}| Defect | What is wrong | Noticed by |\n|---|---|---|\n${rows.join('\n')}\n`
}

const intro = `# Which case must notice which defect

A server that serves the standard schema by edition 2026-09 passes every case that its capabilities allow. With one of these
defects, each of the cases beside it must fail or warn, or inform if no text requires more. Made from \`spec-tests/conformance/mutants/\`, whose server can
switch on each of them; \`UPDATE=1 node dist/spec-tests/conformance/mutants.test.js\` writes this page.

`
