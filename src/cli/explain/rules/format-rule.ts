import type { Rule } from './rules.js'

/** A rule in two lines: what it says, and where. */
export function formatRule({ statement, level, summary, link }: Rule): readonly string[] {
  return [`${statement} ${level}: ${summary}`, `  ${link}`]
}
