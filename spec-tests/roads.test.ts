import t from 'tap'
import { readSources } from './sources.js'

/*
 * A generator that is called without `yield*` runs nothing, and nobody notices: a check of a road would be skipped. So the
 * calls of every generator of `src` and of the packages are looked at. One that is given to something else has a name first.
 */

/** The names of the generators in a text, and of functions that give one. */
function generatorsOf(text: string): string[] {
  const generators = [...text.matchAll(/function\* (\w+)/g)]
  const givers = [...text.matchAll(/function (\w+)(?:<[^(]*)?\([^{]*\): \w*Road</g)]
  return [...generators, ...givers].map(([, name]) => name as string)
}

/** The calls of generators in a text, with what is in front of them. */
function callsIn(text: string, names: ReadonlySet<string>) {
  return [...text.matchAll(/(?<![\w.#])(\w+)(?:<[^()\n]*>)?\(/g)]
    .map(({ 1: name = '', index }) => ({ name, before: text.slice(0, index) }))
    .filter(({ name, before }) => names.has(name) && !/function\*? $/.test(before))
}

function isDriven(before: string): boolean {
  return /(?:=>\s+|yield\*\s+|[?:] |(?:const|let) \w+ =\s+|\b\w+: |\breturn |\()$/.test(before)
}

const files = readSources()
  .filter(({ name }) => !/^(?:src\/(?:cli|conformance)|packages\/pubsub)\//.test(name))
  .filter(({ text }) => /\/road\.js'|\bRoad\b[^\n]*\/surface\/parts'|\bRoad<|yield\*/.test(text))

void t.test('every generator that a road calls is driven', async (t) => {
  const names = new Set(files.flatMap(({ text }) => generatorsOf(text)))
  t.ok(names.size > 20, `${names.size} generators`)
  let count = 0
  for (const { name, text } of files) {
    for (const call of callsIn(text, names)) {
      count += 1
      t.ok(isDriven(call.before), `${name}: ${call.name} without yield*`)
    }
  }
  t.ok(count > 50, `${count} calls`)
})
