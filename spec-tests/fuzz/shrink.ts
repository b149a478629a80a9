import type { Target, Verdict } from './target.js'

/** As many tries as a failure is worth. */
const mostTries = 3000

/** The smallest input found that breaks the same rule, and what it breaks. */
export async function shrink<Input>(
  target: Target<Input>,
  input: Input,
  verdict: string,
): Promise<{ readonly input: Input; readonly verdict: string }> {
  let best = { input, verdict }
  let tries = 0
  for (let found = true; found;) {
    found = false
    for (const candidate of target.smaller(best.input)) {
      if (++tries > mostTries) return best
      const wrong = await checkSafely(target, candidate)
      if (wrong === undefined || ruleOf(wrong) !== ruleOf(verdict)) continue
      best = { input: candidate, verdict: wrong }
      found = true
      break
    }
  }
  return best
}

/** The verdict on an input; what is thrown breaks a rule of its own. */
export async function checkSafely<Input>(target: Target<Input>, input: Input): Promise<Verdict> {
  try {
    return await target.check(input)
  } catch (error) {
    const stack = error instanceof Error ? error.stack : undefined
    // The message and the place; what called it is the fuzzer.
    return `throws: ${stack?.split('\n', 2).join() ?? String(error)}`
  }
}

function ruleOf(verdict: string): string {
  return verdict.split(':', 1)[0] as string
}
