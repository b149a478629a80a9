import { cutText } from '../base/cut-text.js'

/** A JSON pointer as a URI fragment (RFC 6901 section 6), such as '#/address/city'. */
export function toPointer(path: readonly (string | number)[]): string {
  return `#${path.map((part) => `/${escape(String(part))}`).join('')}`
}

function escape(part: string): string {
  // Names sent by a client can be as long as its body.
  const cut = cutText(part, 100)
  // `encodeURIComponent` throws for a lone surrogate, which has no UTF-8.
  const whole = cut.replaceAll(loneSurrogates, '\ufffd')
  return encodeURIComponent(whole.replaceAll('~', '~0').replaceAll('/', '~1'))
}

const loneSurrogates = /\p{Surrogate}/gu
