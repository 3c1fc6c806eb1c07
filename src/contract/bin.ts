import { unitSeconds } from './duration.ts'

/** What lies in the bin after its deletion. */
export const binKinds = ['license', 'user', 'variable', 'file', 'webhook', 'subscription'] as const

export type BinKind = (typeof binKinds)[number]

/** What users lost with a subscription, in parts. It comes and goes with the subscription and is in no list. */
export const lostSubscriptions = 'subscription-users'

export type StoredBinKind = BinKind | typeof lostSubscriptions

/** False for what a newer version has put into the bin during a rolling upgrade. */
export const isStoredBinKind = (kind: string): kind is StoredBinKind => kind === lostSubscriptions || isBinKind(kind)

/** Whether the list shows it. */
export const isBinKind = (kind: string): kind is BinKind => (binKinds as readonly string[]).includes(kind)

/** How long deleted things can be restored. */
export const binRetentionDays = 30
export const binRetentionSeconds = binRetentionDays * unitSeconds.days
