import type { FieldLine } from '../../conformance/index.js'
import type { FlagType } from '../flag.js'

/** `Name: value`. A comma is part of the value, so each header is a flag of its own. */
export const headerType: FlagType<readonly FieldLine[]> = {
  placeholder: 'name: value',
  expected: 'a header such as "Authorization: Bearer abc"',
  read(text) {
    // RFC 9110 sections 5.1 and 5.5; the conformance suite, which knows too, would load undici for help.
    const line = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([\t\u0020-\u007e\u0080-\u00ff]*)$/.exec(text)
    const [, name = '', value = ''] = line ?? []
    return line === null ? undefined : [[name, value.trimEnd()]]
  },
  combine: (lines) => lines.flat(),
}
