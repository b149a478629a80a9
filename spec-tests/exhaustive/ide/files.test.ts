import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { uploads, uploadScalar, type Upload } from '@graphwire/uploads'
import t, { type Test } from 'tap'
import { buildSchema } from '../../../src/index.js'
import { skip, type Tab } from '../clients/drive-browser.js'
import { findProgram } from '../clients/find-program.js'
import { clickIn, openIde, run, textOf, withIde } from './drive-ide.js'

async function read(upload: Upload): Promise<string> {
  const { filename, stream } = await upload.open()
  let text = ''
  for await (const bytes of stream) text += Buffer.from(bytes).toString()
  return `${filename}: ${text}`
}

const schema = buildSchema(
  `scalar Upload
   input Album { cover: Upload! }
   type Query { hello: String }
   type Mutation { one(file: Upload!): String  many(files: [Upload!]!): [String!]  album(album: Album!): String }`,
  {
    Upload: uploadScalar,
    Query: { hello: () => 'Hello' },
    Mutation: {
      one: (_: unknown, { file }: { file: Upload }) => read(file),
      many: async (_: unknown, { files }: { files: readonly Upload[] }) => {
        const texts: string[] = []
        for (const file of files) texts.push(await read(file))
        return texts
      },
      album: (_: unknown, { album }: { album: { cover: Upload } }) => read(album.cover),
    },
  },
)

const files: { readonly [name: string]: string } = { 'a.txt': 'first', 'b.txt': 'second' }

/** Chooses both files, as the dialog of the browser would. */
async function chooseFiles(tab: Tab): Promise<void> {
  await tab.evaluate(`(() => {
    const chosen = new DataTransfer()
    for (const [name, text] of Object.entries(${JSON.stringify(files)})) chosen.items.add(new File([text], name))
    const input = document.querySelector('.files input')
    input.files = chosen.files
    input.dispatchEvent(new Event('change', { bubbles: true }))
  })()`)
  await tab.until(`document.querySelector('.bar').innerText.includes('@a.txt, @b.txt')`)
}

// oxfmt-ignore
const operations: readonly [query: string, before: object | undefined, variables: object, data: object][] = [
  ['mutation ($file: Upload!) { one(file: $file) }',       undefined,                      { file: '@a.txt' },               { one: 'a.txt: first' }],
  ['mutation ($file: Upload!) { one(file: $file) }',       { file: '@b.txt' },             { file: '@b.txt' },               { one: 'b.txt: second' }],
  ['mutation ($files: [Upload!]!) { many(files: $files) }', undefined,                     { files: ['@a.txt', '@b.txt'] },  { many: ['a.txt: first', 'b.txt: second'] }],
  ['mutation ($album: Album!) { album(album: $album) }',   { album: { cover: '@b.txt' } }, { album: { cover: '@b.txt' } },   { album: 'b.txt: second' }],
]

const curl = findProgram('curl')

/** Runs the command that the page shows, in a folder with the files. */
async function runCommand(t: Test, tab: Tab): Promise<string> {
  await clickIn(tab, '.views', 'curl')
  const command = await tab.evaluate<string>(`document.querySelector('.view pre').textContent`)
  const cwd = t.testdir({ ...files })
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd })
  return stdout
}

void t.test('files are sent in place of variables', { skip }, (t) =>
  withIde(t, { schema, uploads: uploads() }, async (tab, { url }) => {
    for (const [query, before, variables, data] of operations) {
      await openIde(tab, url, query, before)
      await tab.until(`document.querySelector('.files')`)
      await chooseFiles(tab)
      t.strictSame(JSON.parse(await tab.evaluate(textOf('variables'))), variables)
      await run(tab)
      await tab.until(`document.querySelector('.facts .good')`)
      await tab.until(`${textOf('response')} !== ''`)
      t.strictSame(JSON.parse(await tab.evaluate(textOf('response'))), { data })
      if (curl !== undefined) t.match(await runCommand(t, tab), JSON.stringify({ data }))
    }
    await openIde(tab, url)
    await tab.until(`document.querySelector('.bar [role=group] button')`)
    await clickIn(tab, '.bar', 'Mutation')
    await chooseFiles(tab)
    await tab.until(`${textOf('variables')}.includes('@a.txt')`)
  }),
)
