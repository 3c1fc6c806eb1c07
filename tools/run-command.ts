import { type ChildProcess, spawn } from 'node:child_process'

export interface Outcome {
  code: number
  output: string
}

/**
 * Runs a command and shows and collects its output. With `group`, it leads its own process group, which ends with this
 * process.
 */
export function runCommand(
  command: string,
  args: readonly string[],
  options: { quiet?: boolean; environment?: Record<string, string>; directory?: string; group?: boolean } = {},
): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.directory,
      env: { ...process.env, ...options.environment },
      detached: options.group ?? false,
    })
    const letGo = options.group ? endWithUs(child) : () => {}
    let output = ''
    const keep = (target: NodeJS.WriteStream) => (chunk: Buffer) => {
      output += chunk.toString()
      if (!options.quiet) target.write(chunk)
    }
    child.stdout.on('data', keep(process.stdout))
    child.stderr.on('data', keep(process.stderr))
    child.on('error', (error) => resolve({ code: 127, output: error.message }))
    child.on('close', (code) => {
      letGo()
      resolve({ code: code ?? 1, output })
    })
  })
}

/** Ctrl+C in a terminal does not reach other process groups. */
function endWithUs({ pid }: ChildProcess): () => void {
  const end = () => pid && process.kill(-pid, 'SIGKILL')
  const exit = () => process.exit(130)
  process.once('exit', end)
  process.once('SIGINT', exit).once('SIGTERM', exit)
  return () => process.off('exit', end).off('SIGINT', exit).off('SIGTERM', exit)
}
