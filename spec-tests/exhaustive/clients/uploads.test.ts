import { type ApolloLink, CombinedGraphQLErrors, gql } from '@apollo/client'
import { Client, fetchExchange } from '@urql/core'
// @ts-expect-error Its types are in comments.
import UploadHttpLink from 'apollo-upload-client/UploadHttpLink.mjs'
import t, { type Test } from 'tap'
import { uploads, type UploadOptions } from '@graphwire/uploads'
import { apolloClient } from './apollo-client.js'
import { editionNames, serveStandard } from './serve-standard.js'

const document = gql`
  mutation ($files: [Upload!]!) {
    receiveFiles(files: $files) {
      name
      mediaType
      size
      text
    }
  }
`
const headers = { 'GraphQL-Require-Preflight': '1' }
const file = new File(['Alpha'], 'ä.txt', { type: 'text/plain' })
const large = new File(['x'.repeat(2_000_000)], 'large.bin')

interface Got {
  readonly data: unknown
  readonly codes: readonly unknown[]
}

type Send = (files: readonly unknown[]) => Promise<Got>
type Start = (t: Test, url: string, fetch: typeof globalThis.fetch, isAllowed: boolean) => Send

const clients: { readonly [name: string]: Start } = {
  'apollo-upload-client': (t, uri, fetch, isAllowed) => {
    const Link = UploadHttpLink as new (options: object) => ApolloLink
    const client = apolloClient(t, new Link({ uri, fetch, headers: isAllowed ? headers : {} }))
    return async (files) => {
      const mutate = client.mutate({ mutation: document, variables: { files }, errorPolicy: 'all' })
      const { data, error } = await mutate
      const errors = CombinedGraphQLErrors.is(error) ? error.errors : []
      return { data, codes: errors.map(({ extensions }) => extensions?.['code']) }
    }
  },
  urql: (_t, url, fetch, isAllowed) => {
    const fetchOptions = { headers: isAllowed ? headers : {} }
    const client = new Client({ url, fetch, fetchOptions, exchanges: [fetchExchange] })
    return async (files) => {
      const { data, error } = await client.mutation(document, { files })
      const errors = error?.graphQLErrors ?? []
      return { data, codes: errors.map(({ extensions }) => extensions['code']) }
    }
  },
}

const alpha = { name: 'ä.txt', mediaType: 'text/plain', size: 5, text: 'Alpha' }

// oxfmt-ignore
const rows: readonly [title: string, files: readonly unknown[], limits: UploadOptions, data: unknown, codes: readonly string[]][] = [
  ['a file',                     [file],           {},                     [alpha], []],
  ['a Blob without a name',      [new Blob(['x'])], {},                    [{ name: 'blob', size: 1 }], []],
  ['several, one of them large', [large, file],    {},                     [{ size: 2_000_000, text: null }, alpha], []],
  ['one that is too large',      [large, file],    { maxFileBytes: 1000 }, [null, alpha], ['FILE_TOO_LARGE']],
  ['too many',                   [file, large],    { maxFiles: 1 },        undefined, ['TOO_MANY_FILES']],
]

for (const [name, start] of Object.entries(clients)) {
  for (const edition of editionNames) {
    for (const [title, files, limits, data, codes] of rows) {
      void t.test(`${name}, edition ${edition}: ${title}`, async (t) => {
        const served = await serveStandard(t, edition, { uploads: uploads(limits) })
        const { url, fetch, seen } = served
        const got = await start(t, url, fetch, true)(files)
        t.match((got.data as { receiveFiles?: unknown } | undefined)?.receiveFiles, data)
        t.same(got.codes, codes)
        t.equal(seen.length, 1)
      })
    }
  }

  void t.test(`${name} without a header that forms cannot set is refused`, async (t) => {
    const { url, fetch } = await serveStandard(t, '2026-09', { uploads: uploads() })
    const got = await start(t, url, fetch, false)([file])
    t.same(got.codes, ['HEADER_MISSING'])
  })
}
