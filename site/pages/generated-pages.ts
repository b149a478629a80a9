import { makeCoveragePage } from './coverage-page.js'
import { makeAuditsPage } from './audits-page.js'
import { makeCodePages } from './code-pages.js'
import { makeFlagsPage } from './flags-page.js'
import { makeOptionsPage } from './options-page.js'
import { makeServerPages } from './server-pages.js'
import { makeStatusPages } from './status-pages.js'

/** The pages that only the site has, by their paths in docs. */
export async function makeGeneratedPages(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['options.md', makeOptionsPage()],
    ['flags.md', makeFlagsPage()],
    ['reports/audits.md', makeAuditsPage()],
    ['reports/coverage.md', makeCoveragePage()],
    ...[...makeServerPages()].map(([name, text]) => [`servers/${name}`, text] as const),
    ...[...makeCodePages()].map(([name, text]) => [`codes/${name}`, text] as const),
    ...[...(await makeStatusPages())].map(([name, text]) => [`status/${name}`, text] as const),
  ])
}
