import * as graphql from 'graphql'
import t, { type Test } from 'tap'
import type { ServeOptions } from '../../../src/hosts/node/index.js'
import { buildSchema, failure, fieldValue, success } from '../../../src/index.js'
import type { Denial, OperationRequest, RequestHead } from '../../../src/index.js'
import { without17 } from '../../incremental/client.js'
import { defer } from '../../base/defer.js'
import { thrower } from '../../base/thrower.js'
import { skip, type Tab } from '../clients/drive-browser.js'
import { click, openIde, picture, run, textOf, withIde } from './drive-ide.js'

/** A schema with one field for each thing that the page must show. */
function createServed() {
  const { promise: opened, resolve: open } = defer()
  const operations: string[] = []
  const schema = buildSchema(
    `type Query { hello(name: String = "you"): String  broken: String  slow: String  secret: String }
     type Mutation { rename: String }
     type Subscription { countdown: Int }`,
    {
      Query: {
        hello: (_: unknown, { name }: { name: string }) => `Hello ${name}`,
        broken: thrower(new graphql.GraphQLError('It broke.')),
        slow: () => opened.then(() => 'later'),
        secret: () => 'told',
      },
      Mutation: { rename: () => 'renamed' },
    },
  )
  return { open, operations, schema }
}

function hasKey({ headers }: RequestHead): boolean {
  return fieldValue(headers, 'authorization') !== undefined
}

/** Only a request with a credential may run the operation `Secret`. */
function admit({ operation, head }: OperationRequest): Denial | undefined {
  return operation.name?.value === 'Secret' && !hasKey(head)
    ? { kind: 'unauthenticated', challenge: 'Bearer' }
    : undefined
}

type Served = ReturnType<typeof createServed> & { readonly url: string }

async function inIde(
  t: Test,
  work: (tab: Tab, served: Served) => Promise<void>,
  options: Partial<ServeOptions> = {},
): Promise<void> {
  const made = createServed()
  const admitting: ServeOptions = {
    schema: made.schema,
    admit: (request) => {
      made.operations.push(request.operation.name?.value ?? '')
      return admit(request)
    },
    ...options,
  }
  try {
    await withIde(t, admitting, (tab, { url }) => work(tab, { ...made, url }))
  } finally {
    made.open()
  }
}

/** Runs an operation and gives its status line and its result. */
async function runToEnd(tab: Tab, title: RegExp): Promise<{ facts: string; result: unknown }> {
  await run(tab)
  await tab.until(`${title}.test(document.querySelector('.status strong')?.textContent)`)
  await tab.until(`${textOf('response')} !== ''`)
  return {
    facts: await tab.evaluate<string>(`document.querySelector('.status').innerText`),
    result: JSON.parse(await tab.evaluate<string>(textOf('response'))) as unknown,
  }
}

// oxfmt-ignore
const statuses: readonly [query: string, variables: object | undefined, title: RegExp, result: object, sentence: RegExp][] = [
  ['{ hello }',                        undefined,      /^200 OK$/,                    { data: { hello: 'Hello you' } },                                  /^[^“]*SC-4[^“]*$/],
  ['query ($name: String) { hello(name: $name) }', { name: 'Zoë' }, /^200 OK$/,       { data: { hello: 'Hello Zoë' } },                                  /SC-4/],
  ['mutation { rename }',              undefined,      /^200 OK$/,                    { data: { rename: 'renamed' } },                                   /SC-4/],
  ['{ hello broken }',                 undefined,      /^294 Partial Success$/,       { data: { hello: 'Hello you', broken: null }, errors: [{}] },      /both the data entry.*294.*SC-5/s],
  ['{ nope }',                         undefined,      /^422 Unprocessable Content$/, { errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] }, /does not pass GraphQL validation.*422.*SC-17/s],
  ['query ($name: Int!) { hello }',    undefined,      /^422 Unprocessable Content$/, { errors: [{}] },                                                  /SC-1[79]/],
  ['{ hello',                          undefined,      /^400 Bad Request$/,           { errors: [{ extensions: { code: 'GRAPHQL_PARSE_FAILED' } }] },    /cannot be parsed.*400.*SC-16/s],
]

