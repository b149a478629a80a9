import { decodeValue, findParameters } from '../../../../src/http/target.js'
import { pathOf, queryOf } from '../../../../src/http/target.js'
import { mutate, sometimesMutated } from '../mutate.js'
import type { Random } from '../../../fuzz/random.js'
import { smallerTexts } from '../smaller.js'
import type { Target, Verdict } from '../../../fuzz/target.js'

const names = ['query', 'operationName', 'variables', 'extensions'] as const
// oxfmt-ignore
const words = [
  [...names],
  ['=', '&', '+', '%20', '%2B', '%', '%7', '%zz', '%c3%a4', '%C3', '%F0%9F%98%80', '%ed%a0%80'],
  ['%00', '%ef%bb%bf', '%26', '%3D', '%23', '?', '#', '__proto__=', 'q%75ery=', '{a}', '/graphql', '//', 'http://'],
].flat()

/** Targets of requests: their query against URLSearchParams, their path against URL. */
export function queryComponent(): Target<string> {
  return {
    name: 'query-component',
    about: 'findParameters, queryOf and pathOf against URLSearchParams and URL',
    generate,
    check,
    smaller: smallerTexts,
    row: (target) => JSON.stringify(target),
  }
}

function generate(random: Random): string {
  const pair = (): string => {
    const name = sometimesMutated(random, random.pick(names), words, 0.1)
    return `${name}${random.pick(['=', '=', '=', ''])}${value(random)}`
  }
  const query = random.list(4, pair).join(random.pick(['&', '&', '&&', ';']))
  const start = random.pick([
    '/graphql',
    '/',
    '',
    'http://a/graphql',
    'http://a',
    'HTTP://a:1/b/c',
    '*',
    '//a',
  ])
  return wellFormed(sometimesMutated(random, `${start}?${query}`, words, 0.3))
}

function value(random: Random): string {
  const text = random.pick(['{a}', '{ echo(s: "ä") }', '{"a":[1,2]}', 'Q', '', '%7Ba%7D', 'a+b'])
  const given = random.chance(0.5) ? text : encodeURIComponent(text)
  return random.chance(0.3) ? mutate(random, given, words) : given
}

/** No target holds half a character: a runtime reads its bytes as latin1 or as UTF-8. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString()
}

function check(target: string): Verdict {
  const question = target.includes('?')
  const query = queryOf(target)
  const right = question ? target.slice(target.split('?', 1)[0]!.length + 1) : ''
  if (query !== right) return `query: ${JSON.stringify(query)}, not ${JSON.stringify(right)}`
  const found = findParameters(query, names)
  const searched = new URLSearchParams(`?${query}`)
  for (const name of names) {
    const wanted = searched.get(name) ?? undefined
    const encoded = found[name]
    const read = encoded === undefined ? undefined : decodeValue(encoded)
    if (read !== wanted) {
      return `parameter: ${name} is ${JSON.stringify(read)}, not ${JSON.stringify(wanted)}`
    }
  }
  return checkPath(target)
}

/** Where the URL class changes nothing of a path, both must find the same. */
function checkPath(target: string): Verdict {
  const path = pathOf(target)
  if (path.includes('?')) return `path: ${path} has a query`
  const isAbsolute = /^https?:\/\/[a-z0-9.]+(?::\d+)?(?:[/?]|$)/.test(target)
  if (!isAbsolute && !/^\/(?!\/)/.test(target)) return undefined
  const url = URL.canParse(target, 'http://a') ? new URL(target, 'http://a') : undefined
  const isPlain = url !== undefined && /^[\w/~.!$&'()*+,;=:@%-]*$/.test(path)
  if (!isPlain || /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i.test(path) || target.includes('#'))
    return undefined
  return url.pathname === path ? undefined : `path: ${path}, not ${url.pathname}`
}
