import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mutants } from '#testing/mutants/list.ts'
import type { Mutant } from '#testing/mutants/mutant.ts'
import { runCommand } from './run-command.ts'

/**
 * Applies each mutant of `testing/mutants/` to a copy of the code and runs the nearest tests, one of which must fail.
 * `npm run mutants` tries all mutants, `npm run mutants -- WORDS` those whose guarantee or file contains the words.
 */

const root = dirname(import.meta.dirname)
const copied = [
  'src',
  'testing',
  'sdks',
  'tools',
  'e2e',
  'docs',
  'site',
  'package.json',
  'vitest.config.ts',
  'lingui.config.ts',
  'vite.config.ts',
  'playwright.config.ts',
  'tsconfig.json',
]

/** Number of mutants per `npm test`: first those in changed files, then the others in rotation. */
const maxPicked = 12
const maxPickedChanged = 8

/** Many faults hang a test, which is noticed when its time is over; without one, it needs seconds. */
const hangsAfter = '--testTimeout=30000'

interface Outcome {
  mutant: Mutant
  state: 'noticed' | 'SURVIVED' | 'BROKEN'
  /** The test that detected the mutant. */
  by: string
  seconds: number
}

interface Report {
  numFailedTests: number
  numTotalTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { status: string; fullName: string }[]
  }[]
}

/** A copy of the files that tests need; packages are shared. */
function newScratch(): string {
  const scratch = mkdtempSync(join(tmpdir(), 'signet-mutants-'))
  const filter = (path: string) => !path.endsWith('/node_modules')
  for (const name of copied) cpSync(join(root, name), join(scratch, name), { recursive: true, filter })
  symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'))
  return scratch
}

export function mutatedText(text: string, { search, replacement }: Pick<Mutant, 'search' | 'replacement'>): string {
  return text.replace(search, () => replacement)
}

async function tryMutant(scratch: string, mutant: Mutant): Promise<Outcome> {
  const started = performance.now()
  const outcome = (state: Outcome['state'], by: string): Outcome => {
    return { mutant, state, by, seconds: (performance.now() - started) / 1000 }
  }
  const file = join(scratch, mutant.file)
  const original = readFileSync(file, 'utf8')
  if (original.split(mutant.search).length !== 2) return outcome('BROKEN', 'its text does not stand once in its file')
  const results = join(scratch, 'mutant.json')
  rmSync(results, { force: true })
  writeFileSync(file, mutatedText(original, mutant))
  try {
    if (isOfBrowser(mutant)) return await tryInBrowser(scratch, mutant, outcome)
    const project = mutant.engine ?? 'sqlite'
    const report = ['--reporter=json', `--outputFile=${results}`]
    const args = ['run', '--project', project, '--bail', '1', hangsAfter, ...report, ...mutant.tests]
    const { code, output } = await runCommand('vitest', args, { quiet: true, directory: scratch })
    if (!existsSync(results)) return outcome('BROKEN', output.slice(-300))
    const { testResults, numTotalTests } = JSON.parse(readFileSync(results, 'utf8')) as Report
    const failed = testResults.flatMap(({ assertionResults }) =>
      assertionResults.filter(({ status }) => status === 'failed'),
    )
    if (failed[0]) return outcome('noticed', failed[0].fullName)
    const file = testResults.find(({ status }) => status === 'failed')
    if (file && numTotalTests > 0) return outcome('noticed', `the start of ${file.name.slice(scratch.length + 1)}`)
    // The exit code alone is unreliable: the exit of PostgreSQL overrides it.
    if (code === 0 && numTotalTests > 0) return outcome('SURVIVED', mutant.tests.join(', '))
    return outcome('BROKEN', output.slice(-300))
  } finally {
    writeFileSync(file, original)
  }
}

const isOfBrowser = ({ tests }: Mutant): boolean => tests.every((test) => test.endsWith('.e2e.ts'))

/** Runs browser tests on a dashboard built with the mutant. */
async function tryInBrowser(
  scratch: string,
  { tests }: Mutant,
  outcome: (state: Outcome['state'], by: string) => Outcome,
): Promise<Outcome> {
  const options = { quiet: true, directory: scratch }
  const built = await runCommand('node', ['tools/build-dashboard.ts'], options)
  if (built.code !== 0) return outcome('BROKEN', built.output.slice(-300))
  const { code, output } = await runCommand(
    'playwright',
    ['test', '--workers=1', '--max-failures=1', ...tests],
    options,
  )
  const [, failed] = /^ +✘ .*? › (.+?) \(/m.exec(output) ?? []
  if (failed) return outcome('noticed', failed)
  return code === 0 ? outcome('SURVIVED', tests.join(', ')) : outcome('BROKEN', output.slice(-300))
}

function changedFiles(): Set<string> {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] }).toString()
  try {
    const head = git('rev-parse', 'HEAD').trim()
    const base = git('merge-base', 'HEAD', 'main').trim()
    return new Set(git('diff', '--name-only', base === head ? 'HEAD~1' : base).split('\n'))
  } catch {
    // Without the Git history, all mutants are in rotation.
    return new Set()
  }
}

/** Start of the rotation, which depends on the commit. */
function turnOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0)
}

/** The mutants of one `npm test`; their number does not depend on the speed of the machine. */
export function pickMutants(all: readonly Mutant[], changed: ReadonlySet<string>, turn: number): Mutant[] {
  const fromTurn = (some: readonly Mutant[]) => {
    const at = some.length === 0 ? 0 : turn % some.length
    return [...some.slice(at), ...some.slice(0, at)]
  }
  const nearest = fromTurn(all.filter(({ file, tests }) => [file, ...tests].some((each) => changed.has(each))))
  const picked = nearest.slice(0, maxPickedChanged)
  const others = fromTurn(all.filter((mutant) => !picked.includes(mutant)))
  return [...picked, ...others.slice(0, maxPicked - picked.length)]
}

interface Sum {
  passed: number
  failed: number
  failures: string[]
}

async function tryMutants(some: readonly Mutant[]): Promise<Sum> {
  const scratch = newScratch()
  const outcomes: Outcome[] = []
  try {
    for (const mutant of some) {
      const outcome = await tryMutant(scratch, mutant)
      outcomes.push(outcome)
      const { state, by, seconds } = outcome
      console.log(`${state.padEnd(8)} ${seconds.toFixed(1).padStart(5)} s  ${mutant.guarantee}\n${' '.repeat(19)}${by}`)
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
  const passed = outcomes.filter(({ state }) => state === 'noticed').length
  console.log(`\n${passed} of ${outcomes.length} planted faults were noticed`)
  const failures = outcomes.flatMap(({ state, mutant, by }) =>
    state === 'noticed' ? [] : [`${state}: ${mutant.guarantee} (${mutant.file}): ${by}`],
  )
  return { passed, failed: failures.length, failures }
}

/** For `npm test`. */
export function tryPickedMutants(): Promise<Sum> {
  const turn = turnOf(execHead() ?? new Date().toISOString().slice(0, 10))
  // Browser mutants take a minute or two each, so only `npm run mutants` runs them.
  const quick = mutants.filter((mutant) => !isOfBrowser(mutant))
  return tryMutants(pickMutants(quick, changedFiles(), turn))
}

function execHead(): string | undefined {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] }).toString()
  } catch {
    return undefined
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const words = process.argv.slice(2)
  const chosen = mutants.filter(({ guarantee, file }) => words.every((word) => `${guarantee} ${file}`.includes(word)))
  const { passed, failed } = await tryMutants(chosen)
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1
}
