import { createServer } from 'node:http'

/** What `node:http` can do at best here: it reads the body and says hello. */
const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 5 })
    response.end('hello')
  })
})
server.listen(Number(process.env['PORT']), '127.0.0.1')
process.once('SIGTERM', () => process.exit(0))
