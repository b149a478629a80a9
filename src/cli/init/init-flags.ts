import { choiceType, inGroup, switchType, type FlagTable } from '../arguments/flag.js'
import { templateNames, type TemplateName } from './templates.js'

export interface InitFlags {
  readonly template: TemplateName | undefined
  readonly yes: boolean
}

const project = inGroup('Project')

// oxfmt-ignore
export const initFlags: FlagTable<InitFlags> = {
  template: project(choiceType(...templateNames), undefined, 'Server or runtime of the project.', { defaultText: 'asked for; node with --yes' }),
  yes:      project(switchType, false, 'Ask nothing.'),
}
