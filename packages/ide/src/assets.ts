import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'

/** A response as the engine takes it. */
export interface IdeResponse {
  readonly status: number
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body: string | Uint8Array
}

/** The manifest of the build. The names of the files contain their hashes. */
interface AssetManifest {
  readonly script: string
  readonly style: string
  readonly files: readonly string[]
}

/** The files of the page. */
export interface Assets extends Omit<AssetManifest, 'files'> {
  readonly respond: (name: string, headers: readonly string[]) => IdeResponse | undefined
}

const types: { readonly [extension: string]: string } = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  ttf: 'font/ttf',
}

/** The names of files change with their contents. */
// oxfmt-ignore
const fixedHeaders: readonly string[] = [
  'Cache-Control', 'public, max-age=31536000, immutable',
  'Vary', 'Accept-Encoding',
  'X-Content-Type-Options', 'nosniff',
]

/** Opens the folder that the build has written; its files are compressed with Brotli. */
export function openAssets(folder: URL, brotli: boolean): Assets {
  const { files, ...manifest } = JSON.parse(
    readFileSync(new URL('manifest.json', folder), 'utf8'),
  ) as AssetManifest
  const known = new Set(files)
  const kept = new Map<string, Uint8Array>()
  const read = (name: string): Uint8Array => {
    const isPacked = name.endsWith('.br')
    const bytes =
      kept.get(name) ??
      (isPacked ? readFileSync(new URL(name, folder)) : brotliDecompressSync(read(`${name}.br`)))
    kept.set(name, bytes)
    return bytes
  }
  return {
    ...manifest,
    respond(name, fields) {
      if (!known.has(name)) return undefined
      const headers = [
        // Weak, since both codings of a file share it.
        'ETag',
        `W/"${name}"`,
        ...fixedHeaders,
      ]
      if (hasTag(valueOf(fields, 'if-none-match'), name)) return { status: 304, headers, body: '' }
      headers.push('Content-Type', types[name.slice(name.lastIndexOf('.') + 1)] as string)
      if (brotli && acceptsBrotli(valueOf(fields, 'accept-encoding'))) {
        headers.push('Content-Encoding', 'br')
        return { status: 200, headers, body: read(`${name}.br`) }
      }
      return { status: 200, headers, body: read(name) }
    },
  }
}

function valueOf(fields: readonly string[], name: string): string {
  const values: string[] = []
  for (let at = 0; at < fields.length; at += 2) {
    if (fields[at]?.toLowerCase() === name) values.push(fields[at + 1] ?? '')
  }
  return values.join(', ')
}

function hasTag(field: string, name: string): boolean {
  const tags = new Set(field.split(',').map((one) => one.trim().replace('W/', '')))
  return tags.has('*') || tags.has(`"${name}"`)
}

/** RFC 9110 section 12.5.3. A wildcard does not ask for Brotli: its sender may know only gzip. */
function acceptsBrotli(field: string): boolean {
  return field.split(',').some((one) => {
    const [coding = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase())
    return coding === 'br' && !parameters.some((part) => /^q=0(?:\.0*)?$/.test(part))
  })
}
