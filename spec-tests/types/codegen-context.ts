/** What resolvers share, as the configuration of the generator names it. */
export interface Context {
  readonly user: string
}

/** A person as the server keeps it. */
export interface PersonRow {
  readonly id: string
  readonly name: string
  readonly bornAt: number
}