void t.test('a result stands below its status and the sentence that says so', { skip }, (t) =>
  inIde(t, async (tab, { url, operations }) => {
    for (const [query, variables, title, expected, sentence] of statuses) {
      operations.length = 0
      await openIde(tab, url, query, variables)
      const executed = operations.filter((name) => name !== 'IntrospectionQuery')
      t.strictSame(executed, [], 'opening it executes nothing')
      t.equal(await tab.evaluate(textOf('operation')), query)
      const { facts, result } = await runToEnd(tab, title)
      t.match(result, expected, query)
      t.match(facts, sentence)
      t.match(facts, /\d ms/)
      t.match(facts, /\d bytes/)
      t.match(facts, /application\/graphql-response\+json/)
    }
  }),
)

/** Types a credential into the headers editor, and runs the operation by the keyboard. */
async function runWithHeader(tab: Tab): Promise<void> {
  await click(tab, '[data-name=headers]')
  const editor = '.graphiql-editor-tool .graphiql-editor:not(.hidden) textarea'
  await tab.evaluate(`document.querySelector('${editor}').focus()`)
  await tab.type('{ "Authorization": "Bearer of-the-test" }')
  await tab.until(`${textOf('request-headers')}.includes('of-the-test')`)
  await tab.press('Enter', 'Control')
  await tab.until(`document.querySelector('.status strong').textContent === '200 OK'`)
  await tab.until(`${textOf('response')}.includes('told')`)
}

void t.test('401, then a header is typed, and none is stored', { skip }, (t) =>
  inIde(t, async (tab, { url }) => {
    await openIde(tab, url, 'query Secret { secret }')
    const refused = await runToEnd(tab, /^401 Unauthorized$/)
    t.match(refused.facts, /not permitted to issue.*SC-20/s)
    await runWithHeader(tab)
    await tab.open(url)
    await tab.until(`document.querySelector('.graphiql-query-editor .view-line')`)
    t.notMatch(await tab.evaluate<string>('JSON.stringify(localStorage)'), 'of-the-test')
    t.equal(await tab.evaluate(textOf('request-headers')), '')
  }),
)

const authenticate: ServeOptions['authenticate'] = (head) =>
  hasKey(head) ? success('me') : failure({ kind: 'unauthenticated', challenge: 'Bearer' })

void t.test('where the schema needs a credential, it is read once there is one', { skip }, (t) =>
  inIde(
    t,
    async (tab, { url }) => {
      const address = new URL(url)
      address.searchParams.set('query', 'query Secret { secret }')
      await tab.open(address.href)
      await tab.until(`document.querySelector('.facts')?.innerText.includes('could not be read')`)
      const shown = await tab.evaluate(`document.querySelector('.status strong').textContent`)
      t.equal(shown, '401 Unauthorized')
      await runWithHeader(tab)
      await click(tab, '.graphiql-sidebar button')
      await tab.until(`document.querySelector('a.graphiql-doc-explorer-type-name')`)
    },
    { authenticate },
  ),
)

void t.test('a deferred part arrives later than the rest', { skip: skip || without17 }, (t) =>
  inIde(t, async (tab, { url, open }) => {
    const facts = `document.querySelector('.facts').innerText`
    const result = async () => JSON.parse(await tab.evaluate(textOf('response'))) as unknown
    await openIde(tab, url, '{ hello ... @defer { slow } }')
    await run(tab)
    await tab.until(`${textOf('response')} !== ''`)
    t.strictSame(await result(), { data: { hello: 'Hello you' } })
    t.match(await tab.evaluate(facts), /1 result\b.*open/s)
    open()
    await tab.until(`${facts}.includes('complete')`)
    t.strictSame(await result(), { data: { hello: 'Hello you', slow: 'later' } })
    t.match(await tab.evaluate(facts), '2 results')
  }),
)

void t.test('the editors follow the scheme of the system', { skip }, (t) =>
  inIde(t, async (tab, { url }) => {
    await tab.prefer('light')
    await openIde(tab, url)
    for (const scheme of ['dark', 'light'] as const) {
      await tab.prefer(scheme)
      const hasTheme = `(one) => one.matches('.${scheme === 'dark' ? 'vs-dark' : 'vs'}')`
      await tab.until(`[...document.querySelectorAll('.monaco-editor')].every(${hasTheme})`)
    }
  }),
)

