import { execFile } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import type { CallDefinition } from '#contract/define-call.ts'
import { migrations } from '#database/migrations/list.ts'
import { clientBodies } from '#features/client-api/client-calls.ts'
import { pathOf } from '../server/http/call-routes.ts'
import { mutants } from '#testing/mutants/list.ts'
import { codeMetrics, metricsIn } from '../../tools/code-metrics.ts'
import { mutatedText, pickMutants } from '../../tools/mutants.ts'
import { citingTests } from '../../tools/requirement-tests.ts'
import { requirementProblems } from '../../tools/requirements.ts'
import type { Endpoint } from '../server/http/endpoint.ts'
import { features } from '../features.ts'

/** Tests about the code base itself. */

const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)
const sources = globSync('src/**/*.{ts,tsx}', { cwd: root }).filter((file) => !/\.(test|e2e)\.tsx?$/.test(file))
const read = (file: string) => readFileSync(join(root, file), 'utf8')

const badImports: [file: string, imported: string][] = [
  ['src/features/planted/planted.rules.ts', '#server/log.ts'],
  ['src/features/planted/planted.rules.ts', 'node:fs'],
  ['src/features/planted/planted.contract.ts', '#database/database.ts'],
  ['src/features/planted/planted.reads.ts', '#features/apps/apps.writes.ts'],
  ['src/features/planted/planted.writes.ts', '#server/http/endpoint.ts'],
  ['src/features/planted/planted.actions.ts', './api/planted.ts'],
  ['src/features/planted/planted.actions.ts', '#features/apps/apps.writes.ts'],
  ['src/features/planted/api/planted.ts', '#features/licenses/licenses.writes.ts'],
  ['src/features/planted/api/planted.ts', '../planted.writes.ts'],
  ['src/features/planted/api/planted.ts', 'kysely'],
  ['src/features/planted/planted.errors.ts', '#server/log.ts'],
  ['src/features/planted/api/planted.ts', '../../apps/apps.reads.ts'],
  ['src/features/planted/web/planted-page.tsx', '#server/log.ts'],
  ['src/features/planted/web/planted-page.tsx', 'node:fs'],
  ['src/features/planted/web/planted-page.tsx', '#database/database.ts'],
  ['src/features/planted/web/planted-page.tsx', '../planted.reads.ts'],
  ['src/features/planted/web/planted-page.tsx', '#features/apps/apps.actions.ts'],
  // Upwards in the order of features.ts.
  ['src/features/accounts/planted.actions.ts', '#features/session-store/session-store.actions.ts'],
  ['src/features/entitlements/planted.reads.ts', '#features/users/users.reads.ts'],
  ['src/features/users/planted.rules.ts', '#features/licenses/licenses.rules.ts'],
  ['src/features/users/planted.contract.ts', '#features/licenses/licenses.contract.ts'],
  ['src/features/licenses/api/planted.ts', '#features/subscriptions/subscriptions.actions.ts'],
  ['src/features/users/web/planted.tsx', '#features/licenses/web/licenses-page.tsx'],
  ['src/features/seller-api/planted.ts', '#features/client-api/sign-in.ts'],
  ['src/server/planted/planted.ts', '#features/apps/apps.actions.ts'],
  ['src/database/planted/planted.ts', '#server/log.ts'],
  ['src/database/planted/planted.ts', '#features/apps/apps.table.ts'],
  ['src/web/planted/planted.ts', '#features/apps/apps.rules.ts'],
  ['src/web/planted/planted.ts', '#server/log.ts'],
  ['src/contract/planted/planted.ts', '#server/log.ts'],
  ['src/operating/planted/planted.ts', '#features/apps/apps.writes.ts'],
  ['src/operating/planted/planted.ts', '#server/http/endpoint.ts'],
  ['src/server/planted/planted.ts', '#operating/archive.ts'],
  ['src/server/planted/planted.ts', '#sdk/check-reply.ts'],
  ['src/features/planted/planted.ts', '#sdk/check-reply.ts'],
  ['src/features/planted/planted.actions.ts', '#sdk/check-reply.ts'],
  ['sdks/typescript/src/planted/planted.ts', '../../../../src/protocol/request-hash.ts'],
  ['sdks/typescript/src/planted/planted.ts', 'node:fs'],
]

