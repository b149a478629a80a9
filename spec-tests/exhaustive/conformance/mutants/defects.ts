import { acceptDefects } from './accept-defects.js'
import { bodyDefects } from './body-defects.js'
import { executionDefects } from './execution-defects.js'
import { getDefects } from './get-defects.js'
import { httpDefects } from './http-defects.js'
import { limitDefects } from './limit-defects.js'
import { methodsDefects } from './methods-defects.js'
import { parametersDefects } from './parameters-defects.js'
import { resultDefects } from './result-defects.js'
import { ruleDefects } from './rule-defects.js'

/** By name: what is wrong, and the ids of the cases that must notice it. */
export type DefectTable = Readonly<Record<string, readonly [says: string, ...noticedBy: string[]]>>

const all = {
  ...acceptDefects,
  ...methodsDefects,
  ...getDefects,
  ...bodyDefects,
  ...parametersDefects,
  ...executionDefects,
  ...ruleDefects,
  ...resultDefects,
  ...httpDefects,
  ...limitDefects,
}

/** The name of a defect. */
export type DefectName = keyof typeof all

/** Whether the server has a defect. */
export type Has = (name: DefectName) => boolean

/** A defect, and the cases that must notice it. */
export interface Defect {
  readonly name: DefectName
  readonly says: string
  readonly noticedBy: readonly string[]
}

/** Every defect, in the order of the road that a request takes. */
export const defects: readonly Defect[] = Object.entries(all as DefectTable).map(
  ([name, [says, ...noticedBy]]) => ({ name: name as DefectName, says, noticedBy }),
)
