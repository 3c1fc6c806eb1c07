import { unitSeconds } from './duration.ts'

/** What lies in the bin after its deletion. */
export const binKinds = ['license', 'user', 'variable', 'file', 'webhook'] as const

export type BinKind = (typeof binKinds)[number]

/** False for what a newer version has put into the bin during a rolling upgrade. */
export const isBinKind = (kind: string): kind is BinKind => (binKinds as readonly string[]).includes(kind)

/** How long deleted things can be restored. */
export const binRetentionDays = 30
export const binRetentionSeconds = binRetentionDays * unitSeconds.days
