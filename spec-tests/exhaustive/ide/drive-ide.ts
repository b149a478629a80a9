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
  const { url, close } = await serve({
    port: 0,
    host: '127.0.0.1',
    websocket: true,
    ide: createIde(),
    ...options,
  })
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

export async function openIde(
  tab: Tab,
  url: string,
  query?: string,
  variables?: object,
): Promise<void> {
  const address = new URL(url)
  if (query !== undefined) address.searchParams.set('query', query)
  if (variables !== undefined) address.searchParams.set('variables', JSON.stringify(variables))
  await tab.open(address.href)
  await tab.until(`document.querySelector('.graphiql-query-editor .view-line')`)
  await tab.until(
    `document.querySelector('.graphiql-execute-button') && ${textOf('response')} !== undefined`,
  )
}

export async function run(tab: Tab): Promise<void> {
  await tab.evaluate(`document.querySelector('.graphiql-execute-button').click()`)
}

export async function setText(tab: Tab, name: string, text: string): Promise<void> {
  await tab.evaluate(
    `${editors}.find(({ uri }) => uri.path.includes('${name}')).setValue(${JSON.stringify(text)})`,
  )
}

/** Chooses how queries or subscriptions are sent. */
export async function choose(
  tab: Tab,
  name: 'queries' | 'subscriptions',
  value: string,
): Promise<void> {
  await tab.evaluate(`(() => {
    const select = document.querySelector('select[name=${name}]')
    select.value = '${value}'
    select.dispatchEvent(new Event('change', { bubbles: true }))
  })()`)
}

/** Clicks a button by its text, in a part of the page. */
export async function clickIn(tab: Tab, part: string, text: string): Promise<void> {
  await tab.evaluate(
    `[...document.querySelectorAll('${part} button')].find((one) => one.innerText === ${JSON.stringify(text)}).click()`,
  )
}
