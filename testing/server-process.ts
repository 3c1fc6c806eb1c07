import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { ensureServer } from '../tools/build-server.ts'

export interface ServerProcess {
  url: string
  process: ChildProcess
  /** As the kernel would: no handler runs. */
  killHard(): Promise<void>
  stop(): Promise<void>
}

const readyWithinMs = 60_000

/** The built server, as `npm start` runs it, on a free port; resolves when it answers. */
export async function startServerProcess(environment: Record<string, string>): Promise<ServerProcess> {
  const port = await freePort()
  const child = spawn(process.execPath, [await ensureServer()], {
    env: { PATH: process.env['PATH'], ...environment, PORT: String(port), HOST: '127.0.0.1', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const url = `http://127.0.0.1:${port}`
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  const until = Date.now() + readyWithinMs
  while (!(await answers(url))) {
    if (child.exitCode !== null || Date.now() > until) {
      await end('SIGKILL')
      throw new Error(`The server did not start: ${output}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  return { url, process: child, killHard: () => end('SIGKILL'), stop: () => end('SIGTERM') }
}

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    (response) => response.ok,
    () => false,
  )
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
