import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import t from 'tap'
import { createWebPages } from '../web-pages.js'

void t.test('what a page or a script of ours loads is served', (t) => {
  const { byPath } = createWebPages({ auth: 'off', hasIde: false })
  const served = Object.keys(byPath).map((path) => basename(path))
  const assets = new URL('../../assets/', import.meta.url)
  const pages = readdirSync(assets).filter((name) => name.endsWith('.html'))
  const scripts = served.filter((name) => name.endsWith('.js') && !name.startsWith('rapidoc'))
  const loaded = [
    ...pages.flatMap((name) => findAll(/\{\{assets\}\}\/([\w.-]+)"/g, new URL(name, assets))),
    ...scripts.flatMap((name) =>
      findAll(/^import .* from '\.\/(.*)'/gm, new URL(`../browser/${name}`, import.meta.url)),
    ),
  ]
  t.ok(loaded.includes('docs.js') && loaded.includes('request.js'), 'both were found')
  for (const name of new Set(loaded)) t.ok(served.includes(name), name)
  t.end()
})

function findAll(pattern: RegExp, file: URL): readonly string[] {
  return [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, name = '']) => name)
}
