import type { ReactElement } from 'react'
import type { Sentence } from './explain.js'
import type { Report } from './reports.js'

interface StatusLineProps {
  readonly report: Report | undefined
  /** Whether the sentence is shown elsewhere. */
  readonly isExplained: boolean
}

/** What is known of the response of the tab that is shown. */
export function StatusLine({ report, isExplained }: StatusLineProps): ReactElement {
  return (
    <section className="status" aria-label="Status of the response">
      {report === undefined ? (
        <p className="facts">
          <span>No response yet.</span>
        </p>
      ) : (
        <>
          <Facts report={report} />
          {report.sentence !== undefined && (
            // What succeeds needs no reason.
            <Cited sentence={report.sentence} isFolded={isExplained || report.tone === 'good'} />
          )}
        </>
      )}
    </section>
  )
}

function Facts({ report }: { readonly report: Report }): ReactElement {
  const { title, tone, mediaType, milliseconds, bytes, results, withErrors, note } = report
  return (
    <p className="facts" role="status">
      <strong className={tone}>{title}</strong>
      {mediaType !== undefined && <span>{mediaType}</span>}
      {tone !== 'running' && milliseconds !== undefined && <span>{formatTime(milliseconds)}</span>}
      {mediaType !== undefined && <span>{formatSize(bytes)}</span>}
      {results !== undefined && <span>{results === 1 ? '1 result' : `${results} results`}</span>}
      {withErrors > 0 && <span>{withErrors} with errors</span>}
      {note !== undefined && <span>{note}</span>}
    </p>
  )
}

interface CitedProps {
  readonly sentence: Sentence
  /** Whether there is only the link. */
  readonly isFolded?: boolean
}

export function Cited({ sentence, isFolded = false }: CitedProps): ReactElement {
  const { id, text, section, url } = sentence
  return (
    <p className="sentence">
      {!isFolded && <q>{text}</q>}{' '}
      <a href={url} target="_blank" rel="noreferrer">
        {id}, {section}
      </a>
    </p>
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
