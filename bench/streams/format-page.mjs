import { formatTable } from '../format-table.mjs'

const head = ['', 'heap, KB', 'CPU, us', 'to all, ms', 'held, MB', 'returned, ms']

/** The figures as tables of Markdown. */
export function formatStreams({ servers, parts, goals }) {
  return [
    formatTable(head, servers.map(rowOf), new Set([1, 2, 3, 4, 5])),
    formatTable(
      ['', 'without @defer, ms', 'first part, ms', 'ratio'],
      parts.map(({ name, plain, deferred }) => [
        name,
        plain.toFixed(2),
        deferred.toFixed(2),
        (deferred / plain).toFixed(2),
      ]),
      new Set([1, 2, 3]),
    ),
    formatTable(
      ['', 'goal', 'figure', ''],
      goals.map(({ name, text, figure, reached }) => [
        name,
        text,
        figure.toFixed(3),
        reached ? 'reached' : '**missed**',
      ]),
      new Set([2]),
    ),
  ].join('\n')
}

function rowOf({ name, heap, cpu, fanOut, idler, left }) {
  const mib = 1024 * 1024
  return [
    name,
    (heap / 1024).toFixed(1),
    cpu.toFixed(1),
    fanOut.toFixed(0),
    (idler / mib).toFixed(1),
    left.toFixed(0),
  ]
}

/** The page of the results. */
export function formatStreamsPage(report) {
  const { date, node, machine, load, subscribers, events, rounds, requests } = report
  return [
    '<!-- Written by `npm run report:streams`. Do not edit. -->',
    '',
    '# Streams: results',
    '',
    'What is measured, and how: [what streams cost](../performance-streams.md).',
    '',
    `${date}, Node ${node}, ${machine}; load before the run ${load.toFixed(2)}. ${subscribers} subscribers, ${rounds} rounds of ${events} events, ${requests} requests with @defer.`,
    '',
    '![What a subscriber and a result cost on each server](streams.svg)',
    '',
    formatStreams(report),
  ].join('\n')
}
