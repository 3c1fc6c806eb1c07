import { expect } from 'vitest'
import { hasInvisible } from '#contract/visible-text.ts'
import type { TestApp } from '../start-test-app.ts'
import { databaseDigest } from '../database-digest.ts'
import type { Answer, Visitor } from '../people/visitor.ts'

/** Values that are never a valid text, whatever the call allows. */
export const notTexts: readonly unknown[] = [
  5,
  1.5,
  true,
  null,
  [],
  ['x'],
  {},
  { toString: 'x' },
  'with a NUL \0 inside',
]
export const notIntegers: readonly unknown[] = [
  '',
  'abc',
  'NaN',
  '1e3',
  '-1',
  1.5,
  -1,
  1e308,
  -1e308,
  true,
  null,
  [],
  [1],
  {},
]
export const notFlags: readonly unknown[] = ['true', 'yes', '', 1, 0, 1e308, null, [], [true], {}]
export const notLists: readonly unknown[] = [
  'x',
  5,
  true,
  null,
  {},
  { length: 1 },
  [5],
  [null],
  [['x']],
  [{}],
  [''],
  ['NUL \0'],
]

/** In a query string everything is text, so invalid numbers are rejected by their content. */
export const notQueryIntegers: readonly string[] = [
  'abc',
  'NaN',
  'Infinity',
  '1e308',
  '-1',
  '0',
  '1.5',
  '0x',
  '1;drop table licenses',
  '\0',
  '١',
]

/** Valid texts without any special meaning. */
export const strangeTexts: readonly string[] = [
  `'; drop table licenses; --`,
  `" or 1=1 --`,
  '100% _under_ \\back\\',
  '<script>alert(1)</script>',
  '${process.exit()} {{7*7}} %s %d',
  'Ação não é açaí — 日本語 🦊👩‍👩‍👧 ‏عربى',
  '\u202Egnp.exe',
  '__proto__',
  'line one\nline two\ttab',
]

/** Those that are valid names, because they have no invisible characters. */
export const strangeNames = strangeTexts.filter((text) => !hasInvisible(text))

/** Invisible names, or names that look like another one. */
export const invisibleNames: readonly string[] = [
  '\u3164'.repeat(5),
  '\u2800'.repeat(5),
  '\uFFA0'.repeat(5),
  'admin\u200B',
  'ad\u00ADmin',
  '\u202Enimda',
  'admin\u{E0061}',
  'adm\u200Din',
]

/** Bodies that no call accepts, whatever its fields. */
const neverBodies: readonly unknown[] = [
  [],
  'text',
  '5',
  'null',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"truncated":',
  { noSuchField: 1 },
]

/** `valid` with each field in turn replaced by each of its hostile values, and bodies of the wrong shape. */
export function hostileBodies(valid: Record<string, unknown>, hostile: Record<string, readonly unknown[]>): unknown[] {
  const replaced = Object.entries(hostile).flatMap(([field, values]) =>
    values.map((value) => ({ ...valid, [field]: value })),
  )
  return [
    ...replaced,
    { ...valid, noSuchField: 1 },
    JSON.stringify(valid).replace('{', '{"__proto__":{},'),
    ...neverBodies,
  ]
}

/** Expects a rejection of invalid input as all calls return it: status 400, a message, a code, and no internals. */
export function expectRejected(answer: Answer, sent: unknown, status = 400): void {
  const text = `${JSON.stringify(sent)?.slice(0, 200)} → ${JSON.stringify(answer.body).slice(0, 300)}`
  expect(answer.status, text).toBe(status)
  expect(answer.body, text).toMatchObject({
    success: false,
    message: expect.stringMatching(/\S/),
    code: expect.stringMatching(/^[A-Z][A-Z0-9_]+$/),
    requestId: expect.stringMatching(/\S/),
  })
  expect(JSON.stringify(answer.body), text).not.toMatch(
    /must (be (equal|integer|string|array|object|boolean|number|null|[<>])|have required|NOT have|match (pattern|format))|sqlite|postgres|syntax error|select .* from|insert into|node_modules|\.ts:/i,
  )
}

/** Sends each body and expects that it is rejected and that nothing in the database has changed. */
export async function expectAllRejected(
  app: TestApp,
  visitor: Visitor,
  path: string,
  bodies: readonly unknown[],
): Promise<void> {
  const before = await databaseDigest(app.db)
  for (const body of bodies) expectRejected(await visitor.send('POST', `/api/1.0/website${path}`, { body }), body)
  expect(await databaseDigest(app.db)).toBe(before)
}

/** The same for a call that reads: each query is rejected. */
export async function expectQueriesRejected(visitor: Visitor, path: string, queries: readonly object[]): Promise<void> {
  for (const query of queries) expectRejected(await visitor.send('GET', `/api/1.0/website${path}`, { query }), query)
}

/** Invalid queries of any paged list with a search. */
export const notListQueries: readonly object[] = [
  ...notQueryIntegers.flatMap((page) => [{ page }, { limit: page }]),
  { limit: 101 },
  { page: 10_000_001 },
  { search: 'x'.repeat(201) },
  { noSuchField: 1 },
]

/** The reply as seen by a caller, without the ID of the request. */
export const seen = ({ status, body }: Answer): string => JSON.stringify({ status, body: { ...body, requestId: '' } })
