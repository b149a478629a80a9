import { choiceType, switchType, type FlagTable } from '../arguments/flag.js'
import { templateNames, type TemplateName } from './templates.js'

/** The values of the flags of `init`. */
export interface InitFlags {
  readonly template: TemplateName | undefined
  readonly yes: boolean
}

/** The flags of `init`. */
export const initFlags: FlagTable<InitFlags> = {
  template: {
    type: choiceType(...templateNames),
    default: undefined,
    defaultText: 'asked for; node with --yes',
    env: [],
    group: 'Project',
    doc: 'What the project serves with.',
  },
  yes: {
    type: switchType,
    default: false,
    env: [],
    group: 'Project',
    doc: 'Ask nothing.',
  },
}
