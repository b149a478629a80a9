/**
 * Whether a text looks like a URL or the words of libpq, so that there may be a password in it: it is not
 * shown, wherever it was put by mistake, and does not become the name of a file.
 */
export function mayHoldPassword(text: string): boolean {
  const path = text.replace(/^[a-z]:(?=[\\/])/i, '') // a drive of Windows
  return path.includes('://') || /:.*@/s.test(path) || /\bpassword\s*=/i.test(path)
}

/**
 * Whether the URL of a server has an @ after its host, as one has whose password is not escaped: of
 * `redis://me:half@of/it@host` a parser takes `of` for the host, and messages name it.
 */
export function hasLateAt(url: string): boolean {
  return /^[^:]*:\/\/[^/?#]*[/?#].*@/s.test(url)
}
