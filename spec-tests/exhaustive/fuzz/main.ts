import { parseArgs } from 'node:util'
import { runTarget, type Bounds, type Failure, type RunReport } from '../../fuzz/run-target.js'
import { targets } from './targets.js'

const help = `Usage: node dist/spec-tests/exhaustive/fuzz/main.js [options]

Makes requests at random and checks what must hold of every answer.

  --seed <n>      The seed; the same one makes the same inputs. Default: by the clock.
  --seconds <n>   How long to run in all. Default: 60.
  --cases <n>     How many inputs for each target, instead of a time.
  --case <n>      Only this input of the target named by --only.
  --only <names>  Only these targets, with commas between them.
  --keep-going    Look for up to 10 failures of each target.
  --list          Print the targets.
  --help          Print this.

Results go to stdout, progress to stderr. Exit codes: 0 nothing found, 1 something found, 2 wrong usage.
`

process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  let plan: Plan
  try {
    plan = readPlan(args)
  } catch (error) {
    process.stderr.write(`fuzz: ${(error as Error).message} (--help tells more)\n`)
    return 2
  }
  if ('print' in plan) {
    process.stdout.write(plan.print)
    return 0
  }
  return run(plan)
}

/** What to do, as the arguments say it. */
type Plan =
  | { readonly print: string }
  | { readonly names: readonly string[]; readonly milliseconds: number; readonly bounds: Bounds }

function readPlan(args: readonly string[]): Plan {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: text,
      seconds: text,
      cases: text,
      case: text,
      only: text,
      'keep-going': flag,
      list: flag,
      help: flag,
    },
  })
  if (values.help) return { print: help }
  if (values.list) return { print: `${Object.keys(targets).join('\n')}\n` }
  const names = values.only?.split(',') ?? Object.keys(targets)
  const unknown = names.find((name) => !Object.hasOwn(targets, name))
  if (unknown !== undefined) throw new Error(`there is no target ${unknown}`)
  if (values.case !== undefined && names.length !== 1) throw new Error('--case needs one --only')
  const first = values.case === undefined ? 0 : numberOf('case', values.case)
  const only = values.case === undefined ? undefined : 1
  const cases = values.cases === undefined ? only : numberOf('cases', values.cases)
  const seed = values.seed === undefined ? Date.now() % 2 ** 32 : numberOf('seed', values.seed)
  const seconds = values.seconds === undefined ? 60 : numberOf('seconds', values.seconds)
  return {
    names,
    milliseconds: cases === undefined ? (seconds * 1000) / names.length : Infinity,
    bounds: {
      seed,
      first,
      mostFailures: values['keep-going'] ? 10 : 1,
      ...(cases !== undefined && { cases }),
    },
  }
}

function numberOf(name: string, text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new Error(`--${name} needs a whole number, not ${text}`)
  return Number(text)
}

async function run({
  names,
  milliseconds,
  bounds,
}: Exclude<Plan, { print: string }>): Promise<number> {
  process.stdout.write(`seed ${bounds.seed}\n`)
  let found = 0
  for (const name of names) {
    process.stderr.write(`fuzz: ${name} ...\n`)
    const until = Date.now() + milliseconds
    const { cases, failures, slowest } = await runTarget(targets[name]!, { ...bounds, until })
    process.stdout.write(
      `${name}: ${cases} cases, ${failures.length} failures, ${describeSlowest(slowest)}\n`,
    )
    for (const failure of failures) process.stdout.write(describe(failure))
    found += failures.length
  }
  return found === 0 ? 0 : 1
}

function describeSlowest({ number, took }: RunReport['slowest']): string {
  return `the slowest was --case ${number} with ${Math.round(took)} ms`
}

function describe({ target, seed, number, verdict, row }: Failure): string {
  const again = `--seed ${seed} --only ${target} --case ${number}`
  return `  ${again}\n    ${verdict}\n    input: ${row}\n`
}