describe('the import rules work: they reject a planted bad import', () => {
  // Each under a number of its own, so that one run of the linter judges them all.
  const planted = badImports.map(([file], n) => file.replace(/planted(?=[^/]*$)/, `planted-${n}`))
  let rejected: string

  beforeAll(async () => {
    // In a tree of its own, so that nothing else that reads the sources meets them.
    const tree = mkdtempSync(join(tmpdir(), 'signet-planted-'))
    try {
      symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'))
      for (const file of ['oxlint.config.ts', 'src/features.ts']) {
        mkdirSync(dirname(join(tree, file)), { recursive: true })
        copyFileSync(join(root, file), join(tree, file))
      }
      for (const [n, [, imported]] of badImports.entries()) {
        const file = join(tree, planted[n] as string)
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, `import { something } from '${imported}'\nexport const planted = something\n`)
      }
      const linter = join(root, 'node_modules/oxlint/bin/oxlint')
      const options = ['-f', 'unix', '-c', 'oxlint.config.ts']
      rejected = await run(process.execPath, [linter, ...options, ...planted], { cwd: tree })
        .then(({ stdout }) => stdout)
        .catch((error: { stdout: string }) => error.stdout)
    } finally {
      rmSync(tree, { recursive: true, force: true })
    }
  })

  test.each(badImports.map(([file, imported], n) => [file, imported, planted[n] as string]))(
    '%s importing %s',
    (_file, _imported, plantedFile) => {
      const complaints = rejected.split('\n').filter((line) => line.startsWith(`${plantedFile}:`))
      expect(complaints.join('\n')).toContain('no-restricted-imports')
    },
  )
})

/** Table to the feature that declares it in its `*.table.ts`. */
const ownerOfTable = new Map(
  features.flatMap(({ name }) =>
    globSync(`src/features/${name}/*.table.ts`, { cwd: root }).flatMap((file) =>
      [...(read(file).split('declare module')[1] ?? '').matchAll(/^ {4}(\w+): \w+/gm)].map(
        ([, table]) => [table as string, name] as const,
      ),
    ),
  ),
)

test('queries write only the tables of their feature, and read only those of features before it', () => {
  const order = features.map(({ name }) => name)
  const wrong: string[] = []
  for (const file of sources.filter((path) => /\.(reads|writes)\.ts$/.test(path))) {
    const feature = file.split('/')[2] as string
    const code = read(file).replace(/\/\*[^]*?\*\/|\/\/.*/g, '')
    for (const [table, owner] of ownerOfTable) {
      const written = new RegExp(
        `(insertInto|updateTable|deleteFrom|deleteRows|deleteBatch)\\((trx, )?'${table}[' ]|(insert into|update|delete from) ${table}\\b`,
      )
      const read = new RegExp(`(selectFrom|[jJ]oin)\\('${table}[' ]|(from|join) ${table}\\b`)
      if (owner !== feature && written.test(code)) wrong.push(`${file} writes ${table} of ${owner}`)
      if (order.indexOf(owner) > order.indexOf(feature) && read.test(code))
        wrong.push(`${file} reads ${table} of ${owner}`)
    }
  }
  expect(ownerOfTable.get('licenses')).toBe('licenses')
  expect(wrong).toEqual([])
})

