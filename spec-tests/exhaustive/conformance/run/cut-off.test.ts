import t from 'tap'
import { goodListener, runAgainst, serveOdd } from '../odd-target.js'

/** Our own handler, whose answers take a while. */
function slowListener(delay: number): ReturnType<typeof goodListener> {
  const listener = goodListener()
  return (incoming, outgoing) => void setTimeout(() => listener(incoming, outgoing), delay)
}

void t.test('a run that is cut off says so, and how many cases it has left out', async (t) => {
  const url = await serveOdd(t, slowListener(30))
  const options = { suites: ['accept', 'core'], maxDuration: 2500, concurrency: 1 }
  const report = await runAgainst(url, options)
  const late = report.cases.filter(({ message }) => /the time limit of the run/.test(message))
  t.ok(late.length > 0 && report.totals.pass > 0)
  const left = `${late.length} cases were not run: use --max-duration to give it more time.`
  t.equal(report.diagnosis, `The run ended after 2.5 s; ${left}`)
})

void t.test('a run whose probes are cut off says so', async (t) => {
  const url = await serveOdd(t, slowListener(100))
  const report = await runAgainst(url, { cases: ['get.query'], suites: [], maxDuration: 2000 })
  const expected = /^The probes ended after a third of the 2 s of the run, .* --max-duration /
  t.match(report.diagnosis, expected)
})
