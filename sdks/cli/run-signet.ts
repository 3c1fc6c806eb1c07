import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { programEnvironment } from '../../testing/servers/program-environment.ts'
import type { Environment } from './src/environment.ts'
import { main } from './src/program.ts'

/** Runs the command line as a person or a pipeline does. */

const source = join(import.meta.dirname, 'src/signet.ts')

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

export interface Signet {
  /** Of the stored profiles. */
  home: string
  run(args: readonly string[], more?: { env?: Record<string, string>; input?: string }): Promise<Ended>
  start(args: readonly string[], env?: Record<string, string>): ChildProcessWithoutNullStreams
}

/** A person without any sign-in, with these variables set. */
export function newSignet(variables: Record<string, string> = {}): Signet {
  const home = mkdtempSync(join(tmpdir(), 'signet-cli-'))
  const start = (args: readonly string[], env: Record<string, string> = {}) =>
    spawn(process.execPath, [source, ...args], {
      cwd: home,
      env: { ...programEnvironment, XDG_CONFIG_HOME: home, HOME: home, ...variables, ...env },
    })
  return {
    home,
    start,
    run: (args, { env, input = '' } = {}) => {
      const child = start(args, env)
      const ended: Ended = { code: null, stdout: '', stderr: '' }
      child.stdout.on('data', (chunk: Buffer) => (ended.stdout += chunk.toString()))
      child.stderr.on('data', (chunk: Buffer) => (ended.stderr += chunk.toString()))
      // A program that has ended reads nothing.
      child.stdin.on('error', () => {})
      child.stdin.end(input)
      return new Promise((done, fail) => {
        child.on('error', fail)
        child.on('close', (code) => done({ ...ended, code }))
      })
    },
  }
}

/** The program within this process, for what it decides before any call. */
export async function runHere(args: readonly string[], variables: Record<string, string> = {}): Promise<Ended> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  stdin.end()
  const code = await main({ args, variables, stdin, stdout, stderr } as unknown as Environment)
  const written = (stream: PassThrough) => String((stream.read() as Buffer | null) ?? '')
  return { code, stdout: written(stdout), stderr: written(stderr) }
}
