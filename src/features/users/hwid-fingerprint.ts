const shownCharacters = 16

/** Enough of the hash to tell two machines apart; empty while no machine is bound. */
export const hwidFingerprint = ({ hwid_hash }: { hwid_hash: string | null }): string =>
  hwid_hash?.slice(0, shownCharacters) ?? ''
