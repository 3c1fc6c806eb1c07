import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { Program } from './program.ts'
import { type Result, runScenarios } from './run-scenarios.ts'
import { groups, type Scenario, scenariosOf } from './scenario.ts'
import { scenarios } from './scenarios/all-scenarios.ts'

const program = (name: string) => [process.execPath, fileURLToPath(new URL(`testing/${name}.ts`, import.meta.url))]
const naive = program('naive-client')

test('each scenario has a name of its own, says what it guards, and can fail', () => {
  const names = scenarios.map(({ group, name }) => `${group}: ${name}`)
  expect(names.length).toBe(new Set(names).size)
  for (const { name, guards, expected } of scenarios) {
    expect(guards, name).toMatch(/^[^\n]{10,110}[^.]$/)
    expect(expected.length, name).toBeGreaterThan(0)
  }
  const count = (group: string) => scenarios.filter((each) => each.group === group).length
  for (const group of groups) expect(count(group), group).toBeGreaterThanOrEqual(15)
  expect(count('hostile')).toBeGreaterThanOrEqual(150)
})

test('the README of each client says in the words of the protocol page how a download goes on', () => {
  const textOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
  const [policy = ''] = /^\*\*When a download breaks off\.[^]*?(?=\n\n)/m.exec(textOf('docs/protocol.md')) ?? []
  expect(policy).toContain('five attempts')
  for (const client of ['python', 'typescript', 'csharp', 'cpp']) {
    expect(textOf(`sdks/${client}/README.md`), client).toContain(policy)
  }
})

describe('a client that checks nothing', () => {
  const codes = /UNSIGNED_RESPONSE|BAD_SIGNATURE|UNKNOWN_KEY|STALE_RESPONSE/
  const ofCalls =
    /^(init|license|login|register without an email address|heartbeat|variable after signing in|download)$/
  // Without those that wait for a timeout.
  const isQuick = ({ group, name, create }: Scenario) =>
    group === 'right' ? ofCalls.test(name) : group === 'hostile' && create?.timeout === undefined
  let results: Result[] = []
  beforeAll(async () => {
    results = await runScenarios(scenarios.filter(isQuick), naive, { keepsFailed: true })
  })
  const passed = (of: Result[]) => of.filter(({ isOk }) => isOk).map(({ scenario }) => scenario.name)

  test('passes the plain calls, so it fails the others for a reason', () => {
    const right = results.filter(({ scenario }) => scenario.group === 'right')
    expect(right.filter(({ isOk }) => !isOk)).toEqual([])
    expect(right.length).toBe(7)
  })

  test('fails every scenario about a signature, a key, or a time', () => {
    const unverified = results.filter(({ scenario }) => scenario.expected.every((text) => codes.test(text)))
    expect(unverified.length).toBeGreaterThan(90)
    expect(passed(unverified)).toEqual([])
  })

  test('fails most of the other hostile scenarios', () => {
    const others = results.filter(
      ({ scenario }) => scenario.group === 'hostile' && !scenario.expected.every((text) => codes.test(text)),
    )
    expect(others.length).toBeGreaterThan(60)
    expect(passed(others).length).toBeLessThan(others.length / 3)
  })
})

describe('a program that breaks the contract', () => {
  const scenario = scenariosOf('right')
  const anything = scenario('anything', { guards: 'something', expected: 'ok' }, (stage) =>
    stage.outcome('license', { key: 'KEY-1' }),
  )
  const run = async (source: string, of: Scenario = anything) => {
    const [result] = await runScenarios([of], [process.execPath, '-e', source])
    return result
  }
  const ok = `JSON.stringify({ id: JSON.parse(line).id, ok: true, result: {} })`
  const eachLine = (body: string) =>
    `require('readline').createInterface(process.stdin).on('line', (line) => { ${body} })`

  test('fails when it ends', async () => {
    const result = await run('process.stderr.write("no such module"); process.exit(3)')
    expect(result?.isOk).toBe(false)
    expect(result?.got).toMatch(/the program ended with exit code 3: no such module/)
  })

  test('fails when it prints anything else', async () => {
    const result = await run(eachLine(`console.log('debug'); console.log(${ok})`))
    expect(result).toMatchObject({ isOk: false, got: 'ok; printed debug' })
  })

  test('fails when a request breaks the protocol, even if the outcome is right', async () => {
    const [result] = await runScenarios(
      [
        scenario('a cookie', { guards: 'something', expected: 'ok' }, async ({ server }) => {
          await fetch(`${server.url}/api/1.0/client/init`, { method: 'POST', headers: { cookie: 'a=1' }, body: '{}' })
          return 'ok'
        }),
      ],
      naive,
    )
    expect(result?.isOk).toBe(false)
    expect(result?.got).toContain('a cookie was sent')
  })

  test('is ended when it does not end by itself', async () => {
    const stubborn = new Program(process.execPath, [
      '-e',
      `${eachLine(`console.log(${ok})`)}; setInterval(() => {}, 1000)`,
    ])
    expect((await stubborn.ask('valid')).ok).toBe(true)
    await stubborn.end(100)
    expect(stubborn.hasEnded).toBe(true)
  })
})
