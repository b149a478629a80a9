/** The version whose requests carry everything they need. */
export const statelessVersion = '2026-07-28'

/** The versions that begin with the handshake `initialize`, newest first. */
const handshakeVersions = ['2025-11-25', '2025-06-18'] as const

type HandshakeVersion = (typeof handshakeVersions)[number]

/** A version of the protocol that is supported. */
export type Version = typeof statelessVersion | HandshakeVersion

/** All supported versions, newest first. */
export const versions: readonly Version[] = [statelessVersion, ...handshakeVersions]

export function findVersion(text: string): Version | undefined {
  return versions.find((version) => version === text)
}

/** The version that the handshake agrees on: the requested one, or else the newest that has a handshake. */
export function agreeOn(requested: string | undefined): HandshakeVersion {
  return handshakeVersions.find((version) => version === requested) ?? handshakeVersions[0]
}
