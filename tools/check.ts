import { fileURLToPath } from 'node:url'
import { runCommand } from './run-command.ts'

/** `npm run check`: all static checks of the code. */
const checks: [name: string, command: string, ...args: string[]][] = [
  ['types of the server', 'tsc', '-p', 'tsconfig.server.json'],
  ['types of the dashboard', 'tsc', '-p', 'tsconfig.web.json'],
  ['types of the browser tests', 'tsc', '-p', 'tsconfig.e2e.json'],
  ['lint', 'oxlint'],
  ['format', 'oxfmt', '--check'],
  ['dead code', 'knip'],
  ['translations', process.execPath, 'tools/check-texts.ts'],
  ['specification', process.execPath, 'tools/specification.ts'],
]

export async function runChecks(): Promise<{ passed: number; failed: number; failures: string[] }> {
  const failures: string[] = []
  for (const [name, command, ...args] of checks) {
    const { code, output } = await runCommand(command, args, { quiet: true })
    console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name}`)
    if (code !== 0) {
      console.log(output)
      failures.push(name)
    }
  }
  return { passed: checks.length - failures.length, failed: failures.length, failures }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { failed } = await runChecks()
  process.exitCode = failed === 0 ? 0 : 1
}
