import t from 'tap'
import { start } from '../service/started.js'
import { complaintsOf, openTab, skip } from './chromium.js'

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
  const tab = await openTab(t, 'about:blank')
  for (const [path, isComplete] of pages) {
    for (const scheme of ['light', 'dark'] as const) {
      for (const width of [360, 1280]) {
        await t.test(`${path} in ${scheme}, ${width} pixels wide`, async (t) => {
          await tab.prefer(scheme)
          await tab.resize(width, 900)
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
  await t.test('/docs, 360 pixels wide: a request can be sent', async (t) => {
    await tab.resize(360, 900)
    await tab.open(`${service.origin}/docs`)
    await tab.until(`${viewer}.querySelectorAll('api-request').length > 10`)
    const outside = await tab.evaluate(`[...${viewer}.querySelectorAll('api-request')]
      .flatMap((request) => [...request.shadowRoot.querySelectorAll('button')])
      .map((button) => button.getBoundingClientRect())
      .filter(({ left, right, width }) => width > 0 && (left < 0 || right > innerWidth)).length`)
    t.equal(outside, 0, 'no button is beside the page')
  })
  await t.test('/docs: a key that is optional is not called required', async (t) => {
    const statedFor = (method: string, path: string) =>
      tab.evaluate<string>(`${viewer}.querySelector('api-request[method=${method}][path="${path}"]')
        .shadowRoot.querySelector('.hide-in-small-screen').innerText`)
    t.match(await statedFor('get', '/people'), /Authentication\s+Not Required/)
    t.match(await statedFor('post', '/person'), /Authentication\s+Required/)
  })
  const own = [`${service.origin}/`, 'data:']
  const others = tab.log.requests.filter((url) => !own.some((origin) => url.startsWith(origin)))
  t.same(others, [], 'no request to another origin')
  t.same(complaintsOf(tab), [], 'no error in the console, nothing that a policy had to block')
})

t.test('where no request needs a key, no page asks for one', { skip }, async (t) => {
  const service = await start(t, ['--auth', 'off'])
  const tab = await openTab(t, `${service.origin}/docs`)
  await tab.until(`${viewer}.querySelectorAll('.expanded-endpoint-body').length > 10`)
  t.equal(await tab.evaluate(`${viewer}.querySelector('#auth')`), null)
  await tab.open(`${service.origin}/live`)
  await tab.until(`document.querySelector('#state').dataset.kind === 'open'`)
  t.notMatch(await tab.evaluate<string>('document.body.innerText'), /key/i)
})
