import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Services } from '../services.ts'

/** The one kind of route that lets a form through, and nothing else; its body is read by the handler. */
export function addUploadRoute(forms: FastifyInstance, route: RouteOptions): void {
  forms.removeAllContentTypeParsers()
  forms.addContentTypeParser('multipart/form-data', (_request: FastifyRequest, _body: unknown, done) => done(null))
  forms.route(route)
}

/** Longer than any upload that goes on; then it is cut. */
const maxUploadMs = 3_600_000
/** How long a sender that is refused may go on sending, so that it reads why. */
const maxRejectedMs = 10_000

/** Runs the handler of an upload, which may take as long as bytes keep coming. */
export async function receiveSlowly<T>(
  { slowSenders, stalledDownloadMs }: Services,
  { raw }: FastifyRequest,
  reply: FastifyReply,
  receive: () => Promise<T>,
): Promise<T> {
  const cut = () => raw.destroy()
  slowSenders.add(raw.socket)
  // On the response: a request that is complete emits no timeout, and Node cuts what nobody listens to.
  reply.raw.setTimeout(stalledDownloadMs, () => {
    const isSenderSilent = !raw.complete && raw.readableFlowing
    // Otherwise the sender waits for us.
    if (isSenderSilent) cut()
    else raw.setTimeout(stalledDownloadMs)
  })
  let timer = setTimeout(cut, maxUploadMs).unref()
  raw.once('close', () => clearTimeout(timer))
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
