import type { Test } from 'tap'

/** One page of HTML that loads and runs nothing, and whose links all have their place. */
export function checkPage(t: Test, text: string): void {
  t.same(unclosed(text.replace('<!doctype html>', '')), [])
  t.notMatch(text, /<script|<link|<img|<iframe|\ssrc=|url\(|@import|\son\w+=/i)
  t.match(text, "default-src 'none'".replaceAll("'", '&#39;'))
  const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  t.equal(new Set(ids).size, ids.length, 'no id twice')
  const anchors = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
  const lost = anchors.filter((id) => !ids.includes(id))
  t.same(lost, [], 'every link has its place')
}

/** The elements that are not closed where they must be. */
export function unclosed(markup: string): readonly string[] {
  const open: string[] = []
  const wrong: string[] = []
  const tags = markup.matchAll(/<(\/?)([a-z][\w-]*)((?:[^>"]|"[^"]*")*)>/gi)
  for (const [, slash, name = '', rest = ''] of tags) {
    if (slash === '/') {
      const last = open.pop()
      if (last !== name) wrong.push(`${last} closed by ${name}`)
    } else if (!rest.endsWith('/')) open.push(name)
  }
  return [...wrong, ...open]
}
