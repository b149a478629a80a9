import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

/** What undoes the codings of requests. */
export const decoders: object = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  deflate: inflateSync,
}
