import { useGraphiQL, useGraphiQLActions } from '@graphiql/react'
import { useEffect, useRef, useSyncExternalStore, type ReactElement } from 'react'
import type { Report, Reports } from './reports.js'

/** What is known of the response of the tab that is shown. */
export function StatusLine({ reports }: { readonly reports: Reports }): ReactElement {
  const tab = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]?.id ?? '')
  useEffect(() => {
    reports.tab = tab
  }, [reports, tab])
  const report = useSyncExternalStore(reports.subscribe, () => reports.of(tab))
  useUnsent(reports)
  useSchemaRetry(reports, report)
  return (
    <section className="status" aria-label="Status of the response">
      {report === undefined ? (
        <p className="facts">
          <span>No response yet.</span>
        </p>
      ) : (
        <Facts report={report} />
      )}
    </section>
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

function Facts({ report }: { readonly report: Report }): ReactElement {
  const { title, tone, mediaType, milliseconds, bytes, results, withErrors, note, sentence } =
    report
  return (
    <>
      <p className="facts" role="status">
        <strong className={tone}>{title}</strong>
        {mediaType !== undefined && <span>{mediaType}</span>}
        {tone !== 'running' && milliseconds !== undefined && (
          <span>{formatTime(milliseconds)}</span>
        )}
        {mediaType !== undefined && <span>{formatSize(bytes)}</span>}
        {results !== undefined && <span>{results === 1 ? '1 result' : `${results} results`}</span>}
        {withErrors > 0 && <span>{withErrors} with errors</span>}
        {note !== undefined && <span>{note}</span>}
      </p>
      {sentence !== undefined && (
        <p className="sentence">
          <q>{sentence.text}</q>{' '}
          <a href={sentence.url} target="_blank" rel="noreferrer">
            {sentence.id}, {sentence.section}
          </a>
        </p>
      )}
    </>
  )
}

function formatTime(milliseconds: number): string {
  return milliseconds < 1000
    ? `${Math.round(milliseconds)} ms`
    : `${(milliseconds / 1000).toFixed(1)} s`
}

function formatSize(bytes: number): string {
  return bytes < 10_000 ? `${bytes} bytes` : `${(bytes / 1000).toFixed(1)} kB`
}
