import t from 'tap'
import { listStatuses, titleOfStatus } from '../../../src/cli/explain/explain-topic.js'
import { makeStatusPages } from '../../../site/pages/status-pages.js'

void t.test('each status has a page with an exchange that really took place', async (t) => {
  const pages = await makeStatusPages()
  for (const status of listStatuses()) {
    t.match(pages.get(`${status}.md`), `\`\`\`http\nHTTP/1.1 ${titleOfStatus(status)}\n`)
  }
})
