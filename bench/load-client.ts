import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { percentile } from './percentiles.ts'
import type { Exchange, LoadJob, LoadResult } from './load-job.ts'

/** Raw keep-alive connections; each sends the next request when the reply has arrived. */

const headEndMark = Buffer.from('\r\n\r\n')
const lengthMark = Buffer.from('ength: ')

async function run(job: LoadJob): Promise<LoadResult> {
  const noncePrefix = randomBytes(9).toString('base64url')
  const head =
    `POST ${job.path} HTTP/1.1\r\nhost: 127.0.0.1:${job.port}\r\ncontent-type: application/json\r\n` +
    `x-signet-app: ${job.app}\r\nx-signet-nonce: ${noncePrefix}`
  const sampleEvery = Math.max(1, Math.floor(job.maxRequests / Math.max(1, job.samples)))
  const latencies: number[] = []
  const statuses: Record<string, number> = {}
  const errors: Record<string, string> = {}
  const exchanges: Exchange[] = []
  const replies: string[] = []
  const sockets = await Promise.all(Array.from({ length: job.connections }, () => open(job.port)))
  const cpu = process.cpuUsage()
  const start = performance.now()
  const until = start + job.maxMs
  let sent = 0

  const drive = (socket: Socket) =>
    new Promise<void>((resolve, reject) => {
      let number = 0
      let sentAt = 0
      let request: Pick<Exchange, 'nonce' | 'time' | 'session' | 'body'>
      let waiting: Buffer | undefined

      function next(): void {
        sentAt = performance.now()
        if (sent >= job.maxRequests || sentAt >= until) return resolve()
        number = sent++
        const counter = number.toString(36).padStart(12, '0')
        const time = String(Date.now())
        const session = job.sessions[number % job.sessions.length] ?? ''
        const body = job.bodies[number % job.bodies.length] ?? ''
        request = { nonce: noncePrefix + counter, time, session, body }
        const named = session === '' ? '' : `x-signet-session: ${session}\r\n`
        const rest = `${counter}\r\nx-signet-time: ${time}\r\n${named}content-length: ${body.length}\r\n\r\n${body}`
        socket.write(head + rest, 'latin1')
      }

      socket.on('data', (chunk: Buffer) => {
        const bytes = waiting ? Buffer.concat([waiting, chunk]) : chunk
        waiting = bytes
        const headEnd = bytes.indexOf(headEndMark)
        if (headEnd < 0) return
        const lengthAt = bytes.indexOf(lengthMark) + lengthMark.length
        const length = Number.parseInt(bytes.toString('latin1', lengthAt, lengthAt + 9), 10)
        const bodyAt = headEnd + headEndMark.length
        if (bytes.length < bodyAt + length) return
        waiting = undefined
        latencies.push(performance.now() - sentAt)
        const status = bytes.toString('latin1', 9, 12)
        statuses[status] = (statuses[status] ?? 0) + 1
        if (status !== '200') errors[status] ??= bytes.toString('utf8', bodyAt)
        if (job.keepReplies) replies[number] = bytes.toString('utf8', bodyAt)
        if (number % sampleEvery === 0 && exchanges.length < job.samples) {
          const answer = {
            status: Number(status),
            head: bytes.toString('latin1', 0, headEnd),
            reply: bytes.toString('utf8', bodyAt),
          }
          exchanges.push({ ...request, ...answer })
        }
        if (job.pauseMs === 0) next()
        else setTimeout(next, job.pauseMs)
      })
      socket.on('error', reject)
      socket.on('close', () => reject(new Error('The server closed a connection')))
      // Paced connections start at different times; otherwise, they would send simultaneously forever.
      if (job.pauseMs === 0) next()
      else setTimeout(next, Math.random() * job.pauseMs)
    })

  await Promise.all(sockets.map(drive))
  const ms = performance.now() - start
  const { user, system } = process.cpuUsage(cpu)
  for (const socket of sockets) socket.removeAllListeners().destroy()
  return {
    answered: latencies.length,
    ms,
    statuses,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    slowest: percentile(latencies, 1),
    clientBusy: (user + system) / 1000 / ms,
    exchanges,
    replies,
    errors,
  }
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.once('connect', () => resolve(socket.removeListener('error', reject)))
    socket.once('error', reject)
  })
}

process.on('message', (job: LoadJob) => {
  run(job).then(
    (result) => process.send?.(result),
    (error: unknown) => process.send?.({ error: String(error) }),
  )
})
process.once('disconnect', () => process.exit(0))
