import { readFileSync } from 'node:fs'
import t from 'tap'
import { connectSocket } from '../service/socket-client.js'
import { start, until } from '../service/started.js'
import { figuresOf } from '../service/with-keys.js'
import type { Json } from '../../schema/serve-schema.js'

const file = new URL('../../../../grafana.json', import.meta.url)
const { panels } = JSON.parse(readFileSync(file, 'utf8')) as { readonly panels: readonly Json[] }

/** What a query of PromQL selects: names of metrics, and the labels that it names. */
function readQuery(expr: string): { readonly names: string[]; readonly labels: string[] } {
  const labels: string[] = []
  const note = (list: string): string => {
    for (const [, label = ''] of list.matchAll(/([a-zA-Z_]\w*)/g)) labels.push(label)
    return ' '
  }
  const bare = expr
    .replaceAll(/\[\$__rate_interval\]/g, '')
    .replaceAll(/ by \(([^)]*)\)/g, (_, list: string) => note(list))
    .replaceAll(/\{([^}]*)\}/g, (_, matchers: string) => note(matchers.replaceAll(/"[^"]*"/g, '')))
  const words = Array.from(bare.matchAll(/[a-zA-Z_:][\w:]*/g), ([word]) => word)
  return { names: words.filter((word) => !functions.has(word)), labels }
}

const functions: ReadonlySet<string> = new Set(['histogram_quantile', 'max', 'rate', 'sum', 'topk'])

t.test('each query of the dashboard finds its metric, with the labels that it names', async (t) => {
  const service = await start(t, ['--db', ':memory:', '--auth', 'off', '--rate-limit', 'off'])
  const ask = (query: string) => service.send('POST', '/graphql', { query })
  await ask('{ people { name } }')
  await ask('{ nobody }')
  await ask(`{ ${Array.from({ length: 200 }, (_, at) => `a${at}: __typename`).join(' ')} }`)
  await service.ask('/person/1')
  const socket = await connectSocket(service)
  socket.subscribe('1', 'subscription { personChanged { kind } }')
  const untilMeasured = (name: string) => until(async () => (await figuresOf(service)).has(name))
  await untilMeasured('people_streams_open{transport="websocket"}')
  socket.tell({ type: 'complete', id: '1' })
  await untilMeasured('people_streams_ended_total{transport="websocket",cause="client-complete"}')

  const series = [...(await figuresOf(service)).keys()]
  for (const { title, targets } of panels) {
    t.ok(targets.length > 0, title)
    for (const { expr } of targets) {
      const { names, labels } = readQuery(expr)
      t.ok(names.length > 0, `${title}: ${expr}`)
      for (const name of names) {
        const found = series.filter((id) => id.replace(/\{.*/, '') === name)
        t.ok(found.length > 0, `${title}: ${name} is measured`)
        for (const label of labels) {
          const hasLabel = found.some((id) => id.includes(`${label}="`))
          t.ok(hasLabel, `${title}: ${name} has ${label}`)
        }
      }
    }
  }
  socket.leave()
})

t.test('panels have numbers of their own, and do not overlap', async (t) => {
  const places = panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)
  for (const own of [panels.map(({ id }) => id), panels.map(({ title }) => title), places]) {
    t.equal(new Set<unknown>(own).size, panels.length)
  }
  t.ok(panels.some(({ targets }) => targets.some(({ expr }: Json) => expr.includes('="294"'))))
})
