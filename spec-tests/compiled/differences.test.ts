import t from 'tap'
import { executeText } from '../../src/compiled/index.js'
import { differenceRows } from './rows/difference-rows.js'
import { differenceOfRow } from './rows/row.js'

for (const row of differenceRows) {
  void t.test(row.name, async (t) => {
    t.equal(await differenceOfRow(row, executeText), undefined)
  })
}
