import { createHmac, randomBytes } from 'node:crypto'
import type { MasterKey } from '#server/secrets/master-key.ts'
import type { Webhook } from './webhooks.reads.ts'

/** Signatures of Standard Webhooks, version 1: HMAC-SHA-256 over id, time and body. */

const secretBytes = 32
const prefix = 'whsec_'

type Column = 'secret_sealed' | 'previous_sealed'
const placeOf = ({ app_id, id }: Pick<Webhook, 'app_id' | 'id'>, column: Column) => `webhooks|${column}|${app_id}|${id}`

/** A new secret: the text shown once to its owner, and its stored form. */
export function newSecret(masterKey: MasterKey, webhook: Pick<Webhook, 'app_id' | 'id'>) {
  const secret = randomBytes(secretBytes)
  return { text: prefix + secret.toString('base64'), sealed: masterKey.seal(secret, placeOf(webhook, 'secret_sealed')) }
}

/** The current secret, sealed for the column of the previous one. */
export const sealAsPrevious = (masterKey: MasterKey, webhook: Webhook): string =>
  masterKey.seal(
    masterKey.open(webhook.secret_sealed, placeOf(webhook, 'secret_sealed')),
    placeOf(webhook, 'previous_sealed'),
  )

interface Message {
  /** `webhook-id`. */
  id: string
  /** Epoch seconds of this attempt. */
  at: number
  body: string
}

/** Headers of the standard; two signatures while the previous secret is still valid. */
export function signedHeaders(
  masterKey: MasterKey,
  webhook: Webhook,
  { id, at, body }: Message,
): Record<string, string> {
  const secrets = [masterKey.open(webhook.secret_sealed, placeOf(webhook, 'secret_sealed'))]
  if (webhook.previous_sealed !== null && Number(webhook.previous_until) > at)
    secrets.push(masterKey.open(webhook.previous_sealed, placeOf(webhook, 'previous_sealed')))
  const signatures = secrets.map((secret) =>
    createHmac('sha256', secret).update(`${id}.${at}.${body}`).digest('base64'),
  )
  return {
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': signatures.map((signature) => `v1,${signature}`).join(' '),
  }
}