void t.test('360 pixels wide: the bar is whole, the editors scroll along', { skip }, (t) =>
  inIde(t, async (tab, { url }) => {
    await tab.resize(360, 640)
    await openIde(tab, url)
    await tab.until(`document.querySelectorAll('.bar [role=group] button').length === 3`)
    const odd = await tab.evaluate(`[...document.querySelectorAll('.bar button')].filter((button) =>
      button.title === '' || button.getBoundingClientRect().right > 360).map((one) => one.innerText)`)
    t.strictSame(odd, [], 'each button can be seen, and says what it does')
    await click(tab, '.graphiql-sidebar button')
    const docs = `document.querySelector('.graphiql-doc-explorer-search input')`
    await tab.until(docs)
    t.ok(await tab.evaluate(`${docs}.clientWidth > 90`), 'the keys of the search can be read')
    const heights = `['plugin', 'main'].map((name) =>
        document.querySelector('.graphiql-' + name).getBoundingClientRect().height)`
    const [plugin = 0, main = 0] = await tab.evaluate<number[]>(heights)
    t.ok(plugin > main * 0.4, 'the documentation has room')
    await click(tab, '.graphiql-sidebar button')
    await tab.evaluate(`document.querySelector('.views').scrollIntoView()`)
    const [editor, around] = await tab.evaluate<
      number[]
    >(`['.monaco-editor', '.graphiql-editor'].map((part) =>
      document.querySelector('.graphiql-query-editor ' + part).getBoundingClientRect().top)`)
    t.equal(editor, around)
  }),
)

/** The colors of a comment and of a line number in the editor, and what is behind them: axe-core does not see through its layers. */
const welcomeColors = `[
  ['.graphiql-container', 'backgroundColor'],
  ['.graphiql-query-editor .view-line span span', 'color'],
  ['.graphiql-query-editor .line-numbers:not(.active-line-number)', 'color'],
].map(([selector, name]) => getComputedStyle(document.querySelector(selector))[name])`

/** The contrast of two opaque colors, as WCAG 2 defines it. */
function contrastOf(one: string, other: string): number {
  const [low = 0, high = 0] = [one, other]
    .map((color) => {
      const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map((part) => {
        const share = Number(part) / 255
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    })
    .toSorted((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

// oxfmt-ignore
const views: readonly [name: string, button: string, shown: string][] = [
  ['the headers',       '.views button:nth-child(2)',                   '.view table'],
  ['the timeline',      '.views button:nth-child(3)',                   '.view ol'],
  ['the explanation',   '.views button:nth-child(4)',                   '.view .steps'],
  ['the command',       '.views button:nth-child(5)',                   '.view pre'],
  ['two tabs',          '.graphiql-tab-add',                            '.graphiql-tab:nth-child(2)'],
  ['the documentation', '.graphiql-sidebar button:nth-of-type(1)',      '.graphiql-doc-explorer'],
  ['a type',            'a.graphiql-doc-explorer-type-name',            '.graphiql-doc-explorer-back'],
  ['the history',       '.graphiql-sidebar button:nth-of-type(2)',      '.graphiql-history'],
  ['the shortcuts',     '.graphiql-sidebar button:nth-last-of-type(2)', '.graphiql-dialog .graphiql-key'],
  ['the settings',      '.graphiql-sidebar button:last-of-type',        '.graphiql-dialog-section'],
]

for (const scheme of ['light', 'dark'] as const) {
  for (const width of [360, 1280]) {
    void t.test(`${scheme}, ${width} pixels: it fits, axe-core finds nothing`, { skip }, (t) =>
      inIde(t, async (tab, { url }) => {
        await tab.prefer(scheme)
        await tab.resize(width, 800)
        await openIde(tab, url)
        await tab.until(`document.querySelector('.view-line span span').className !== 'mtk1'`)
        const [background = '', ...texts] = await tab.evaluate<string[]>(welcomeColors)
        for (const color of texts)
          t.ok(contrastOf(color, background) >= 4.5, `${color} on ${background}`)
        await openIde(tab, url, '{ hello broken }')
        t.strictSame(await tab.violations(), [], 'before')
        await runToEnd(tab, /^294/)
        t.strictSame(await tab.violations(), [], 'with a result')
        const isTooWide = `document.documentElement.scrollWidth > ${width}`
        t.notOk(await tab.evaluate(isTooWide))
        await picture(tab, `${scheme}-${width}`)
        for (const [name, button, shown] of views) {
          await tab.press('Escape')
          await tab.until(`!document.querySelector('.graphiql-dialog')`)
          await click(tab, button)
          await tab.until(`document.querySelector('${shown}')`)
          await tab.evaluate(`Promise.all(document.getAnimations().map((one) => one.finished))`)
          t.strictSame(await tab.violations(), [], name)
          t.notOk(await tab.evaluate(isTooWide), name)
          await picture(tab, `${scheme}-${width}-${name}`)
        }
      }),
    )
  }
}
