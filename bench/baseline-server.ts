import { createServer } from 'node:http'

/**
 * The maximum of `node:http` on this machine: reads the body and replies with a short text. With ECHO, the head and
 * body of a reply as JSON, it also reads the headers and replies with as many headers and bytes as the real server,
 * without its work.
 */
const echo = process.env['ECHO'] ? (JSON.parse(process.env['ECHO']) as { headers: string[]; body: string }) : undefined

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
  request.on('end', () => {
    const length = Buffer.concat(chunks).length
    const isRead = request.method === 'GET' || (request.headers['x-signet-app'] !== undefined && length > 0)
    response.sendDate = false
    response.writeHead(isRead ? 200 : 400, echo.headers)
    response.end(echo.body)
  })
})
server.listen(Number(process.env['PORT']), '127.0.0.1')
process.once('SIGTERM', () => process.exit(0))
