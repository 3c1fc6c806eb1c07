import type { FastifyInstance, FastifyRequest } from 'fastify'
import { commonErrors } from '#contract/common-errors.ts'
import { callError } from '#contract/errors.ts'

/**
 * Accepts an empty body without a content type: some proxies announce a body on requests without one. Any other
 * non-JSON body is rejected before it is read.
 */
export function addUntypedBody(server: FastifyInstance): void {
  server.addContentTypeParser('*', (request: FastifyRequest, body, done) => {
    const reject = () => {
      body.off('end', take)
      done(callError(commonErrors, 'UNSUPPORTED_MEDIA_TYPE', { values: { type: 'application/json' } }))
    }
    const take = () => done(null)
    if (request.headers['content-type'] !== undefined) return reject()
    body.once('end', take)
    body.once('data', reject)
    body.once('error', () => done(callError(commonErrors, 'BAD_REQUEST')))
  })
}
