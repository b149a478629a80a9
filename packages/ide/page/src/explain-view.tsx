import type { ReactElement } from 'react'
import type { Report } from './reports.js'
import { Cited } from './status-line.js'
import { stepsOf } from './steps.js'

/** How far the request came, and the sentence that its status follows from. */
export function ExplainView({
  report: { title, sentence, situation },
}: {
  readonly report: Report
}): ReactElement {
  const steps = situation === undefined ? [] : stepsOf(situation)
  const decisive = steps.find(({ verdict }) => verdict === 'refused' || verdict === 'failed')
  return (
    <>
      <p>
        <strong>{title}</strong>
        {situation?.code !== undefined && (
          <>
            , code <code>{situation.code}</code>
          </>
        )}
      </p>
      {sentence === undefined ? (
        <p>No sentence of the specification applies.</p>
      ) : (
        <Cited sentence={sentence} />
      )}
      {decisive !== undefined && (
        <p>
          <strong>
            {decisive.verdict === 'refused' ? 'Refused' : 'Failed'} at the step “{decisive.name}”.
          </strong>{' '}
          {decisive.about}
        </p>
      )}
      <ol className="steps">
        {steps.map(({ name, about, verdict }) => (
          <li key={name} data-verdict={verdict}>
            <strong>{name}</strong> <em>{verdict}</em>
            <br />
            {about}
          </li>
        ))}
      </ol>
      {steps.length > 0 && (
        <p>
          The steps are inferred from the status and the code of the error. The command{' '}
          <code>graphwire explain</code> shows those that the server took.
        </p>
      )}
    </>
  )
}
