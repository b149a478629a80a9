import t from 'tap'
import { chooseType } from '../../src/http/negotiate.js'

const json = 'application/json'
const html = 'text/html; charset=utf-8'

/** The browser's line is that of Firefox. */
// oxfmt-ignore
const cases: [accept: string | undefined, chosen: string | undefined][] = [
  [undefined,                                 json],
  ['',                                        json],
  ['*/*',                                     json],
  [json,                                      json],
  ['TEXT/HTML',                               html],
  ['text/*',                                  html],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', html],
  ['text/html;q=0.5, application/json',       json],
  ['application/json;q=0.5, text/html;q=0.7', html],
  ['text/html, application/json',             json],
  ['text/html;q=0, */*',                      json],
  ['application/json;q=0, */*',               html],
  ['text/html; charset=utf-8',                html],
  ['text/html; charset=latin1',               undefined],
  ['text/html;q=0',                           undefined],
  ['text/*;level=1, */*;level=1',             undefined],
  ['image/png',                               undefined],
  ['text/html;title=",", image/png',          undefined],
  ['nonsense',                                undefined],
]
for (const [accept, chosen] of cases) {
  void t.test(`Accept: ${accept ?? '(none)'} chooses ${chosen ?? 'nothing'}`, async (t) => {
    t.equal(chooseType(accept, [json, html]), chosen)
  })
}
