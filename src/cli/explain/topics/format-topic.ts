import type { Topic } from './explain-topic.js'
import type { Rule } from '../rules/rules.js'

/** A page about a status or a code, for a terminal. */
export function formatTopic({ title, meaning, advice, reasons, rules }: Topic): string {
  const sections = [
    [title],
    meaning === undefined ? [] : wrap(meaning),
    advice === undefined ? [] : ['What to do', ...wrap(advice)],
    reasons.length === 0 ? [] : ['Reasons', ...reasons.flatMap(formatReason)],
    rules.length === 0 ? [] : ['What the specification says', ...rules.flatMap(formatSentence)],
  ]
  const filled = sections.filter((lines) => lines.length > 0)
  return `${filled.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

function formatReason({ code, status, cause, advice, by }: Topic['reasons'][number]): string[] {
  const told = status === undefined ? '' : `${status} `
  return [`  ${told}${code} (${by})`, ...wrap(cause, '    '), ...wrap(`-> ${advice}`, '    ')]
}

function formatSentence({ statement, level, sentence, section, link }: Rule): readonly string[] {
  return [
    `  ${statement} ${level}, ${section}`,
    ...wrap(sentence.replaceAll(/\s+/g, ' '), '    '),
    `    ${link}`,
  ]
}

/** Lines of at most 100 columns, indented. */
function wrap(text: string, indent = '  '): readonly string[] {
  const lines: string[] = []
  let line = indent
  for (const word of text.split(' ')) {
    if (line.length > indent.length && line.length + word.length >= 100) {
      lines.push(line)
      line = indent
    }
    line += line.length === indent.length ? word : ` ${word}`
  }
  return [...lines, line]
}
