export type CoercedMembers = Record<string, unknown>

/** An object for arguments or variables. Those of graphql 17 have no prototype. */
export function emptyMap(is17: boolean): CoercedMembers {
  return is17 ? (Object.create(null) as CoercedMembers) : {}
}
