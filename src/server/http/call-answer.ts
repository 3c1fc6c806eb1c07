import type { FastifyRequest } from 'fastify'
import { type CallDefinition, withMessage } from '#contract/define-call.ts'
import type { Services } from '../services.ts'
import type { CallContext, Endpoint, WriteHandler } from './endpoint.ts'
import { idempotencyKey, once, requestHashOf } from './idempotency.ts'

/** Handlers whose reply is JSON or a streamed text. */
type TextHandler = Exclude<Endpoint['handler'], { send: unknown } | { receive: unknown } | { listen: unknown }>

/** Runs the handler: writes in one transaction, and once per `Idempotency-Key`. */
export async function answerCall(
  { call, handler }: { call: CallDefinition; handler: TextHandler },
  { db, masterKey }: Services,
  request: FastifyRequest,
  context: CallContext,
): Promise<object> {
  if ('read' in handler) return withMessage(call, await handler.read(context))
  const key = call.idempotent ? idempotencyKey(request.headers['idempotency-key']) : undefined
  let inOne: WriteHandler
  if (!('writeInBatches' in handler)) inOne = handler
  else if (key !== undefined && handler.writeOnce) inOne = { prepare: handler.prepareOnce, write: handler.writeOnce }
  else return withMessage(call, await handler.writeInBatches(context))
  const prepared = await inOne.prepare?.(context)
  const done = await db.write((tx) => {
    const work = async () => withMessage(call, await inOne.write(tx, context, prepared))
    if (key === undefined) return work()
    const appId = (context.app as { id: string } | undefined)?.id
    const actor = `${context.actor.type}:${'id' in context.actor ? context.actor.id : context.caller.ip}`
    // Path parameters are part of the request: one key cannot stand for two users.
    const hashedInput = context.params === undefined ? context.body : { params: context.params, body: context.body }
    const requestHash = requestHashOf(masterKey, { call: `${call.method} ${call.path}`, appId, body: hashedInput })
    return once(tx, { actor, key, requestHash, now: context.now, masterKey }, work)
  })
  return inOne.present ? inOne.present(done, context) : done
}
