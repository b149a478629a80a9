import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { testClient } from '../../../src/hosts/testing.js'
import { buildSchema, createHandler, fieldValue } from '../../../src/index.js'
import type { Handler, Options, RequestHead, Resolvers } from '../../../src/index.js'
import { checkGenerated, checkTable } from '../../generated.js'
import { headersOf, jsonOf, methodOf, type Client } from '../../hosts/exchange.js'
import { http1Client } from '../../hosts/http1-client.js'
import { installed, skip } from '../installed.js'
import { guides, pathOf, shop, type Guide } from './guides.js'
import { count, describeResponse, rows } from './requests.js'
import { startServer } from './start-server.js'

void t.test('docs/migration/README.md shows the shop of all servers', async (t) => {
  checkCode(t, 'docs/migration/README.md', 'app', shop)
})

for (const guide of guides) {
  const page = `docs/migration/${guide.page}.md`

  void t.test(`${page} shows the code that runs`, async (t) => {
    for (const part of ['app', 'before', 'after'] as const) {
      const file = guide[part]
      if (file !== undefined) checkCode(t, page, part, file)
    }
  })

  void t.test(`${page} lists the differences`, { skip }, async (t) => {
    const names = Object.keys(guide.older ?? {})
    const servers = [...Object.values(guide.older ?? {}), guide.before, guide.after]
    const answers = async (file: string) => answersBy(http1Client(await startServer(t, file)))
    const columns = await Promise.all(servers.map(answers))
    const [before = [], after = []] = columns.slice(-2)

    const { title } = guide
    const differences = listDifferences([before, after])
    checkTable(t, page, 'differences', [['Request', title, 'graphwire'], ...differences])
    const marks = ['<!-- generated: versions -->\n', '<!-- end -->'] as const
    checkGenerated(t, page, marks, `${versionsOf(guide)}\n`)

    if (guide.older === undefined) return
    const shown = columns.slice(0, -1)
    checkTable(t, page, 'older versions', [['Request', ...names, title], ...listDifferences(shown)])
  })
}

const settings: Readonly<Record<string, Partial<Options>>> = {
  'by default': {},
  '`partialSuccessStatus: 200`': { partialSuccessStatus: 200 },
  "`edition: '2025-05'`": { edition: '2025-05' },
}

void t.test('docs/migration/README.md shows what the settings change', async (t) => {
  const { findUser, typeDefs, resolvers } = (await import(pathOf(shop))) as Shop
  const context = ({ head }: { head: RequestHead }) => ({
    user: findUser(fieldValue(head.headers, 'x-user')),
  })
  const columns: string[][] = []
  // One after the other, since they count together.
  for (const options of Object.values(settings)) {
    const schema = buildSchema(typeDefs, resolvers)
    const handler = createHandler({ schema, context, ...options, onBug() {} })
    columns.push(await answersBy(clientOf(handler)))
  }
  const table = [['Request', ...Object.keys(settings)], ...listDifferences(columns)]
  checkTable(t, 'docs/migration/README.md', 'settings', table)
})

/** A row for each request that not all servers answer alike; requests with the same answers share one. */
function listDifferences(columns: readonly (readonly string[])[]): string[][] {
  const names = new Map<string, string[]>()
  for (const [at, { name }] of rows.entries()) {
    const answers = columns.map((column) => column[at] ?? '')
    if (new Set(answers).size === 1) continue
    const key = answers.join('\n')
    names.set(key, [...(names.get(key) ?? []), name])
  }
  return [...names].map(([answers, same]) => [same.join('; '), ...answers.split('\n')])
}

function clientOf(handler: Handler): Client {
  const send = testClient(handler)
  return async (request) => {
    const { query = '', body } = request
    const response = await send({
      method: methodOf(request),
      target: `/graphql${query}`,
      headers: headersOf(request),
      ...(typeof body === 'string' && { body }),
    })
    const headers = [...response.headers].flat()
    return { status: response.status, statusText: '', headers, body: Buffer.from(response.body) }
  }
}

interface Shop {
  readonly typeDefs: string
  readonly resolvers: Resolvers<object>
  findUser(this: void, name: string | undefined): string | undefined
}

async function answersBy(send: Client): Promise<string[]> {
  const answers: string[] = []
  for (const row of rows) {
    const before = row.mutates && (await readCount(send))
    const response = await send(row.request, AbortSignal.timeout(20_000))
    const answer = describeResponse(row, response)
    if (before === undefined) answers.push(answer)
    else answers.push(`${answer}, ${(await readCount(send)) > before + 1 ? '' : 'not '}executed`)
  }
  return answers
}

/** The count of a server, which reading it increments. */
async function readCount(send: Client): Promise<number> {
  const { data } = jsonOf(await send(count)) as { data: { count: number } }
  return data.count
}

function checkCode(t: Test, page: string, part: string, file: string): void {
  const code = readFileSync(pathOf(file), 'utf8')
  const language = file.endsWith('.ts') ? 'ts' : 'js'
  const block = `\`\`\`${language}\n${code}\`\`\`\n`
  checkGenerated(t, page, [`<!-- generated: ${part} -->\n`, '<!-- end -->'], block)
}

/** The versions that were measured, as the lockfile has them. */
function versionsOf({ before, page, packages }: Guide): string {
  const text = readFileSync(`${installed}package-lock.json`, 'utf8')
  const lock = JSON.parse(text) as { packages: Record<string, { version?: string }> }
  const workspace = before.startsWith('before/') ? before.split('/')[1] : page
  const named = packages.map((name) => {
    const places = [`before/${workspace}/node_modules/${name}`, `node_modules/${name}`]
    const version = places.map((place) => lock.packages[place]?.version).find(Boolean)
    return `${name} ${version}`
  })
  return named.join(', ')
}
