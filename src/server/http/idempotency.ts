import { createHmac } from 'node:crypto'
import type { Tx } from '#database/database.ts'
import { commonErrors } from '#contract/common-errors.ts'
import { reject } from '#contract/errors.ts'
import type { MasterKey } from '../secrets/master-key.ts'

export interface IdempotentRepliesTable {
  actor: string
  idempotency_key: string
  request_hash: string
  reply: string
  created_at: number
}

declare module '#database/schema.ts' {
  interface Schema {
    idempotent_replies: IdempotentRepliesTable
  }
}

const keyShape = /^[\x20-\x7e]{1,200}$/
export const retentionSeconds = 86_400

interface Once {
  actor: string
  key: string
  requestHash: string
  now: number
  masterKey: MasterKey
}

export function idempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && keyShape.test(header)) return header
  return reject(commonErrors, 'IDEMPOTENCY_KEY_INVALID')
}

/**
 * The fingerprint includes the body, so that one key cannot stand for two requests. Keyed, because a body may hold a
 * password that a database dump must not help to guess.
 */
export function requestHashOf(
  masterKey: MasterKey,
  { call, appId, body }: { call: string; appId: string | undefined; body: unknown },
): string {
  return createHmac('sha256', masterKey.macKey('idempotent requests'))
    .update(JSON.stringify([call, appId, body]))
    .digest('base64url')
}

/**
 * Runs `work` once and returns the stored reply afterwards. The claim is the first row the transaction writes: a
 * concurrent call waits for it and then finds the reply.
 */
export async function once<T>(tx: Tx, { actor, key, requestHash, now, masterKey }: Once, work: () => Promise<T>) {
  const context = `idempotent_replies|reply|${actor}|${key}`
  const claim = await tx.db
    .insertInto('idempotent_replies')
    .values({ actor, idempotency_key: key, request_hash: requestHash, reply: '', created_at: now })
    .onConflict((conflict) => conflict.columns(['actor', 'idempotency_key']).doNothing())
    .executeTakeFirst()
  const row = (query: { actor: string; key: string }) =>
    tx.db
      .selectFrom('idempotent_replies')
      .select(['request_hash', 'reply'])
      .where('actor', '=', query.actor)
      .where('idempotency_key', '=', query.key)
      .executeTakeFirstOrThrow()
  if (Number(claim.numInsertedOrUpdatedRows ?? 0) === 0) {
    const earlier = await row({ actor, key })
    if (earlier.request_hash !== requestHash) {
      reject(commonErrors, 'IDEMPOTENCY_KEY_REUSED')
    }
    return JSON.parse(masterKey.open(earlier.reply, context).toString()) as T
  }
  const reply = await work()
  await tx.db
    .updateTable('idempotent_replies')
    .set({ reply: masterKey.seal(JSON.stringify(reply), context) })
    .where('actor', '=', actor)
    .where('idempotency_key', '=', key)
    .execute()
  return reply
}
