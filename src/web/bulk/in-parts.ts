import type { Coded } from '../api/code-text.ts'

/** As `maxBulkNames` of the contract, which would bring the schemas into the dashboard. */
const maxPerCall = 1000

/** Sends names in as many calls as their number needs, one after the other. Returns the replies in this order. */
export async function inParts<R>(names: readonly string[], send: (part: string[]) => Promise<R>): Promise<R[]> {
  const replies: R[] = []
  for (const part of partsOf(names, maxPerCall)) replies.push(await send(part))
  return replies
}

/** At least one. */
export function partsOf(names: readonly string[], size: number): string[][] {
  const parts: string[][] = []
  for (let start = 0; start === 0 || start < names.length; start += size) parts.push(names.slice(start, start + size))
  return parts
}

type Deleted = Coded & { deleted: number; undoId?: string | null }

/** Deletes names in as many calls as their number needs; the reply is about all of them. */
export async function deleteInParts(names: readonly string[], send: (part: string[]) => Promise<Deleted>) {
  const replies = await inParts(names, send)
  const deleted = replies.reduce((sum, reply) => sum + reply.deleted, 0)
  return { ...replies[0], values: { deleted }, undoIds: replies.flatMap(({ undoId }) => undoId ?? []) }
}
