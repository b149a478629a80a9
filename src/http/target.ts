/** The path of a request target, without the query. Accepts the absolute form (RFC 9112 section 3.2.2). */
export function pathOf(target: string): string {
  const question = target.indexOf('?')
  const end = question < 0 ? target.length : question
  if (target.startsWith('/') || !absoluteForm.test(target)) return target.slice(0, end)
  const slash = target.indexOf('/', target.indexOf('://') + 3)
  return slash < 0 || slash > end ? '/' : target.slice(slash, end)
}

/** The query of a request target, without the question mark; empty if there is none. */
export function queryOf(target: string): string {
  const question = target.indexOf('?')
  return question < 0 ? '' : target.slice(question + 1)
}

const absoluteForm = /^[a-z][a-z0-9+.-]*:\/\//i
