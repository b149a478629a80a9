import { createIde } from '@graphwire/ide'
import type { Test } from 'tap'
import { serve, type ServeOptions } from '../../../src/hosts/node/index.js'
import { withTab, type Tab } from '../clients/drive-browser.js'

/** Opens the IDE in a browser for the time of a test, and expects no fault of it. */
export async function withIde(
  t: Test,
  options: ServeOptions,
  work: (tab: Tab, server: { readonly url: string; close(): Promise<unknown> }) => Promise<void>,
): Promise<void> {
  t.setTimeout(130_000)
  const usual = { port: 0, host: '127.0.0.1', websocket: true, ide: createIde() }
  const { url, close } = await serve({ ...usual, ...options })
  const end = (): Promise<unknown> => close({ grace: 0, spread: 0, deadline: 5000 })
  try {
    await withTab(async (tab) => {
      await tab.resize(1280, 800)
      await work(tab, { url, close: end })
      t.strictSame(tab.log.faults, [], 'no error, and no breach of the policy')
      const { host } = new URL(url)
      const foreign = tab.log.requests.filter(
        (one) => new URL(one).host !== host && !one.startsWith('data:'),
      )
      t.strictSame(foreign, [], 'no request to another origin')
    })
  } finally {
    await end()
  }
}

const editors = `__MONACO.editor.getModels()`

/** The text of an editor: operation, variables, request-headers or response. */
export function textOf(name: string): string {
  return `${editors}.find(({ uri }) => uri.path.includes('${name}')).getValue()`
}

export async function openIde(tab: Tab, url: string, query?: string, variables?: object) {
  const address = new URL(url)
  if (query !== undefined) address.searchParams.set('query', query)
  if (variables !== undefined) address.searchParams.set('variables', JSON.stringify(variables))
  await tab.open(address.href)
  await tab.until(`document.querySelector('.graphiql-query-editor .view-line')`)
  await tab.until(`document.querySelector('.graphiql-execute-button')`)
  await tab.until(`${textOf('response')} !== undefined`)
}

export async function click(tab: Tab, selector: string): Promise<void> {
  await tab.evaluate(`document.querySelector('${selector}').click()`)
}

export function run(tab: Tab): Promise<void> {
  return click(tab, '.graphiql-execute-button')
}

/** Waits until the button executes, or stops what is executed. */
export async function untilItCan(tab: Tab, what: 'Execute' | 'Stop'): Promise<void> {
  const label = `document.querySelector('.graphiql-execute-button').ariaLabel`
  await tab.until(`${label}.startsWith('${what}')`)
}

export async function setText(tab: Tab, name: string, text: string): Promise<void> {
  const editor = `${editors}.find(({ uri }) => uri.path.includes('${name}'))`
  await tab.evaluate(`${editor}.setValue(${JSON.stringify(text)})`)
}

/** Chooses how queries or subscriptions are sent. */
export async function choose(tab: Tab, name: 'queries' | 'subscriptions', value: string) {
  await tab.evaluate(`(() => {
    const select = document.querySelector('select[name=${name}]')
    select.value = '${value}'
    select.dispatchEvent(new Event('change', { bubbles: true }))
  })()`)
}

/** Makes a picture of the page if pictures are asked for. */
export async function picture(tab: Tab, name: string): Promise<void> {
  const folder = process.env['GRAPHWIRE_PICTURES']
  if (folder !== undefined) await tab.picture(`${folder}/ide-${name.replaceAll(' ', '-')}.png`)
}

/** Clicks a button by its text, in a part of the page. */
export async function clickIn(tab: Tab, part: string, text: string): Promise<void> {
  const isIt = `(one) => one.innerText === ${JSON.stringify(text)}`
  await tab.evaluate(`[...document.querySelectorAll('${part} button')].find(${isIt}).click()`)
}
