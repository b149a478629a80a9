import { formatGoals, formatTables } from './format-table.mjs'

/** What was run, in the first lines of each report. */
export function formatHeader(report) {
  const { date, node, machine, load, pinned, rounds, processes, seconds } = report
  const { connections, servers } = report
  const place = pinned ? 'the server alone on one of them' : 'no process tied to one of them'
  return [
    `${date}, Node ${node}, ${machine.system}, ${machine.cores} cores (${machine.processor}), ${place}; load before the run ${load.toFixed(2)}.`,
    `${rounds} rounds of ${seconds} s in ${processes} processes of each server, ${connections} connections.`,
    ...servers
      .filter(({ versions }) => versions.length > 0)
      .map(({ name, versions }) => `- ${name}: ${versions.join(', ')}`),
    '',
  ].join('\n')
}

/** The report as text for a terminal. */
export function formatReport(report) {
  return `${formatHeader(report)}\n${formatTables(report.workloads)}`
}

/** The page of the results. */
export function formatPage(report) {
  return [
    '<!-- Written by `npm run report:performance`. Do not edit. -->',
    '',
    '# CPU per request: results',
    '',
    'What is measured, and how: [CPU per request](../performance.md).',
    '',
    '## The run',
    '',
    formatHeader(report),
    '![CPU per request of each server under each workload](performance.svg)',
    '',
    '## Goals',
    '',
    formatGoals(report.goals),
    '## Figures',
    '',
    '![Memory of each server after each workload](performance-memory.svg)',
    '',
    formatTables(report.workloads),
  ].join('\n')
}
