import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOwnerWithApp } from '#testing/people/people.ts'
import { newSeller, type Seller, sold } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** Clients that two generators make from the documents compile, and run the programs of docs/seller-api.md. */

const run = promisify(execFile)
const generators = resolve('testing/generated-clients/node_modules/.bin')
const shared = resolve('node_modules/.bin')
const folder = mkdtempSync(join(tmpdir(), 'signet-generated-'))

const [openApiFetch = '', oazapfts = ''] = [
  ...(readFileSync('docs/seller-api.md', 'utf8')
    .split('## Generate a client')[1]
    ?.matchAll(/```ts\n([^]*?)```/g) ?? []),
].map(([, code]) => code)

/** What the types must say, and what they must not allow: a field of the type `any` would. */
const typeChecks = `
import type { components } from './seller-api.ts'
import type { Failure, GetUserReply } from './seller-calls.ts'

type User = components['schemas']['GetUserReply']['user']
export const levelOf = (user: User): number | undefined => user.subscriptions['1']?.level
export const variableOf = (user: User): string | undefined => user.variables['discord']
export const lastLoginOf = (user: User): number | null => user.lastLoginDate
// @ts-expect-error A user may never have signed in.
export const alwaysLastLogin = (user: User): number => user.lastLoginDate
// @ts-expect-error A level is a number.
export const levelText = (user: User): string | undefined => user.subscriptions['1']?.level

export const nameOf = ({ user }: GetUserReply): string | undefined => user.subscriptions['1']?.name
// @ts-expect-error Success is no text.
export const successOf = (failure: Failure): string => failure.success
// @ts-expect-error A failure has no license.
export const licenseOf = (failure: Failure) => failure.license
`

const compilerOptions = {
  target: 'esnext',
  module: 'nodenext',
  strict: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
  types: ['node'],
}

let app: TestApp
let seller: Seller

beforeAll(async () => {
  app = await startTestApp()
  seller = await newSeller(app, await newOwnerWithApp(app))
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  const files = {
    'package.json': JSON.stringify({ type: 'module' }),
    'tsconfig.json': JSON.stringify({ compilerOptions }),
    'open-api-fetch.ts': openApiFetch,
    'oazapfts.ts': oazapfts,
    'type-checks.ts': typeChecks,
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const api = `${app.url}/api/1.0`
  await Promise.all([
    run(join(generators, 'openapi-typescript'), [`${api}/seller/openapi.json`, '-o', 'seller-api.ts'], { cwd: folder }),
    run(join(generators, 'openapi-typescript'), [`${api}/client/openapi.json`, '-o', 'client-api.ts'], { cwd: folder }),
    run(join(generators, 'openapi-typescript'), [`${api}/openapi.json`, '-o', 'dashboard-api.ts'], { cwd: folder }),
    run(join(shared, 'oazapfts'), [`${api}/seller/openapi.json`, 'seller-calls.ts'], { cwd: folder }),
  ])
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

test('the clients of all documents, the programs of the page, and what their types must say compile in strict mode', async () => {
  const { stdout } = await run(join(shared, 'tsc'), ['-p', '.', '--listFilesOnly'], { cwd: folder })
  const compiled = [
    'seller-api',
    'client-api',
    'dashboard-api',
    'seller-calls',
    'open-api-fetch',
    'oazapfts',
    'type-checks',
  ]
  expect(stdout.split('\n')).toEqual(expect.arrayContaining(compiled.map((name) => join(folder, `${name}.ts`))))
  const problems = await run(join(shared, 'tsc'), ['-p', '.'], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  )
  expect(problems.stdout).toBe('')
})

test.each([
  ['open-api-fetch.ts', 'order 2001'],
  ['oazapfts.ts', 'order 2002'],
])('%s creates a license once, reads it, bans it, and lists it', async (program, notes) => {
  const env = { PATH: process.env['PATH'], no_proxy: '*', SIGNET_URL: app.url, SELLER_KEY: seller.key }
  const printed = async () => (await run(process.execPath, [program], { cwd: folder, env })).stdout
  const first = await printed()
  const { licenses } = await sold<{ licenses: { license: string; banned: boolean; notes: string }[] }>(
    seller,
    'GET',
    `/licenses?search=${encodeURIComponent(notes)}`,
  )
  expect(licenses).toMatchObject([{ banned: true, notes }])
  expect(first).toMatch(new RegExp(`^${licenses[0]?.license} gives \\S.*\n1 is banned\n$`))
  expect(await printed()).toBe(first)
})
