import type { FastifyInstance, FastifyRequest } from 'fastify'
import { commonRefusals } from '#contract/common-refusals.ts'
import { refusalOf } from '#contract/refusals.ts'

/**
 * Takes a body that is announced without a type and then is empty: some proxies send a request without one as such.
 * Anything else that isn't JSON is refused before it is read.
 */
export function addUntypedBody(server: FastifyInstance): void {
  server.addContentTypeParser('*', (request: FastifyRequest, body, done) => {
    const refuse = () => {
      body.off('end', take)
      done(refusalOf(commonRefusals, 'UNSUPPORTED_MEDIA_TYPE'))
    }
    const take = () => done(null)
    if (request.headers['content-type'] !== undefined) return refuse()
    body.once('end', take)
    body.once('data', refuse)
    body.once('error', () => done(refusalOf(commonRefusals, 'BAD_REQUEST')))
  })
}
