import { existsSync, readFileSync } from 'node:fs'
import t from 'tap'
import * as compiled from '../../../src/compiled/index.js'
import * as fetchHost from '../../../src/hosts/fetch/index.js'
import * as fastifyHost from '../../../src/hosts/frameworks/fastify.js'
import * as koaHost from '../../../src/hosts/frameworks/koa.js'
import * as nodeHost from '../../../src/hosts/node/index.js'
import { serveShapes } from '../../../src/hosts/node/server/serve.js'
import * as socketHost from '../../../src/hosts/node/websocket/index.js'
import * as testing from '../../../src/hosts/testing.js'
import * as core from '../../../src/index.js'
import { installed, skip } from '../installed.js'
import { root } from '../runtimes/runtime.js'
import { guides } from './guides.js'

const modules = [core, compiled, fetchHost, fastifyHost, koaHost, nodeHost, socketHost, testing]

/** What the right column may name beside options and exports: their parameters, and what belongs to Node, Express and Nest. */
const otherNames =
  'GraphwireDriverConfig IncomingMessage PUBLIC app cache close driver error extensions graphwire handler head params prefix principal proceed req request retryAfter signal start this websocket wrapField'

const known: ReadonlySet<string> = new Set([
  ...Object.keys(serveShapes),
  ...modules.flatMap((module) => Object.keys(module)),
  ...otherNames.split(' '),
])

for (const { page, options } of guides) {
  const path = `docs/migration/${page}.md`
  const [, after = ''] = readFileSync(root + path, 'utf8').split('\n## Options\n')
  const [text = ''] = after.split('\n## ')

  void t.test(`${path} says what each old option becomes`, { skip }, async (t) => {
    for (const [file, type] of options) {
      const members = readMembers(readFileSync(findInstalled(file, page), 'utf8'), type)
      t.ok(members.length > 1, type)
      const isNamed = (name: string) => new RegExp(`\`[^\`]*\\b${name}\\b[^\`]*\``).test(text)
      const missing = members.filter((member) => !isNamed(member))
      t.strictSame(missing, [], type)
    }
  })

  void t.test(`${path} names options that exist`, async (t) => {
    const cells = text.split('\n').flatMap((line) => line.split(/(?<!\\)\|/).slice(2, 3))
    const named = cells.flatMap((cell) =>
      [...cell.matchAll(/`([a-z]\w*)[^`]*`/gi)].map(([, name = '']) => name),
    )
    t.ok(named.length > 7)
    const unknown = named.filter((name) => !known.has(name))
    t.strictSame(unknown, [])
  })
}

/** The members of an interface or an object type in a declaration file, as far as they are not within others. */
function readMembers(declarations: string, type: string): string[] {
  const lines = declarations.split('\n')
  const first = lines.findIndex((line) => new RegExp(`(?:interface|type) ${type}\\b`).test(line))
  const outer = /^ */.exec(lines[first] ?? '')?.[0] ?? ''
  const end = lines.findIndex((line, at) => at > first && line.startsWith(`${outer}}`))
  const body = lines.slice(first + 1, end)
  const inner = body.map((line) => /^( +)\w+\??[:(]/.exec(line)?.[1]?.length ?? Infinity)
  const indent = Math.min(...inner)
  return body
    .filter((_, at) => inner[at] === indent)
    .map((line) => /\w+/.exec(line)?.[0] ?? '')
    .filter((name) => !name.startsWith('__'))
}

/** A file of a package of a workspace, wherever npm has put it. */
function findInstalled(file: string, workspace: string): string {
  const places = [`${installed}before/${workspace}/node_modules/`, `${installed}node_modules/`]
  return places.map((place) => place + file).find((path) => existsSync(path)) ?? file
}
