import { sometimesMutated } from './mutate.js'
import type { Random } from '../../fuzz/random.js'

const types = ['application/json', 'application/graphql-response+json', 'application/*', '*/*']
// oxfmt-ignore
const otherTypes = ['text/html', 'text/*', 'Application/JSON', 'application/graphql+json', 'a/b', '*/json']
// oxfmt-ignore
const values = ['utf-8', 'UTF-8', '"utf-8"', '"UTF\\-8"', 'latin1', '""', '"a,b;c"', '"\\""', '"x', 'a b']
// oxfmt-ignore
const weights = ['0', '1', '0.5', '.5', '0.', '1.', '1.000', '0.001', '1.001', '0.1234', '', '2', '-1']
// oxfmt-ignore
const codings = ['gzip', 'GZIP', 'identity', 'Identity', 'br', 'deflate', 'chunked', '', 'x"y', '*']

// oxfmt-ignore
const mediaWords = [
  ...types, ...otherTypes, ...values, ...weights.map((weight) => `;q=${weight}`),
  '; charset=utf-8', 'charset=', 'q=', ', ', ',,', ';;', ' ;\t',
]

export function mediaType(random: Random): string {
  const essence = random.pick(random.chance(0.7) ? types : otherTypes)
  const parameters = random.list(2, () => {
    const space = random.pick(['', ' ', '\t', ' '])
    const name = random.pick(['charset', 'CHARSET', 'q', 'Q', 'v', 'charset'])
    const value = random.pick(name.toLowerCase() === 'q' ? weights : values)
    return `${random.pick(['', ' '])};${space}${name}=${value}`
  })
  return sometimesMutated(random, essence + parameters.join(''), mediaWords, 0.3)
}

export function acceptValue(random: Random): string {
  const members = random.list(4, () => mediaType(random))
  const joined = members.join(random.pick([',', ', ', ' , ', ',,']))
  return sometimesMutated(random, joined, mediaWords, 0.2)
}

export function codingValue(random: Random): string {
  const joined = random
    .list(3, () => random.pick(codings))
    .join(random.pick([',', ', ', '\t,', ',,']))
  return sometimesMutated(random, joined, ['gzip', 'identity', ',', '"'], 0.2)
}
