// Each worker is imported here, by name: a bundler finds the workers of `setup-workers` in a package only sometimes.
import EditorWorker from 'monaco-editor/esm/vs/editor/editor.worker.js?worker'
import JsonWorker from 'monaco-editor/esm/vs/language/json/json.worker.js?worker'
import GraphQLWorker from 'monaco-graphql/esm/graphql.worker.js?worker'

const workers: { readonly [label: string]: new () => Worker } = {
  json: JsonWorker,
  graphql: GraphQLWorker,
}

Object.assign(globalThis, {
  MonacoEnvironment: {
    getWorker: (_id: string, label: string): Worker => new (workers[label] ?? EditorWorker)(),
  },
})
