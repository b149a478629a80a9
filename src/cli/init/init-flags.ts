import { choiceType, inGroup, switchType, type ValuesOf } from '../arguments/flag.js'
import { templateNames } from './templates.js'

const project = inGroup('Project')

// oxfmt-ignore
export const initFlags = {
  template: project(choiceType(...templateNames), undefined, 'Server or runtime of the project.', { defaultText: 'asked for; node with --yes' }),
  yes:      project(switchType, false, 'Ask nothing.'),
}

export type InitFlags = ValuesOf<typeof initFlags>
