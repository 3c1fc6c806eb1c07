import { parseArgs } from 'node:util'
import { type Result, runScenarios } from './run-scenarios.ts'
import { scenarios } from './scenarios/all-scenarios.ts'

const usage =
  'node sdks/conformance/run.ts [--only PATTERN] [--json] [--list] [--jobs N] [--fresh] -- COMMAND [ARGS...]'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '4' },
    fresh: { type: 'boolean', default: false },
  },
})

const print = (text: string): void => void process.stdout.write(`${text}\n`)
const titleOf = ({ scenario }: Pick<Result, 'scenario'>): string => `${scenario.group}: ${scenario.name}`
const pattern = new RegExp(values.only ?? '', 'i')
const chosen = scenarios.filter((scenario) => pattern.test(titleOf({ scenario })))

function row({ isOk, got, scenario, took }: Result): string {
  const head = `${isOk ? 'ok  ' : 'FAIL'} ${titleOf({ scenario })}`
  if (isOk) return `${head}  →  ${got}  (${took.toFixed(1)} s)`
  const lines = [`expected  ${scenario.expected.join('  or  ')}`, `got       ${got}`, `guards    ${scenario.guards}`]
  return [head, ...lines.map((line) => `       ${line}`)].join('\n')
}

async function main(): Promise<void> {
  if (values.list) {
    for (const scenario of chosen) print(`${titleOf({ scenario })}\n       ${scenario.guards}`)
    return print(`${chosen.length} scenarios`)
  }
  if (positionals.length === 0) {
    process.stderr.write(`${usage}\n`)
    process.exitCode = 2
    return
  }
  const results = await runScenarios(chosen, positionals, {
    jobs: Number(values.jobs),
    isFresh: values.fresh,
    ...(values.json ? {} : { onResult: (result) => print(row(result)) }),
  })
  const failed = results.filter(({ isOk }) => !isOk)
  if (values.json) print(JSON.stringify(results.map(jsonOf), null, 2))
  else if (failed.length > 0) print(`\nFailed:\n${failed.map(row).join('\n')}`)
  if (!values.json) print(`${results.length - failed.length} passed, ${failed.length} failed`)
  process.exitCode = failed.length === 0 && results.length > 0 ? 0 : 1
}

const jsonOf = ({ scenario: { group, name, guards, expected }, got, isOk, took }: Result) => {
  return { group, name, guards, expected, got, ok: isOk, seconds: Number(took.toFixed(2)) }
}

await main()
