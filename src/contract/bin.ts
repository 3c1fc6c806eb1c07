import { unitSeconds } from './duration.ts'

/** What lies in the bin after its deletion. */
export const binKinds = ['license', 'user', 'variable'] as const

export type BinKind = (typeof binKinds)[number]

/** How long deleted things can be restored. */
export const binRetentionDays = 30
export const binRetentionSeconds = binRetentionDays * unitSeconds.days
