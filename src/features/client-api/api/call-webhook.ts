import { reject } from '#contract/errors.ts'
import { hasPlanFeature } from '#features/plans/plans.reads.ts'
import { callReceiver } from '#features/webhooks/webhook-deliveries.ts'
import { newMessageId } from '#features/webhooks/webhook-events.ts'
import { findWebhook } from '#features/webhooks/webhooks.reads.ts'
import { epochSeconds } from '#server/services.ts'
import { clientErrors } from '../client-api.errors.ts'
import type { ProgramHandler } from '../client-calls.ts'
import { requireRunningUser } from '../running-user.ts'

export const maxAnswerBytes = 16 * 1024
export const callsPerMinute = 30

/**
 * Lets the server call a webhook, so that its URL and secrets are not on the customer's machine. The data of the
 * program is sent as the body and never becomes part of the URL.
 */
export const callWebhook: ProgramHandler<'call-webhook'> = async (context) => {
  const { services, write, app, session, body } = context
  const webhook = await findWebhook(services.db.read, app.row.id, body.id)
  if (webhook?.authenticated !== 0) requireRunningUser(context)
  const isIncluded = () => hasPlanFeature(services.db.read, app.row.owner_id, 'webhooks', epochSeconds(services))
  if (!webhook || !(await isIncluded())) reject(clientErrors, 'WEBHOOK_NOT_FOUND')
  const limit = { purpose: 'webhook calls', subject: session.row.token_hash, max: callsPerMinute, seconds: 60 }
  services.rateLimits.take(limit, services.clock())
  // Effects at the receiver cannot be undone, so the request's nonce is used up before the call.
  await write(async () => {})
  const { failure, status, answer, isCut } = await callReceiver(services, webhook, {
    ownerId: app.row.owner_id,
    use: 'call',
    id: newMessageId(),
    body: JSON.stringify(body.params ?? {}),
    maxAnswerBytes,
  })
  if (failure === 'busy') reject(clientErrors, 'WEBHOOK_BUSY')
  if (failure !== undefined || status === undefined) reject(clientErrors, 'WEBHOOK_UNREACHABLE')
  if (isCut) reject(clientErrors, 'WEBHOOK_ANSWER_TOO_LARGE', { values: { max: maxAnswerBytes } })
  return { status, body: answer }
}
