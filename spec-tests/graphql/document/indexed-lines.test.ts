import * as graphql from 'graphql'
import t from 'tap'
import { indexLines } from '../../../src/graphql/document/documents.js'

const ends = ['\n', '\r', '\r\n', '\n\r']

for (const lines of [10, 199, 200, 1500]) {
  void t.test(`the places of a document of ${lines} lines are those of graphql-js`, async (t) => {
    const text = Array.from({ length: lines }, (_, at) => ` f${at}${ends[at % 4]}`).join('')
    const plain = graphql.parse(`{${text}}`)
    const indexed = graphql.parse(`{${text}}`)
    indexLines(indexed)
    const placesOf = (document: graphql.DocumentNode): unknown => {
      const { loc, selectionSet } = document.definitions[0] as graphql.OperationDefinitionNode
      const { source } = loc as graphql.Location
      return selectionSet.selections.map(({ loc: at }) => graphql.getLocation(source, at!.start))
    }
    t.strictSame(placesOf(indexed), placesOf(plain))
    const { source } = indexed.loc as graphql.Location
    t.equal(source.body.slice(), `{${text}}`)
    t.equal(JSON.stringify({ text: source.body }), JSON.stringify({ text: `{${text}}` }))
    t.equal([...source.body.matchAll(/f7\b/g)].length, 1)
    t.equal(graphql.printLocation(indexed.loc!), graphql.printLocation(plain.loc!))
  })
}
