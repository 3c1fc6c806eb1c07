import { execFile } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { migrations } from '#database/migrations/list.ts'
import { pathOf } from '#server/call-routes.ts'
import { figuresIn, houseFigures } from '../tools/house-figures.ts'
import { features } from './features.ts'

/** Tests about the code base itself. */

const root = dirname(import.meta.dirname)
const run = promisify(execFile)
const sources = globSync('src/**/*.{ts,tsx}', { cwd: root }).filter((file) => !/\.(test|e2e)\.tsx?$/.test(file))
const read = (file: string) => readFileSync(join(root, file), 'utf8')

describe('the import rules are awake: a planted bad import is refused', () => {
  const planted = [
    'src/features/planted',
    'src/server/planted',
    'src/database/planted',
    'src/web/planted',
    'src/contract/planted',
  ]
  afterAll(() => planted.forEach((folder) => rmSync(join(root, folder), { recursive: true, force: true })))

  test.each([
    ['src/features/planted/planted.rules.ts', '#server/log.ts'],
    ['src/features/planted/planted.rules.ts', 'node:fs'],
    ['src/features/planted/planted.contract.ts', '#database/database.ts'],
    ['src/features/planted/planted.reads.ts', '#features/apps/apps.writes.ts'],
    ['src/features/planted/planted.writes.ts', '#server/endpoint.ts'],
    ['src/features/planted/planted.actions.ts', './api/planted.ts'],
    ['src/features/planted/planted.actions.ts', '#features/apps/apps.writes.ts'],
    ['src/features/planted/api/planted.ts', '#features/licenses/licenses.writes.ts'],
    ['src/features/planted/api/planted.ts', '../planted.writes.ts'],
    ['src/features/planted/api/planted.ts', 'kysely'],
    ['src/features/planted/planted.refusals.ts', '#server/log.ts'],
    ['src/features/planted/api/planted.ts', '../../apps/apps.reads.ts'],
    ['src/features/planted/web/planted-page.tsx', '#server/log.ts'],
    ['src/features/planted/web/planted-page.tsx', 'node:fs'],
    ['src/features/planted/web/planted-page.tsx', '#database/database.ts'],
    ['src/features/planted/web/planted-page.tsx', '../planted.reads.ts'],
    ['src/features/planted/web/planted-page.tsx', '#features/apps/apps.actions.ts'],
    // Upwards in the order of features.ts.
    ['src/features/accounts/planted.actions.ts', '#features/sessions/sessions.actions.ts'],
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
  ])('%s importing %s', async (file, imported) => {
    mkdirSync(join(root, dirname(file)), { recursive: true })
    writeFileSync(join(root, file), `import { something } from '${imported}'\nexport const planted = something\n`)
    const outcome = await run(process.execPath, [join(root, 'node_modules/oxlint/bin/oxlint'), '-f', 'unix', file], {
      cwd: root,
    })
      .then(({ stdout }) => stdout)
      .catch((error: { stdout: string }) => error.stdout)
    rmSync(join(root, file))
    expect(outcome).toContain('no-restricted-imports')
  })
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

test('queries write their own tables only, and read only those of features before them', () => {
  const order = features.map(({ name }) => name)
  const wrong: string[] = []
  for (const file of sources.filter((path) => /\.(reads|writes)\.ts$/.test(path))) {
    const feature = file.split('/')[2] as string
    const code = read(file).replace(/\/\*[^]*?\*\/|\/\/.*/g, '')
    for (const [table, owner] of ownerOfTable) {
      const written = new RegExp(
        `(insertInto|updateTable|deleteFrom)\\('${table}|(insert into|update|delete from) ${table}\\b`,
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

test('screens take only types from contracts, so that schemas cost the browser nothing', () => {
  const valueImport = /^import (?!type )[^']*from '[^']*\.contract\.ts'/m
  expect(valueImport.test("import { planted } from '../planted.contract.ts'")).toBe(true)
  expect(sources.filter((file) => file.includes('/web/') && valueImport.test(read(file)))).toEqual([])
})

test('every call of a contract has its endpoint file and a test beside it', () => {
  const missing: string[] = []
  for (const { name, endpoints } of features) {
    const files = globSync(`src/features/${name}/api/*.ts`, { cwd: root })
    const tested = files.filter((file) => file.endsWith('.test.ts')).map((file) => file.replace('.test.ts', '.ts'))
    const untested = files.filter((file) => !file.endsWith('.test.ts') && !tested.includes(file))
    missing.push(...untested)
    expect(files.length, name).toBeGreaterThanOrEqual(endpoints.length > 0 ? 1 : 0)
  }
  expect(missing).toEqual([])
})

test('no two calls share a method and path, and each has a summary', () => {
  const routes = features.flatMap(({ endpoints }) => endpoints.map(({ call }) => `${call.method} ${pathOf(call)}`))
  expect(new Set(routes).size).toBe(routes.length)
  for (const { endpoints } of features)
    for (const { call } of endpoints) expect(call.summary.length).toBeGreaterThan(10)
})

test('every body and query refuses fields it does not know', () => {
  for (const { endpoints } of features) {
    for (const { call } of endpoints) {
      for (const schema of [call.body, call.query]) {
        if (schema) expect(schema, call.path).toMatchObject({ additionalProperties: false })
      }
    }
  }
})

test('migrations are numbered without a gap', () => {
  const files = globSync('src/database/migrations/[0-9]*.ts', { cwd: root }).toSorted()
  expect(files).toHaveLength(migrations.length)
  expect(files.map((file) => Number(/(\d{3})-/.exec(file)?.[1]))).toEqual(migrations.map((_, index) => index + 1))
})

test('randomness is cryptographic everywhere on the server', () => {
  const guilty = sources.filter((file) => !file.includes('/web/') && /Math\.random\(\)/.test(read(file)))
  // The pause between two tries of a transaction is no secret.
  expect(guilty).toEqual(['src/database/postgres/open-postgres.ts'])
})

test('files are small: the median under 90 lines and none over 400', () => {
  const lengths = sources.map((file) => read(file).split('\n').length).toSorted((a, b) => a - b)
  expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThan(90)
  expect(lengths.at(-1)).toBeLessThanOrEqual(400)
})

test('no feature imports upwards or in a circle, and ARCHITECTURE.md shows them in their order', () => {
  const order = features.map(({ name }) => name)
  const { upward, circles } = houseFigures(order)
  expect([upward, circles]).toEqual([[], []])
  const shown = [...figuresIn(read('ARCHITECTURE.md')).matchAll(/^\| ([a-z-]+) \| \d/gm)].map(([, name]) => name)
  expect(shown).toEqual(order)
})

/** Words that nobody outside would search for, or that stood for two things; what we say instead. */
const forbiddenWords: [word: RegExp, instead: string][] = [
  [
    /^(held|hold|holds|holder|holders)$|(^|[a-z])(Held|Hold|Holds|Holder|Holders)([A-Z]|$)|^(held|hold)[A-Z]/,
    'lock… for rows, entitlement for what a user has',
  ],
  [/^most[A-Z]|^longest[A-Z]/, 'max…'],
  [/^meant|Meant/, 'match'],
  [/^asked|Asked/, 'request, parse'],
  [/^said$/, 'the name of the thing'],
  [/^doors?$|Doors?$/, 'dependencies'],
  [/^pieces?$|Pieces?$|PieceByPiece/, 'batch'],
  [/^walk(s|ed|ing)?$|Walk$/, 'scan'],
  [/^kept$|Kept([A-Z]|$)|^kept[A-Z]/, 'cached, retention, stored'],
  [/^touch[A-Z]/, 'lock, update'],
  [/^tell[A-Z]?|Tell[A-Z]/, 'publish'],
  [/^weigh|Weigh/, 'preview'],
  [/giveBack|takeBack|writeAgain/, 'undo, restore'],
  [/^note[A-Z]|^noted/, 'record'],
  [/^existing[A-Z]/, 'lock… or get…'],
  [/OfOne$|OfMany$/, 'the name of the component'],
]

test('identifiers are the words of the trade', () => {
  const wrong: string[] = []
  for (const file of [...sources, ...globSync('{testing,tools,bench,e2e}/**/*.ts', { cwd: root })]) {
    // Only code: not prose, not texts.
    const code = read(file)
      .replace(/\/\*[^]*?\*\//g, '')
      .replace(/(^|\s)\/\/.*/g, '')
      .replace(
        /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|\/(?![*/\s])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/g,
        '',
      )
      .replace(/>[^<>{}=;]*</g, '><')
    for (const [name] of code.matchAll(/[A-Za-z_$][\w$]*/g)) {
      const rule = forbiddenWords.find(([word]) => word.test(name))
      if (rule) wrong.push(`${file}: ${name} (${rule[1]})`)
    }
  }
  expect([...new Set(wrong)]).toEqual([])
})

test('no file is a drawer for everything', () => {
  const drawers = sources.filter((file) => /(^|\/)(utils?|helpers?|common|types|constants|index)\.tsx?$/.test(file))
  expect(drawers).toEqual([])
})

test('the documents name only files that exist', () => {
  for (const document of ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md']) {
    for (const [, target = ''] of read(document).matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)/g)) {
      expect(globSync(target, { cwd: root }), `${document} names ${target}`).toHaveLength(1)
    }
  }
})
