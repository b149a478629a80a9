import { brotliDecompressSync, gzipSync } from 'node:zlib'
import { createPage, type Page } from './pages.js'

/** In the order in which they are preferred where a client has no preference. */
const codings = ['br', 'gzip', 'identity'] as const

type Coding = (typeof codings)[number]

/**
 * A text that is kept compressed with Brotli, in the coding for a value of `Accept-Encoding`. The other codings are
 * made when they are first asked for, and kept: most processes never need them.
 */
export function createPackedPage(
  type: string,
  packed: Buffer,
): (acceptEncoding: string | undefined) => Page {
  const { tag } = createPage(type, packed)
  const unpack = (): Buffer => brotliDecompressSync(packed)
  const make: { readonly [coding in Coding]: () => Page } = {
    br: () => ({ type, body: packed, tag: `${tag}-br`, coding: 'br' }),
    gzip: () => ({ type, body: gzipSync(unpack()), tag: `${tag}-gzip`, coding: 'gzip' }),
    identity: () => ({ type, body: unpack(), tag }),
  }
  const pages = new Map<Coding, Page>()
  return (acceptEncoding) => {
    const coding = chooseCoding(acceptEncoding)
    const page = pages.get(coding) ?? make[coding]()
    pages.set(coding, page)
    return page
  }
}

/**
 * RFC 9110 section 12.5.3. A wildcard does not mean Brotli: the client may only support gzip. A client that
 * accepts nothing gets the text as it is.
 */
export function chooseCoding(acceptEncoding = ''): Coding {
  const weights = new Map(acceptEncoding.split(',').map(parseMember))
  const wildcard = weights.get('*')
  const weigh = (coding: Coding): number =>
    weights.get(coding) ?? (coding === 'br' ? undefined : wildcard) ?? 0
  const most = Math.max(...codings.map(weigh))
  return most > 0 ? (codings.find((coding) => weigh(coding) === most) as Coding) : 'identity'
}

/** A coding and its weight, which is 0 if it is malformed. */
function parseMember(member: string): readonly [coding: string, weight: number] {
  const [coding = '', ...parameters] = member.split(';').map((part) => part.trim().toLowerCase())
  const name = coding === 'x-gzip' ? 'gzip' : coding // section 8.4.1.3
  if (parameters.length === 0) return [name, 1]
  const [, weight = '0'] = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.exec(parameters.join(';')) ?? []
  return [name, Number(weight)]
}
