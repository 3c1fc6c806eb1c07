import { readFileSync, rmSync } from 'node:fs'
import { inspect, stripVTControlCharacters } from 'node:util'
import type { JSONReport, JSONReportSuite } from '@playwright/test/reporter'
import { ensureDashboard } from './build-dashboard.ts'
import { ensureDocs } from './build-docs.ts'
import { runChecks } from './check.ts'
import { buildCpp, buildCsharp, conformanceTests, cppTests, csharpTests } from './client-tests.ts'
import { programEnvironment } from '../testing/servers/program-environment.ts'
import { tryPickedMutants } from './mutants.ts'
import { announcePostgresUser, ensureChromium, ensurePython, Missing } from './prerequisites.ts'
import { runCommand } from './run-command.ts'
import type { Sum } from './sum.ts'
import { keepTemporaryFilesInMemory } from './temporary-folder.ts'

/**
 * `npm test`: checks, both database engines, the client libraries and the browser. Prints the minutes of each step at
 * the end, and the total in the last line.
 */
const unitTestResults = 'test-results/unit.json'
const browserResults = 'test-results/e2e.json'

async function unitTests(): Promise<Sum> {
  const reporters = ['--reporter=default', '--reporter=./tools/stalled-tests.ts', '--reporter=json']
  const { output } = await runCommand('vitest', ['run', ...reporters, `--outputFile.json=${unitTestResults}`], {
    group: true,
  })
  const stalled = output.match(/^FAIL stalled: .*$/gm)
  if (stalled) return { passed: 0, failed: stalled.length, failures: stalled }
  const results = readJson<{ numPassedTests: number; success: boolean; testResults: UnitTestFile[] }>(unitTestResults)
  const failures = results.testResults.flatMap(failuresOf)
  return { passed: results.numPassedTests, failed: Math.max(failures.length, results.success ? 0 : 1), failures }
}

interface UnitTestFile {
  name: string
  status: string
  message: string
  assertionResults: { status: string; fullName: string; failureMessages?: string[] }[]
}

function failuresOf({ name, status, message, assertionResults }: UnitTestFile): string[] {
  const failed = assertionResults.filter((each) => each.status === 'failed')
  if (failed.length === 0) return status === 'failed' ? [`${name}: ${firstLines(message)}`] : []
  return failed.map(({ fullName, failureMessages }) => {
    return `${name}: ${fullName}\n${firstLines(failureMessages?.join('\n') ?? '')}`
  })
}

const firstLines = (text: string) => text.split('\n', 6).join('\n')

async function pythonTests(python: string): Promise<Sum> {
  const { code, output } = await runCommand(python, ['-m', 'unittest', 'discover', '-s', 'sdks/python/tests'], {
    environment: { PYTHONPATH: 'sdks/python' },
    quiet: true,
  })
  const ran = Number(/Ran (\d+) tests?/.exec(output)?.[1] ?? 0)
  const failed = code === 0 && ran > 0 ? 0 : Math.max(1, countOf(output, 'failures') + countOf(output, 'errors'))
  return { passed: Math.max(0, ran - failed), failed, failures: output.match(/^(?:FAIL|ERROR): .*$/gm) ?? [], output }
}

const countOf = (output: string, what: string) => Number(new RegExp(`${what}=(\\d+)`).exec(output)?.[1] ?? 0)

async function browserTests(): Promise<Sum> {
  await ensureDashboard()
  await ensureDocs()
  const { code } = await runCommand('playwright', ['test'], { environment: { CI: '1' } })
  const { stats, suites } = readJson<JSONReport>(browserResults)
  return {
    passed: stats.expected + stats.flaky,
    failed: Math.max(stats.unexpected, code === 0 ? 0 : 1),
    failures: suites.flatMap(browserFailuresOf),
  }
}

/** Of a file or group of browser tests: what failed, and what passed only when run again. */
function browserFailuresOf({ specs, suites = [] }: JSONReportSuite): string[] {
  const failed = specs.flatMap(({ file, line, title, tests }) => {
    return tests.flatMap(({ status, results }) => {
      if (status !== 'unexpected' && status !== 'flaky') return []
      const { message = '' } = results.flatMap(({ errors }) => errors)[0] ?? {}
      const passedAgain = status === 'flaky' ? ' (passed when run again)' : ''
      return [`${file}:${line}: ${title}${passedAgain}\n${firstLines(stripVTControlCharacters(message))}`]
    })
  })
  return [...failed, ...suites.flatMap(browserFailuresOf)]
}

const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T

const total: Sum = { passed: 0, failed: 0 }
const failures: string[] = []
const minutes: [step: string, minutes: number][] = []

type Step = [name: string, run: () => Promise<Sum>]

async function step(...[name, run]: Step): Promise<void> {
  console.log(`\n── ${name}`)
  const { output } = await summed(name, run)
  if (output) console.log(output.trimEnd())
}

async function summed(...[name, run]: Step): Promise<Sum> {
  const started = performance.now()
  const sum = await run().catch((error: unknown): Sum => {
    return { passed: 0, failed: 1, output: error instanceof Missing ? error.message : inspect(error) }
  })
  total.passed += sum.passed
  total.failed += sum.failed
  failures.push(...(sum.failures ?? []))
  minutes.push([name, (performance.now() - started) / 60_000])
  return sum
}

/**
 * Runs steps that print as they go, and beside them lanes of others, which mostly wait or use what the first leave of
 * two cores. What those have to show follows, each in one piece.
 */
async function beside(shown: () => Promise<void>, ...lanes: Step[][]): Promise<void> {
  const inLane = async (lane: Step[]): Promise<string[]> => {
    const texts: string[] = []
    for (const [name, run] of lane) {
      const { output = '' } = await summed(name, run)
      texts.push(`\n── ${name}\n${output}`.trimEnd())
    }
    return texts
  }
  const [, ...texts] = await Promise.all([shown(), ...lanes.map(inLane)])
  for (const text of texts.flat()) console.log(text)
}

const begun = performance.now()
keepTemporaryFilesInMemory()
// Kept for the many programs that tests start.
process.env['NODE_COMPILE_CACHE'] = programEnvironment.NODE_COMPILE_CACHE
rmSync('test-results', { recursive: true, force: true })
let python = 'python3'
await step('what the tests need', async () => {
  python = await ensurePython()
  // Read by everything that starts the Python client.
  process.env['SIGNET_PYTHON'] = python
  await ensureChromium()
  announcePostgresUser()
  return { passed: 0, failed: 0 }
})
await beside(async () => {
  await step('checks', runChecks)
  await step('the C# client, built', buildCsharp)
}, [['the C++ client, built', buildCpp]])
await step('tests on SQLite and PostgreSQL', unitTests)
await beside(
  async () => {
    // Before anything else begins, it has copied the sources, where the tests of the clients may write caches.
    await step('planted faults', tryPickedMutants)
    await step('the browser', browserTests)
  },
  [['conformance of the clients', conformanceTests]],
  [
    ['the Python client', () => pythonTests(python)],
    ['the C# client', csharpTests],
    ['the C++ client', cppTests],
  ],
)
minutes.push(['in all, some beside others', (performance.now() - begun) / 60_000])
if (failures.length > 0) console.log('\n── failed')
for (const failure of failures) console.log(failure)
console.log('\n── minutes')
for (const [name, each] of minutes) console.log(`${each.toFixed(1).padStart(5)}  ${name}`)
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1
