import type { Random } from './random.js'

/** What is wrong with the answer to an input: the rule first, then the detail behind a colon; undefined where nothing is. */
export type Verdict = string | undefined

/** One thing to fuzz: makes inputs, says what must hold of each and how an input gets smaller. */
export interface Target<Input = unknown> {
  readonly name: string
  generate(random: Random): Input
  check(input: Input): Verdict | Promise<Verdict>
  smaller(input: Input): Iterable<Input>
  /** The input as source text that can be pasted into a test, if JSON is not that. */
  row?(input: Input): string
  /** Lets go of what the target holds, such as a server. */
  close?(): Promise<void>
}

/** Makes a target anew for each run. */
export type TargetMaker = () => Target | Promise<Target>
