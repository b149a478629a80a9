import { acceptDefects } from './accept-defects.js'
import { bodyDefects, parameterDefects } from './body-defects.js'
import { listDefects } from './defect.js'
import { executionDefects, ruleDefects } from './execution-defects.js'
import { httpDefects, limitDefects } from './http-defects.js'
import { getDefects, methodDefects } from './method-defects.js'
import { resultDefects } from './result-defects.js'

/** Every defect, in the order of the road that a request takes. */
export const defects = listDefects(
  acceptDefects,
  methodDefects,
  getDefects,
  bodyDefects,
  parameterDefects,
  executionDefects,
  ruleDefects,
  resultDefects,
  httpDefects,
  limitDefects,
)
