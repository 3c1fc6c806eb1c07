import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { programEnvironment } from './servers/program-environment.ts'

const root = join(import.meta.dirname, '..')

export interface ToolRun {
  code: number | null
  output: string
}

/** Runs an operator command as npm does; `shell` runs first, such as a limit. */
export function runTool(
  tool: string,
  args: readonly string[],
  {
    environment,
    shell = ':',
    onStart = () => {},
  }: {
    environment: Record<string, string | undefined>
    shell?: string
    onStart?: (child: ChildProcess) => void
  },
): Promise<ToolRun> {
  const script = `${shell}; exec "$0" "$@"`
  const child = spawn('sh', ['-c', script, process.execPath, join(root, 'tools', `${tool}.ts`), ...args], {
    // In a folder without the developer's own settings.
    cwd: environment['DATA_DIR'],
    env: { ...programEnvironment, ...environment },
  })
  onStart(child)
  return new Promise((resolve) => {
    let output = ''
    const hear = (chunk: Buffer) => {
      output += chunk.toString()
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.on('close', (code) => resolve({ code, output }))
  })
}
