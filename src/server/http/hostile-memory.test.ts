import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RawConnection } from '#testing/servers/raw-connection.ts'
import { type ServerProcess, startServerProcess } from '#testing/servers/server-process.ts'

/** A gibibyte that is announced, sent without an end or hidden in heads costs the server nothing that matters. */

const maxGrowthBytes = 50 * 2 ** 20

/** On a machine that others keep busy garbage is collected late: of so many servers the one with the least counts. */
const maxServers = 4

let server: ServerProcess
let dataDir: string

beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'signet-memory-'))
})
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

/** The most memory that the process has had, in bytes. */
function peakBytes(): number {
  const status = readFileSync(`/proc/${server.process.pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) * 1024
}

const batch = Buffer.from(`10000\r\n${'['.repeat(0x10000)}\r\n`)

/** Sends as fast as it is taken until the server hangs up; gives how many bytes it got rid of. */
async function flood(head: string): Promise<number> {
  const connection = new RawConnection(server.url).send(head)
  const { socket } = connection
  let sent = 0
  const pump = (): void => {
    while (!socket.destroyed && socket.writable && sent < 2 ** 30) {
      sent += batch.length
      if (!socket.write(batch)) return void socket.once('drain', pump)
    }
  }
  pump()
  await connection.untilClosed()
  return sent
}

const honest = (path: string) =>
  fetch(`${server.url}${path}`, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })

const headOf = (path: string, more: string) =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${more}\r\n\r\n`

test.runIf(process.platform === 'linux')(
  'hostile bodies and heads make memory grow by less than 50 MB',
  async () => {
    const program = '/api/1.0/client/init'
    const website = '/api/1.0/website/login'
    const round = () =>
      Promise.all([
        ...[program, website].flatMap((path) =>
          Array.from({ length: 10 }, () => flood(headOf(path, 'transfer-encoding: chunked'))),
        ),
        ...Array.from({ length: 10 }, () => flood(headOf(program, 'content-length: 1073741824'))),
        ...Array.from({ length: 10 }, () => flood(`GET / HTTP/1.1\r\nhost: x\r\nx-long: `)),
      ])
    const growth = async () => {
      server = await startServerProcess({ DATA_DIR: dataDir })
      try {
        // What a server allocates once, for any load, counts before.
        for (let times = 0; times < 20; times++) await Promise.all(Array.from({ length: 50 }, () => honest(website)))
        const before = peakBytes()
        for (let times = 0; times < 5; times++) await round()
        expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
        return peakBytes() - before
      } finally {
        await server.stop()
      }
    }
    let least = Infinity
    for (let servers = 0; servers < maxServers && least >= maxGrowthBytes; servers++) {
      least = Math.min(least, await growth())
    }
    expect(least).toBeLessThan(maxGrowthBytes)
  },
  300_000,
)
