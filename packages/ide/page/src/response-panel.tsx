import { useGraphiQL, useGraphiQLActions } from '@graphiql/react'
import { useEffect, useRef, useState, useSyncExternalStore, type ReactElement } from 'react'
import { CurlView } from './curl-view.js'
import { ExplainView } from './explain-view.js'
import { HeadersView } from './headers-view.js'
import type { Report, Reports } from './reports.js'
import { StatusLine } from './status-line.js'
import { Timeline } from './timeline.js'

/** What shows a response; GraphiQL itself shows the result. */
const views = {
  Result: undefined,
  Headers: HeadersView,
  Timeline,
  Explain: ExplainView,
  curl: CurlView,
} as const

type View = keyof typeof views

/** The status of a response, and the views of it. */
export function ResponsePanel({ reports }: { readonly reports: Reports }): ReactElement {
  const tab = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]?.id ?? '')
  useEffect(() => {
    reports.tab = tab
  }, [reports, tab])
  const report = useSyncExternalStore(reports.subscribe, () => reports.of(tab))
  useUnsent(reports)
  useSchemaRetry(reports, report)
  const [view, setView] = useState<View>('Result')
  const Shown = views[view]
  return (
    <>
      <StatusLine report={report} isExplained={view === 'Explain'} />
      <div className="views" role="group" aria-label="Views of the response">
        {(Object.keys(views) as View[]).map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === view}
            onClick={() => setView(name)}
          >
            {name}
          </button>
        ))}
      </div>
      {Shown !== undefined && (
        <section className="view" aria-label={view} tabIndex={0}>
          {report === undefined ? (
            <p>No response yet.</p>
          ) : (
            <Shown key={report.startedAt} report={report} />
          )}
        </section>
      )}
    </>
  )
}

/** GraphiQL sends nothing if the variables or the headers are not JSON, and shows that as the result. */
function useUnsent(reports: Reports): void {
  const runs = useGraphiQL(({ queryId }) => queryId)
  useEffect(() => {
    if (runs === reports.sent) return
    reports.sent = runs
    reports.say('Not sent', 'bad')
  }, [reports, runs])
}

/** Reads the schema again, once, when an operation succeeds for which it could not be read: a header was missing. */
function useSchemaRetry(reports: Reports, report: Report | undefined): void {
  const { introspect } = useGraphiQLActions()
  const isMissing = useGraphiQL(({ schema, fetchError }) => schema == null && fetchError !== null)
  const hasTried = useRef(false)
  const succeeds = report?.tone === 'good' || report?.tone === 'partial'
  useEffect(() => {
    if (!isMissing || !succeeds || !reports.mayReadSchemaLater || hasTried.current) return
    hasTried.current = true
    introspect()
  }, [introspect, isMissing, reports, succeeds])
}
