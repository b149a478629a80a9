import { execFileSync } from 'node:child_process'
import t from 'tap'

/** How many functions of graphwire one warm request runs, and in how many files. More needs a reason. */
// oxfmt-ignore
const budgets: readonly (readonly [request: string, functions: number, files: number])[] = [
  ['POST', 105, 40],
  ['GET',   89, 38],
]

const counted = execFileSync(
  process.execPath,
  ['spec-tests/exhaustive/hosts/count-functions.mjs'],
  { encoding: 'utf8' },
)

for (const [request, functions, files] of budgets) {
  void t.test(`${request} runs at most ${functions} functions in ${files} files`, async (t) => {
    const line = new RegExp(`^${request}: (\\d+) functions in (\\d+) files$`, 'm').exec(counted)
    const [ran, inFiles] = [Number(line?.[1]), Number(line?.[2])]
    t.ok(ran <= functions, `${ran} functions`)
    t.ok(inFiles <= files, `${inFiles} files`)
    t.ok(ran > functions - 5 && inFiles > files - 5, 'lower the budget, so that it says something')
  })
}
