import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Services } from '../services.ts'

/** The only kind of route that accepts a form, and nothing else; the handler reads the body. */
export function addUploadRoute(forms: FastifyInstance, route: RouteOptions): void {
  forms.removeAllContentTypeParsers()
  forms.addContentTypeParser('multipart/form-data', (_request: FastifyRequest, _body: unknown, done) => done(null))
  forms.route(route)
}

/** Maximum duration of an upload in progress; then it is cut off. */
const maxUploadMs = 3_600_000
/** How long a rejected client may keep sending, so that it can read the reply. */
const maxRejectedMs = 10_000

/** Runs the handler of an upload, which may take as long as bytes keep arriving. */
export async function receiveSlowly<T>(
  { slowSenders, stalledTransferMs }: Services,
  { raw }: FastifyRequest,
  reply: FastifyReply,
  receive: () => Promise<T>,
): Promise<T> {
  const cut = () => raw.destroy()
  slowSenders.add(raw.socket)
  // Set on the response: a complete request emits no timeout, and Node closes sockets without a listener.
  reply.raw.setTimeout(stalledTransferMs, () => {
    const isSenderSilent = !raw.complete && raw.readableFlowing
    // Otherwise the client would wait for the server.
    if (isSenderSilent) cut()
    else raw.setTimeout(stalledTransferMs)
  })
  let timer = setTimeout(cut, maxUploadMs).unref()
  raw.once('close', () => {
    clearTimeout(timer)
    // The next request on this connection has the time limit of all others.
    slowSenders.delete(raw.socket)
  })
  try {
    return await receive()
  } finally {
    clearTimeout(timer)
    raw.setTimeout(0)
    if (!raw.complete) {
      timer = setTimeout(cut, maxRejectedMs).unref()
      raw.resume()
    }
  }
}
