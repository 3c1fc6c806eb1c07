import type * as NodeHttp from 'node:http'
import { builtinModule } from './builtin-module.ts'
import { SignetError, UnverifiedError } from './errors.ts'
import { Connector, maxHeaderSize } from './node-connection.ts'
import type { Network } from './network-options.ts'
import type { Fetch } from './options.ts'

/** Statuses whose answers have no body. */
const bodiless = new Set([204, 205, 304])
/** How a kept connection fails that the server has closed meanwhile. */
const dropped = new Set(['ECONNRESET', 'EPIPE'])

type Agent = NodeHttp.Agent

/** What `fetch` does for this client, over `node:http`: it checks certificates further, and knows proxies. */
export function nodeFetch(network: Network): Fetch {
  const http = builtinModule('node:http') as typeof NodeHttp
  const agent = agentOf(http, new Connector(network))
  return async (url, init) => {
    const ask = () => send(http, agent, network, url, init)
    try {
      return await ask().catch((error: unknown) => {
        if (!(error instanceof DroppedError)) throw error
        closeIdle(agent)
        return ask()
      })
    } catch (error) {
      if (error instanceof SignetError) throw error
      const cause = error instanceof DroppedError ? error.cause : error
      throw new UnverifiedError('NETWORK', `The server cannot be reached: ${(cause as Error).message}`, { cause })
    }
  }
}

/** A kept connection was closed before anything of an answer came. */
class DroppedError extends Error {}

/** Keeps connections for the next call; an idle one doesn't keep the program running. */
function agentOf(http: typeof NodeHttp, connector: Connector): Agent {
  const agent = new http.Agent({ keepAlive: true })
  agent.createConnection = (options, callback) => {
    const { connectSignal } = options as unknown as { connectSignal: AbortSignal }
    connector.connect(connectSignal).then(
      (socket) => callback?.(null, socket),
      (error: Error) => callback?.(error, undefined as never),
    )
    return undefined
  }
  return agent
}

function closeIdle({ freeSockets }: Agent): void {
  for (const socket of Object.values(freeSockets).flatMap((sockets) => sockets ?? [])) socket.destroy()
}

function send(
  http: typeof NodeHttp,
  agent: Agent,
  { server, proxy }: Network,
  url: string,
  { method = 'GET', headers, body, signal }: RequestInit,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const path = url.slice(server.origin.length)
    const isForwarded = proxy !== undefined && server.protocol === 'http:'
    const authorization = isForwarded ? proxy.authorization : undefined
    const options = {
      agent,
      host: server.hostname,
      port: Number(server.port),
      method,
      path: isForwarded ? url : path,
      headers: {
        host: server.host,
        ...(headers as Record<string, string>),
        ...(authorization !== undefined && { 'proxy-authorization': authorization }),
      },
      maxHeaderSize,
      insecureHTTPParser: false,
      // Node doesn't hand `signal` to what opens connections.
      connectSignal: signal,
      ...(signal && { signal }),
    }
    const request = http.request(options)
    request.maxHeadersCount = 0
    request.once('response', (incoming) => {
      try {
        resolve(responseOf(incoming))
      } catch (error) {
        request.destroy()
        reject(error as Error)
      }
    })
    request.once('upgrade', ({ statusCode }, socket) => {
      socket.destroy()
      reject(new Error(`the server answers ${statusCode}`))
    })
    request.on('error', (cause: NodeJS.ErrnoException) => {
      const isDropped = request.reusedSocket && dropped.has(cause.code ?? '') && !signal?.aborted
      reject(isDropped ? new DroppedError(cause.message, { cause }) : cause)
    })
    request.end(body ?? undefined)
  })
}

function responseOf(incoming: NodeHttp.IncomingMessage): Response {
  const { statusCode = 0, rawHeaders } = incoming
  // Node counts names and values, not what stands between them.
  if (rawHeaders.join(': ').length > maxHeaderSize) throw new Error('the headers of the answer are too large')
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  // A cut is an error of what reads the body.
  incoming.on('error', () => undefined)
  const hasBody = !bodiless.has(statusCode)
  const response = new Response(hasBody ? streamOf(incoming) : null, { status: statusCode, headers })
  if (!hasBody) incoming.resume()
  return response
}

/** Reads from the connection only as much as somebody asks for. */
function streamOf(incoming: NodeHttp.IncomingMessage): ReadableStream<Uint8Array> {
  const chunks = incoming[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: () => void incoming.destroy(),
    },
    { highWaterMark: 0 },
  )
}
