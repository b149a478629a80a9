import t from 'tap'
import { createTemplateTree } from '../../src/http/template-tree.js'
import { parseTemplate } from '../../src/http/template.js'

// oxfmt-ignore
const templates = ['/', '/people', '/person/{id}', '/person/me', '/{kind}/{id}/parts', '/person/{id}/friend/{friend}']
const tree = createTemplateTree(
  templates.map((text) => {
    const template = parseTemplate(text)
    if (!template.ok) throw new Error(template.reason)
    return [template.value, text] as const
  }),
)

// oxfmt-ignore
const cases: [path: string, template: string | undefined, texts?: string[]][] = [
  ['/',                  '/'],
  ['/people',            '/people'],
  ['/person/7',          '/person/{id}',                 ['7']],
  ['/person/me',         '/person/me'],
  ['/%70erson/a%2Fb',    '/person/{id}',                 ['a/b']],
  ['/person/me/parts',   '/{kind}/{id}/parts',           ['person', 'me']],
  ['/person/7/friend/8', '/person/{id}/friend/{friend}', ['7', '8']],
  ['/person/',           undefined],
  ['/people/',           undefined],
  ['/person',            undefined],
  ['/person/7/8',        undefined],
  ['//',                 undefined],
  ['',                   undefined],
  ['*',                  undefined],
]
for (const [path, value, texts = []] of cases) {
  void t.test(`the path '${path}' has the template ${value ?? '(none)'}`, async (t) => {
    t.strictSame(tree.find(path), { ok: true, value: value && { value, texts } })
  })
}

void t.test('an invalid escape is reported', async (t) => {
  t.match(tree.find('/person/%ff'), { ok: false, reason: 'broken-path' })
})
