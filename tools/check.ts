import { fileURLToPath } from 'node:url'
import { runCommand } from './run-command.ts'

type Check = [name: string, command: string, ...args: string[]]

/** The static checks of the code. */
const staticChecks: Check[] = [
  ['types of the server', 'tsc', '-p', 'tsconfig.server.json'],
  ['types of the dashboard', 'tsc', '-p', 'tsconfig.web.json'],
  ['types of the browser tests', 'tsc', '-p', 'tsconfig.e2e.json'],
  ['lint', 'oxlint'],
  ['format', 'oxfmt', '--check'],
  ['dead code', 'knip'],
  ['translations', process.execPath, 'tools/check-texts.ts'],
  ['specification', process.execPath, 'tools/specification.ts'],
]

const vitest = ['vitest', 'run', '--project', 'sqlite'] as const
/** Quick tests of the repository itself: layers, forbidden SQL, planted faults whose code is gone, and documentation. */
const tests: Check[] = [
  ['safety of the code', ...vitest, 'src/guarantees/safety.test.ts'],
  ['documentation', ...vitest, 'tools/docs'],
]

export async function runChecks(
  checks: readonly Check[] = staticChecks,
): Promise<{ passed: number; failed: number; failures: string[] }> {
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

/** `npm run check` */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { failed } = await runChecks([...staticChecks, ...tests])
  process.exitCode = failed === 0 ? 0 : 1
}
