import t from 'tap'
import { start } from '../service/started.js'
import { openTab, skip } from './chromium.js'

const viewer = `document.querySelector('rapi-doc').shadowRoot`

/** The pages, and what is true of one that is complete. */
// oxfmt-ignore
const pages = [
  ['/',         `document.querySelector('#status').dataset.kind === 'done'`],
  ['/people',   `document.querySelectorAll('.people a').length === 10`],
  ['/person/1', `document.querySelector('h1').textContent === 'Ada Archer'`],
  ['/docs',     `${viewer}.querySelectorAll('.expanded-endpoint-body').length > 10`],
  ['/live',     `document.querySelector('#state').dataset.kind === 'open'`],
] as const

t.test('pages in Chromium', { skip }, async (t) => {
  const service = await start(t, ['--db', ':memory:'])
  const tab = await openTab(t)
  for (const [path, isComplete] of pages) {
    for (const scheme of ['light', 'dark'] as const) {
      for (const width of [360, 1280]) {
        await t.test(`${path} in ${scheme}, ${width} pixels wide`, async (t) => {
          await tab.setScheme(scheme)
          await tab.setWidth(width)
          await tab.open(service.origin + path)
          await tab.until(isComplete)
          t.same(await tab.violations(), [])
          const page = 'document.documentElement'
          const isWhole = await tab.evaluate(`${page}.scrollWidth === ${page}.clientWidth`)
          t.equal(isWhole, true, 'nothing is beside the page')
        })
      }
    }
  }
  await t.test('/docs: what stands below the title begins where the title does', async (t) => {
    await tab.open(`${service.origin}/docs`)
    await tab.until(`${viewer}.querySelector('#api-info')`)
    const leftOf = (id: string) =>
      tab.evaluate<number>(`${viewer}.querySelector('#${id}').getBoundingClientRect().left`)
    t.equal(await leftOf('api-info'), await leftOf('api-title'))
  })
  const own = [`${service.origin}/`, 'data:']
  const others = tab.requested.filter((url) => !own.some((origin) => url.startsWith(origin)))
  t.same(others, [], 'no request to another origin')
  t.same(tab.complaints, [], 'no error in the console, nothing that a policy had to block')
})
