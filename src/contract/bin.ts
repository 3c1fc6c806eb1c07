import { unitSeconds } from './duration.ts'

/** Kinds of deleted rows that are kept in the bin. */
export const binKinds = ['license', 'user', 'variable', 'file', 'webhook', 'subscription'] as const

export type BinKind = (typeof binKinds)[number]

/** Hidden items with what users lost when a subscription was deleted. They are restored and deleted with its item. */
export const lostSubscriptions = 'subscription-users'

export type StoredBinKind = BinKind | typeof lostSubscriptions

/** False for a kind of a newer version during a rolling upgrade. */
export const isStoredBinKind = (kind: string): kind is StoredBinKind => kind === lostSubscriptions || isBinKind(kind)

/** Whether the list shows it. */
export const isBinKind = (kind: string): kind is BinKind => (binKinds as readonly string[]).includes(kind)

/** How long deleted things can be restored. */
export const binRetentionDays = 30
export const binRetentionSeconds = binRetentionDays * unitSeconds.days