test("screens import only types from contracts, so that schemas aren't part of the bundle", () => {
  const valueImport = /^import (?!type )[^']*from '[^']*\.contract\.ts'/m
  expect(valueImport.test("import { planted } from '../planted.contract.ts'")).toBe(true)
  expect(sources.filter((file) => file.includes('/web/') && valueImport.test(read(file)))).toEqual([])
})

/** The calls of programs have handlers by name instead of a contract. */
const programCallFiles = new Set(Object.keys(clientBodies).map((call) => `src/features/client-api/api/${call}.ts`))

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'call' in value && 'handler' in value

/** A test of the feature sends something to the call's address. */
function isTested(file: string, { path }: CallDefinition): boolean {
  const tests = globSync(`${dirname(dirname(file))}/**/*.test.ts`, { cwd: root })
  const address = new RegExp(`${path.replaceAll('/', '\\/').replace(/\{\w+\}/g, '[^\'"`\\s]+')}['"\`?]`)
  return tests.some((test) => address.test(read(test)))
}

test('each call of each contract is defined in exactly one API file, and a test of its feature calls it', async () => {
  const filesOf = new Map<CallDefinition, string[]>()
  const problems: string[] = []
  for (const file of sources.filter((path) => /^src\/features\/[^/]+\/api\//.test(path))) {
    const exported = Object.values((await import(join(root, file))) as Record<string, unknown>)
    // A file has one call, or a table of those that belong together.
    const calls = exported
      .flat()
      .filter(isEndpoint)
      .map(({ call }) => call)
    for (const call of calls) filesOf.set(call, [...(filesOf.get(call) ?? []), file])
    const hasTestBeside = existsSync(join(root, file.replace(/\.ts$/, '.test.ts')))
    const untested = hasTestBeside ? [] : calls.filter((call) => !isTested(file, call))
    for (const { method, path } of untested)
      problems.push(`${method} ${path} of ${file} has no test beside it, and none of its feature makes it`)
    if (calls.length === 0 && !programCallFiles.has(file)) problems.push(`${file} defines no call`)
  }
  for (const { name, contract } of features) {
    for (const [key, call] of Object.entries(contract)) {
      const [file, ...others] = filesOf.get(call) ?? []
      if (!file?.startsWith(`src/features/${name}/api/`) || others.length > 0)
        problems.push(`${key} of ${name} is defined by ${[file ?? 'no file', ...others].join(' and ')}`)
      filesOf.delete(call)
    }
  }
  for (const [call, files] of filesOf) problems.push(`${files.join(', ')}: ${call.path} stands in no contract`)
  for (const file of programCallFiles) if (!sources.includes(file)) problems.push(`${file} is missing`)
  expect(problems).toEqual([])
})

test('no two calls share a method and path, and each has a summary', () => {
  const routes = features.flatMap(({ endpoints }) => endpoints.map(({ call }) => `${call.method} ${pathOf(call)}`))
  expect(new Set(routes).size).toBe(routes.length)
  for (const { endpoints } of features)
    for (const { call } of endpoints) expect(call.summary.length).toBeGreaterThan(10)
})

test('every body and query rejects unknown fields (R-TEN-05)', () => {
  for (const { endpoints } of features) {
    for (const { call } of endpoints) {
      for (const schema of [call.body, call.query]) {
        if (schema) expect(schema, call.path).toMatchObject({ additionalProperties: false })
      }
    }
  }
})

test('values reach SQL as parameters: raw texts are only our own names, in few places (R-INP-01)', () => {
  const raw = sources.filter((file) => /sql\.(raw|lit|id)\(|\.raw\(/.test(read(file)))
  expect(raw.toSorted()).toEqual([
    'src/database/delete-rows.ts',
    'src/database/engine-differences.ts',
    'src/database/id-blocks.ts',
    'src/database/searched-rows.ts',
    'src/database/sqlite/searched-rows.ts',
    'src/database/value-by-id.ts',
    'src/features/accounts/accounts.reads.ts',
    'src/features/accounts/accounts.writes.ts',
    'src/features/admin/owners.reads.ts',
    'src/features/licenses/licenses.reads.ts',
    'src/features/overview/attention.reads.ts',
    'src/features/overview/overview.reads.ts',
  ])
  // A statement made outside Kysely would take no parameters from it.
  const direct = sources.filter((file) => /\.(exec|prepare)\(\s*`[^`]*\$\{/.test(read(file)))
  expect(direct.filter((file) => !file.startsWith('src/database/'))).toEqual([])
})

test('migrations are numbered without gaps', () => {
  // The first one is a folder.
  const files = globSync('src/database/migrations/[0-9]*', { cwd: root }).toSorted()
  expect(files).toHaveLength(migrations.length)
  expect(files.map((file) => Number(/(\d{3})-/.exec(file)?.[1]))).toEqual(migrations.map((_, index) => index + 1))
})

test('calls of programs change rows only in the transactions of their request, which claim its nonce (R-CLI-03)', () => {
  const handlers = sources.filter((file) => file.startsWith('src/features/client-api/api/'))
  expect(handlers.length).toBeGreaterThan(10)
  expect(
    [...handlers, 'src/features/client-api/sign-in.ts'].filter((file) => /\bdb\.write\(/.test(read(file))),
  ).toEqual([])
})

test('randomness is cryptographic everywhere on the server', () => {
  const guilty = sources.filter((file) => !file.includes('/web/') && /Math\.random\(\)/.test(read(file)))
  // The pause between two tries of a transaction is no secret.
  expect(guilty).toEqual(['src/database/postgres/transaction.ts'])
})

test('screens use no browser feature that is missing over plain HTTP, unless there is a fallback', () => {
  const kept =
    /crypto\.(randomUUID|subtle)|navigator\.(clipboard|serviceWorker|storage|locks|credentials|mediaDevices)|\bcaches\b/
  const guilty = sources.filter(
    (file) => file.includes('/web/') && kept.test(read(file).replaceAll(/\/\*[\s\S]*?\*\//g, '')),
  )
  expect(guilty).toEqual(['src/web/browser/clipboard.ts', 'src/features/downloads/web/file-hash.ts'])
})

test('files are small: the median under 90 lines and none over 400', () => {
  const lengths = sources.map((file) => read(file).split('\n').length).toSorted((a, b) => a - b)
  expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThan(90)
  expect(lengths.at(-1)).toBeLessThanOrEqual(400)
})

test('no feature imports upwards or in a circle, and ARCHITECTURE.md lists features in their order', () => {
  const order = features.map(({ name }) => name)
  const { upward, cycles } = codeMetrics(order)
  expect([upward, cycles]).toEqual([[], []])
  const shown = [...metricsIn(read('ARCHITECTURE.md')).matchAll(/^\| ([a-z-]+) \| \d/gm)].map(([, name]) => name)
  expect(shown).toEqual(order)
})

test('errors are created from the lists of contracts, in one place', () => {
  const issuers = sources.filter((file) => /new CallError\(/.test(read(file)))
  expect(issuers).toEqual(['src/contract/errors.ts'])
})

test('no file is a catch-all', () => {
  const drawers = sources.filter((file) => /(^|\/)(utils?|helpers?|common|types|constants|index)\.tsx?$/.test(file))
  expect(drawers).toEqual([])
})

test('the pages of the repository name only existing files', () => {
  for (const document of ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md']) {
    for (const [, target = ''] of read(document).matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)/g)) {
      expect(globSync(target, { cwd: root }), `${document} names ${target}`).toHaveLength(1)
    }
  }
})

describe('planted faults stay valid', () => {
  test('each occurs once in its file, is valid TypeScript, and names existing tests', () => {
    const problems: string[] = []
    for (const { guarantee, file, search, replacement, tests } of mutants) {
      const text = existsSync(join(root, file)) ? read(file) : ''
      const times = text.split(search).length - 1
      if (times !== 1) problems.push(`${guarantee}: its text stands ${times} times in ${file}`)
      if (search === replacement || tests.length === 0) problems.push(`${guarantee}: changes nothing`)
      for (const each of tests) if (!existsSync(join(root, each))) problems.push(`${guarantee}: no file ${each}`)
      try {
        stripTypeScriptTypes(mutatedText(text, { search, replacement }))
      } catch (error) {
        problems.push(`${guarantee}: ${String(error)}`)
      }
    }
    expect(problems).toEqual([])
    expect(new Set(mutants.map(({ guarantee }) => guarantee)).size).toBe(mutants.length)
    expect(mutants.length).toBeGreaterThanOrEqual(80)
  })

  test('npm test tries those of changed files first, others in turn, and at most a dozen', () => {
    const names = (picked: readonly { guarantee: string }[]) => picked.map(({ guarantee }) => guarantee)
    const [changed] = mutants.filter(({ file }) => file === 'src/server/http/csrf.ts')
    const picked = pickMutants(mutants, new Set(['src/server/http/csrf.ts']), 3)
    expect(picked).toHaveLength(12)
    expect(names(picked)).toContain(changed?.guarantee)
    expect(new Set(names(picked)).size).toBe(12)
    expect(names(pickMutants(mutants, new Set(), 3))).toEqual(names(pickMutants(mutants, new Set(), 3)))
    const seen = new Set(mutants.flatMap((_, turn) => names(pickMutants(mutants, new Set(), turn))))
    expect(seen.size).toBe(mutants.length)
    const everyFile = new Set(mutants.map(({ file }) => file))
    expect(pickMutants(mutants, everyFile, 7)).toHaveLength(12)
  })
})

test('every security requirement keeps its test, and docs/security-requirements.md lists them', () => {
  const tests = citingTests()
  expect(requirementProblems(tests)).toEqual([])
  expect(tests.get('R-LIC-01')?.length).toBeGreaterThan(0)
  const without = new Map([...tests].filter(([number]) => number !== 'R-LIC-01'))
  expect(requirementProblems(without)).toContain('R-LIC-01 is said to be proven, and no test cites it')
})
