import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pathOf } from '#server/http/call-routes.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { newSeller } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { sellerApi } from './seller-api.feature.ts'

/** Runs the commands of docs/seller-api.md in order, with real curl and the values that it says to keep. */

const run = promisify(execFile)
const document = readFileSync(new URL('../../../docs/seller-api.md', import.meta.url), 'utf8')

interface Step {
  command: string
  /** Values to keep from the reply: a variable and the path of its value. */
  keeps: [variable: string, place: string][]
  reply: { kind: string; text: string } | undefined
}

function readSteps(): Step[] {
  const batches = [...document.matchAll(/```(\w+)\n([\s\S]*?)```|Keep `([^`]+)` of the reply as `\$(\w+)`/g)]
  const steps: Step[] = []
  for (const [, kind, text = '', place, variable] of batches) {
    const last = steps.at(-1)
    if (kind === 'sh') steps.push({ command: text.replace(/\\\n\s*/g, ''), keeps: [], reply: undefined })
    else if (kind && last) last.reply ??= { kind, text }
    else if (variable && place) last?.keeps.push([variable, place])
  }
  return steps
}

const steps = readSteps()
const titleOf = ({ command }: Step) =>
  command
    .replace(/^curl -sSN?/, '')
    .replace(/"\$SIGNET_URL(\S+)".*/s, '$1')
    .trim()

let app: TestApp
let owner: OwnedApp
let variables: Record<string, string>
/** Where the commands run, with the file that they upload. */
const folder = mkdtempSync(join(tmpdir(), 'signet-seller-api-'))

beforeAll(async () => {
  writeFileSync(join(folder, 'setup.exe'), 'bytes')
  app = await startTestApp()
  owner = await newOwnerWithApp(app, 'Prism Studio')
  const { key } = await newSeller(app, owner, { keyName: 'My shop' })
  variables = { SIGNET_URL: app.url, SELLER_KEY: key }
  // A session and an entry of the log.
  await (await Program.of(app, owner)).init()
  app.advance(10)
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

/** Random values, and those of this machine. */
const differs = new Set(
  (
    'id _id downloadId listenerId session_id requestId license licenseKey licenses keys hwid ip country verifiedUser ' +
    'sha256 fileSize usedBytes storageBytes maxFileBytes next serverVersion'
  ).split(' '),
)
const isTime = (value: unknown) => typeof value === 'number' && value > 1e9

/** A reply without what differs each time. Times are those since the creation, in minutes. */
function comparable(value: unknown, createdAt?: number): unknown {
  if (Array.isArray(value)) return value.map((inner) => comparable(inner, createdAt))
  if (typeof value !== 'object' || value === null) {
    if (!isTime(value)) return value
    return createdAt === undefined ? 'time' : `${Math.round((Number(value) - createdAt) / 60)} min`
  }
  const fields = value as Record<string, unknown>
  const start = isTime(fields['creationDate']) ? Number(fields['creationDate']) : createdAt
  return Object.fromEntries(
    Object.entries(fields).map(([name, inner]) => {
      if (differs.has(name) && (typeof inner !== 'object' || inner === null)) return [name, 'differs']
      if (name === 'time_left') return [name, Math.round(Number(inner) / 60)]
      if (differs.has(name) && Array.isArray(inner) && typeof inner[0] === 'string') return [name, inner.length]
      return [name, comparable(inner, start)]
    }),
  )
}

function valueAt(value: unknown, place: string): string {
  const names = place.split(/[.[\]]+/).filter(Boolean)
  return String(names.reduce((inner, name) => (inner as Record<string, unknown>)[name], value))
}

test('the page has a curl example for every call, and for no other', () => {
  const called = steps.map(({ command }) => {
    const [, method = 'GET', path = ''] = /^curl -sSN?(?: -X (\w+))? "\$SIGNET_URL([^"?]+)[^"]*"/.exec(command) ?? []
    return `${method} ${path.replace(/\$\w+|(?<=variables\/)(discord|latest)/g, '…')}`
  })
  const calls = sellerApi.endpoints.map(({ call }) => `${call.method} ${pathOf(call).replace(/\{\w+\}/g, '…')}`)
  expect(new Set(called)).toEqual(new Set(calls))
})

test('the table lists every scope of the API', () => {
  const table = [...document.matchAll(/^\| `([\w-]+:\w+)` \|/gm)].map(([, scope]) => scope)
  expect(new Set(table)).toEqual(new Set(sellerApi.endpoints.flatMap(({ call }) => call.scope ?? [])))
})

/** What a command without end prints first. */
async function begun(command: string): Promise<string> {
  const child = spawn('sh', ['-c', `exec ${command}`], {
    env: { PATH: process.env['PATH'], no_proxy: '*', ...variables },
  })
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
  child.kill()
  await once(child, 'close')
  return chunk.toString()
}

describe('in the order of the page', () => {
  test.each(steps.map((step) => [titleOf(step), step] as const))('%s', async (_title, { command, keeps, reply }) => {
    if (command.startsWith('curl -sSN ')) {
      const [began] = (await begun(command)).split(/\n(?=id)/)
      expect(reply?.text.startsWith(began ?? '')).toBe(true)
      return
    }
    const { stdout } = await run('sh', ['-c', command], {
      cwd: folder,
      env: { PATH: process.env['PATH'], no_proxy: '*', ...variables },
    })
    if (reply?.kind === 'text') {
      expect(stdout).toMatch(/^[\w-]{19}$/)
      return
    }
    const body = JSON.parse(stdout) as { success: boolean; message?: string }
    expect(body, stdout).toMatchObject({ success: true })
    if (reply) {
      const shown = JSON.parse(reply.text) as typeof body
      expect(comparable(body)).toEqual(comparable(shown))
    }
    for (const [variable, place] of keeps) variables[variable] = valueAt(body, place)
  })

  test('the examples leave nothing but their licenses', async () => {
    const users = await owner.visitor.call('GET /users')
    const licenses = await owner.visitor.call('GET /licenses')
    expect({ users: users.body.total, licenses: licenses.body.total }).toEqual({ users: 0, licenses: 2 })
    expect(licenses.body.licenses.map(({ generatedBy }) => generatedBy)).toEqual(['My shop', 'My shop'])
  })
})
