import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { ensureServer } from '../../tools/build-server.ts'
import { freePort } from './free-port.ts'
import { programEnvironment } from './program-environment.ts'

export interface ServerProcess {
  url: string
  process: ChildProcess
  /** Kills the process like the kernel; no handler runs. */
  killHard(): Promise<void>
  stop(): Promise<void>
}

const readyWithinMs = 60_000

/**
 * Starts the built server like `npm start`, or another `program`, on a free port; resolves when it is ready, or when
 * only the process is running.
 */
export async function startServerProcess(
  environment: Record<string, string>,
  until: '/readyz' | '/healthz' = '/readyz',
  program?: string,
): Promise<ServerProcess> {
  const port = await freePort()
  const settings = { DRAIN_SECONDS: '0', ...environment, PORT: String(port), HOST: '127.0.0.1', LOG_LEVEL: 'error' }
  const child = await spawnServer(settings, { program })
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
  const deadline = Date.now() + readyWithinMs
  while (!(await answers(url + until))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await end('SIGKILL')
      throw new Error(`The server did not start: ${output}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  return { url, process: child, killHard: () => end('SIGKILL'), stop: () => end('SIGTERM') }
}

export interface FailedStart {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs a server that exits during startup. `shell` runs first, such as a mount in a separate namespace. */
export async function failedStart(
  environment: Record<string, string>,
  shell?: readonly string[],
  program?: string,
): Promise<FailedStart> {
  const settings = { PORT: String(await freePort()), HOST: '127.0.0.1', ...environment }
  const child = await spawnServer(settings, { shell, program })
  const timer = setTimeout(() => child.kill('SIGKILL'), readyWithinMs)
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(timer)
  return { code, ...output }
}

async function spawnServer(
  environment: Record<string, string>,
  { shell = [], program }: { shell?: readonly string[] | undefined; program?: string | undefined },
): Promise<ChildProcessWithoutNullStreams> {
  const [command = '', ...args] = [...shell, process.execPath, program ?? (await ensureServer())]
  return spawn(command, args, {
    env: { ...programEnvironment, ...environment },
    stdio: 'pipe',
  })
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    (response) => response.ok,
    () => false,
  )
}
