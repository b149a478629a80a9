import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import type { Call } from '../arguments/command.js'
import type { InitFlags } from './init-flags.js'
import { filesOf, templateNames, templates, type TemplateName } from './templates.js'
import { exitCodes, fail, type Exit } from '../process/exit.js'

/** Asks a question; false without a terminal. */
export type Asks = ((question: string) => Promise<string>) | false

/** Writes the files of a template, all or none of them. */
export async function runInit(
  { flags: { template, yes }, words: [place = '.', ...more], terminal }: Call<InitFlags>,
  ask: Asks = process.stdin.isTTY ? askOnTerminal : false,
): Promise<Exit> {
  if (more.length > 0)
    return fail('usage', `init takes one folder, got ${[place, ...more].join(', ')}.`)
  const name = yes.value ? (template.value ?? 'node') : await choose(template.value, ask)
  const folder = resolve(place)
  const files = filesOf(name, projectName(folder))
  const taken = Object.keys(files).filter((path) => existsSync(join(folder, path)))
  if (taken.length > 0) {
    const exist = `${taken.join(', ')} exist${taken.length === 1 ? 's' : ''} already`
    fail('configuration', `${place}: ${exist}, and init never overwrites. Choose another folder.`)
  }
  if (!yes.value && ask !== false) {
    const answer = await ask(`Write ${Object.keys(files).join(', ')} to ${folder}? [Y/n] `)
    if (/^\s*n/i.test(answer)) return 'interrupted'
  }
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path)
    try {
      await makeFolder(dirname(file))
      // A file that has come in the meantime is not overwritten either.
      await writeFile(file, text, { flag: 'wx' })
    } catch (error) {
      return fail('configuration', `Cannot write ${file}: ${(error as Error).message}.`)
    }
  }
  terminal.out(describe(place, Object.keys(files), templates[name].steps))
  return 'ok'
}

async function choose(name: TemplateName | undefined, ask: Asks): Promise<TemplateName> {
  if (ask === false) fail('usage', 'init asks before it writes: without a terminal, use --yes.')
  if (name !== undefined) return name
  const list = templateNames.map((one) => `  ${one.padEnd(8)} ${templates[one].doc}`)
  const answer = (await ask(`${list.join('\n')}\nTemplate [node]: `)).trim() || 'node'
  const unknown = `Unknown template ${JSON.stringify(answer)}: use ${templateNames.join(', ')}.`
  return templateNames.find((one) => one === answer) ?? fail('usage', unknown)
}

async function askOnTerminal(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  lines.once('close', interrupted)
  try {
    return await lines.question(question)
  } finally {
    lines.off('close', interrupted)
    lines.close()
  }
}

/** By Ctrl-C or Ctrl-D. */
function interrupted(): never {
  process.exit(exitCodes.interrupted.code)
}

/** As npm allows it. */
function projectName(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  return name === '' ? 'api' : name.slice(0, 100)
}

/** Node's own `recursive` never ends where nothing can be made, such as in /proc. */
async function makeFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return
  await makeFolder(dirname(folder))
  await mkdir(folder)
}

function describe(place: string, files: readonly string[], steps: readonly string[]): string {
  const quoted = `'${place.replaceAll("'", String.raw`'\''`)}'`
  const enter = place === '.' ? [] : [`cd ${/^[\w./-]+$/.test(place) ? place : quoted}`]
  return [
    ...files.map((path) => `wrote ${join(place, path)}`),
    '',
    'Next:',
    ...[...enter, ...steps].map((step) => `  ${step}`),
    '',
  ].join('\n')
}
