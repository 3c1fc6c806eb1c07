import { spawn } from 'node:child_process'

export interface Outcome {
  code: number
  output: string
}

/** Runs a command, showing what it prints as it comes and keeping it. */
export function runCommand(
  command: string,
  args: readonly string[],
  options: { quiet?: boolean; environment?: Record<string, string>; directory?: string } = {},
): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: options.directory, env: { ...process.env, ...options.environment } })
    let output = ''
    const keep = (target: NodeJS.WriteStream) => (chunk: Buffer) => {
      output += chunk.toString()
      if (!options.quiet) target.write(chunk)
    }
    child.stdout.on('data', keep(process.stdout))
    child.stderr.on('data', keep(process.stderr))
    child.on('error', (error) => resolve({ code: 127, output: error.message }))
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}
