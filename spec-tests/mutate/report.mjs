/** The report of a run, in Markdown: the shares that were found, what was not found, and what cannot be. */
export function formatReport(results, { seed, count, only, total }) {
  const counted = results.filter(({ state }) => state !== 'equivalent')
  const missed = counted.filter((one) => !isFound(one))
  const slow = counted.filter(({ state }) => state.startsWith('found: too slow')).length
  const rows = (name, keyOf) => [
    `| ${name} | Found | Of | Share |`,
    '|---|---:|---:|---:|',
    ...groupsOf(counted, keyOf).map(([key, group]) => toRow(key, group)),
    toRow('all', counted),
  ]
  const what =
    only === undefined
      ? `\`npm run mutate -- --seed ${seed} --count ${count}\` draws ${results.length} of ${total} changes of the engine.`
      : `The changes at ${only}.`
  return [
    '<!-- Written by `npm run report:mutation`. Do not edit. -->',
    '',
    '# What the fast tests find',
    '',
    'One operator, constant, branch, call or returned value of the engine is changed at a time. The fast tests that reach it should fail.',
    '',
    `${what} ${results.length - counted.length} of them change no behaviour and do not count. The fast tests find ${counted.length - missed.length} of ${counted.length}: ${share(counted)}; ${slow} of these because a test runs too long.`,
    '',
    ...rows('Change', ({ kind }) => kind),
    '',
    ...rows('Folder', ({ file }) => file.split('/')[1]),
    '',
    '## Not found',
    '',
    '`npm run mutate -- --only PLACE` repeats one, and shows it. Those that change no behaviour, and why, are in [equivalent.tsv](../../spec-tests/mutate/equivalent.tsv).',
    '',
    ...missed.map(({ place, from, to, state }) => {
      const change = only === undefined ? '' : `: ${code(from)} becomes ${code(to)}`
      return `- \`${place}\`${change}${state === 'survived' ? '' : `, ${state}`}`
    }),
    '',
  ].join('\n')
}

function groupsOf(results, keyOf) {
  const groups = new Map()
  for (const one of results) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one])
  return [...groups].toSorted(([one], [other]) => (one < other ? -1 : 1))
}

function isFound({ state }) {
  return state.startsWith('found')
}

function toRow(name, group) {
  return `| ${name} | ${group.filter(isFound).length} | ${group.length} | ${share(group)} |`
}

function share(group) {
  return `${((100 * group.filter(isFound).length) / Math.max(1, group.length)).toFixed(1)} %`
}

/** Text as code in a cell of a table. */
function code(text) {
  const short = text.length > 120 ? `${text.slice(0, 117)}...` : text
  return `\`\` ${short.replaceAll('|', '\\|')} \`\``
}
