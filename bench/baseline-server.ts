import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { signInGroup } from '#protocol/group-signature.ts'
import { replyMessage } from '#protocol/reply-message.ts'
import { requestHash } from '#protocol/request-hash.ts'

/**
 * The maximum of `node:http` on this machine: reads the body and replies with a short text. With ECHO, the head and
 * body of a reply as JSON, it also reads the headers and replies with as many headers and bytes as the real server,
 * without its work. With SIGNS, it does what the protocol demands of each reply: it hashes and parses the request, and
 * writes and signs the reply, with others that are ready.
 */
const echo = process.env['ECHO'] ? (JSON.parse(process.env['ECHO']) as { headers: string[]; body: string }) : undefined
const signs = process.env['SIGNS'] === '1'

const { privateKey } = generateKeyPairSync('ed25519')
const fields = echo && (JSON.parse(echo.body) as object)
const at = (name: string) => (echo?.headers.indexOf(name) ?? -2) + 1
const places = { signature: at('x-signet-signature'), path: at('x-signet-path') }

async function signedReply({ headers, url = '' }: IncomingMessage, body: Buffer) {
  const header = (name: string) => String(headers[`x-signet-${name}`] ?? '')
  const request = { app: header('app'), nonce: header('nonce'), time: header('time'), session: header('session') }
  JSON.parse(body.toString())
  const reply = JSON.stringify(fields)
  const message = replyMessage({
    app: request.app,
    kid: 'a',
    requestHash: requestHash({ path: url, ...request, body }),
    serverTime: Date.now(),
    status: 200,
    body: reply,
  })
  const { signature, path } = await signInGroup(privateKey, message)
  const head = [...(echo?.headers ?? [])]
  head[places.signature] = signature
  if (places.path > 0) head[places.path] = path
  return { head, reply }
}

const server = createServer((request, response) => {
  if (!echo) {
    request.resume()
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 5 })
      response.end('hello')
    })
    return
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', async () => {
    const body = Buffer.concat(chunks)
    const isHeartbeat = request.headers['x-signet-app'] !== undefined && body.length > 0
    const isRead = request.method === 'GET' || isHeartbeat
    const { head, reply } =
      signs && isHeartbeat ? await signedReply(request, body) : { head: echo.headers, reply: echo.body }
    response.sendDate = false
    response.writeHead(isRead ? 200 : 400, head)
    response.end(reply)
  })
})
server.listen(Number(process.env['PORT']), '127.0.0.1')
process.once('SIGTERM', () => process.exit(0))
