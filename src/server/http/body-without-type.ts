import type { FastifyInstance, FastifyRequest } from 'fastify'
import { commonErrors } from '#contract/common-errors.ts'
import { callError } from '#contract/errors.ts'

/**
 * Takes a body that is announced without a type and then is empty: some proxies send a request without one as such.
 * Anything else that isn't JSON is refused before it is read.
 */
export function addUntypedBody(server: FastifyInstance): void {
  server.addContentTypeParser('*', (request: FastifyRequest, body, done) => {
    const reject = () => {
      body.off('end', take)
      done(callError(commonErrors, 'UNSUPPORTED_MEDIA_TYPE'))
    }
    const take = () => done(null)
    if (request.headers['content-type'] !== undefined) return reject()
    body.once('end', take)
    body.once('data', reject)
    body.once('error', () => done(callError(commonErrors, 'BAD_REQUEST')))
  })
}
