/**
 * Whether a text is a valid `Host`: `uri-host [ ":" port ]` of RFC 3986 section 3.2, possibly empty. Names
 * with a comma are rejected, although the grammar allows them: a comma means that two Host lines were
 * joined.
 */
export function isHostValue(text: string): boolean {
  return hostValue.test(text)
}

const hostValue = /^(?:\[[0-9a-fv:.]+\]|[\w.~!$&'()*+;=%-]*)(?::\d*)?$/i
