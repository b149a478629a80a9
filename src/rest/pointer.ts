import { cutText } from '../cut-text.js'

/** A JSON pointer as a URI fragment (RFC 6901 section 6), such as '#/address/city'. */
export function toPointer(path: readonly (string | number)[]): string {
  return `#${path.map((part) => `/${escape(String(part))}`).join('')}`
}

function escape(part: string): string {
  // A client's own name can be as long as its body.
  const cut = cutText(part, 100)
  // A lone surrogate has no UTF-8, and `encodeURIComponent` throws of it.
  const whole = cut.replaceAll(loneSurrogates, '\ufffd')
  return encodeURIComponent(whole.replaceAll('~', '~0').replaceAll('/', '~1'))
}

const loneSurrogates = /\p{Surrogate}/gu
