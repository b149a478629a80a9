import { memo } from './memo.js'

/**
 * Whether a text is a valid `Host`: `uri-host [ ":" port ]` of RFC 3986 section 3.2, possibly empty. Names
 * with a comma are rejected, although the grammar allows them: a comma means that two Host lines were
 * joined. Clients name the same few hosts again and again.
 */
export const isHostValue: (text: string) => boolean = memo((text = '') => hostValue.test(text))

const hostValue = /^(?:\[[0-9a-fv:.]+\]|[\w.~!$&'()*+;=%-]*)(?::\d*)?$/i
