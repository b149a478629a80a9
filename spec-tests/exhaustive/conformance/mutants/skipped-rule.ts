import { specifiedRules } from 'graphql'
import type { DefectName, Has } from './defects.js'

/** The validation rule that a defect leaves out. */
export function skippedRule(has: Has): string | undefined {
  return specifiedRules.find(({ name }) => has(`rule-skipped-${name}` as DefectName))?.name
}
