// Takes the pictures in `public` again, in Chromium: `npm run build`, then `node site/shoot.mjs`.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createIde } from '@graphwire/ide'
import { buildSchema, GraphQLError } from 'graphql'
import { withTab } from '../dist/spec-tests/exhaustive/clients/drive-browser.js'
import { openIde, run } from '../dist/spec-tests/exhaustive/ide/drive-ide.js'
import { serve } from '../dist/src/hosts/node/index.js'

const toPublic = (name) => fileURLToPath(new URL(`public/${name}.png`, import.meta.url))
const logo = readFileSync(new URL('public/logo.svg', import.meta.url), 'base64')

const card = `<body style="margin: 0; display: grid; place-content: center start; gap: 28px; height: 630px; padding: 0 90px;
    box-sizing: border-box; background: #14181a; color: #e1e6e5; font-family: system-ui, sans-serif">
  <p style="margin: 0; font-size: 40px; font-weight: 650; color: #62cdbf">
    <img src="data:image/svg+xml;base64,${logo}" width="56" style="vertical-align: middle; margin-right: 20px">graphwire</p>
  <p style="margin: 0; font-size: 76px; line-height: 1.1; font-weight: 700">GraphQL over HTTP<br>that can prove it</p>
  <p style="margin: 0; font-size: 32px; color: #9fadaa">An engine, a binary, and a conformance suite for any server</p>
</body>`

const weather = () => {
  throw new GraphQLError('No signal')
}
const server = await serve({
  port: 0,
  host: '127.0.0.1',
  schema: buildSchema('type Query { hello: String, weather: String }'),
  rootValue: { hello: 'world', weather },
  ide: createIde(),
})
await withTab(async (tab) => {
  for (const scheme of ['light', 'dark']) {
    await tab.resize(900, 620)
    await tab.prefer(scheme)
    await openIde(tab, server.url, '{\n  hello\n  weather\n}')
    await run(tab)
    await tab.until(`document.querySelector('.status strong')?.textContent.startsWith('294')`)
    await new Promise((resolve) => setTimeout(resolve, 1500))
    await tab.picture(toPublic(`ide-${scheme}`))
  }
  await tab.resize(1200, 630)
  await tab.open(`data:text/html;charset=utf-8,${encodeURIComponent(card)}`)
  await tab.picture(toPublic('card'))
})
await server.close()
