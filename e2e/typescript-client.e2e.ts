import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { build } from 'vite'
import { newLicenses } from '#testing/people/people.ts'
import { clientOptions } from '#testing/people/sdk-client.ts'
import type * as Sdk from '#sdk/client.ts'
import type * as Wire from '#sdk/wire.ts'
import type { ReplyChecker } from '#sdk/check-reply.ts'
import type { publicKeyFromRaw } from '#sdk/public-keys.ts'
import { expect, test } from './fixtures.ts'

/** The TypeScript client in a browser, with the same vectors and the same server, using the browser's WebCrypto. */

type BrowserSdk = typeof Sdk &
  typeof Wire & { ReplyChecker: typeof ReplyChecker; publicKeyFromRaw: typeof publicKeyFromRaw }

const source = resolve('sdks/typescript/src')
const entry = ['client', 'wire', 'check-reply', 'public-keys'].map((name) => `export * from '${source}/${name}.ts'`)

let bundle: Promise<string> | undefined

/** One script that sets `signet`; the page's CSP allows no other, so the test injects it. */
async function bundled(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'signet-sdk-'))
  const file = join(folder, 'entry.ts')
  writeFileSync(file, entry.join('\n'))
  const lib = { entry: file, formats: ['iife' as const], name: 'signet' }
  const made = await build({ configFile: false, logLevel: 'silent', build: { write: false, lib } })
  rmSync(folder, { recursive: true })
  const [first] = Array.isArray(made) ? made : [made]
  const chunk = first && 'output' in first ? first.output[0] : undefined
  if (!chunk) throw new Error('Nothing was built')
  return `${chunk.code}\n;globalThis.signet = signet`
}

async function withClient(page: Page): Promise<void> {
  bundle ??= bundled()
  await page.goto('/login')
  await page.evaluate(await bundle)
}

test('a page signs in with sealed bodies, goes on, and hears of a ban', async ({ app, page, owner }) => {
  await withClient(page)
  const [key = ''] = await newLicenses(owner, 1)
  const options = JSON.stringify({ ...(await clientOptions(app, owner)), sealRequests: true, heartbeatSeconds: null })
  const username = await page.evaluate(
    async ({ options, key }) => {
      const { signet } = globalThis as unknown as { signet: BrowserSdk }
      const client = new signet.Client(JSON.parse(options) as Sdk.ClientOptions)
      Object.assign(globalThis, { client })
      return (await client.license(key)).user.username
    },
    { options, key },
  )
  expect(username).toBe(key)
  const beat = () =>
    page.evaluate(async () => {
      const { client } = globalThis as unknown as { client: Sdk.Client }
      const code = await client.heartbeat().then(
        () => 'alive',
        (error: Sdk.SignetError) => error.code,
      )
      return { code, isValid: client.isValid() }
    })
  expect(await beat()).toEqual({ code: 'alive', isValid: true })
  await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: key } })
  expect(await beat()).toEqual({ code: 'LICENSE_BANNED', isValid: false })
})

test("the browser's cryptography passes the vectors", async ({ page }) => {
  await withClient(page)
  const vectors = JSON.parse(readFileSync('sdks/vectors/replies.json', 'utf8')) as {
    rootPublicKey: string
    now: number
    request: { path: string; app: string; nonce: string; time: string; session: string; body: string }
    cases: { name: string; highestSerial: number; status: number; headers: Record<string, string>; body: string }[]
  }
  const outcomes = await page.evaluate(async ({ rootPublicKey, now, request, cases }) => {
    const { signet } = globalThis as unknown as { signet: BrowserSdk }
    const bytes = (text: string) => signet.decodeBase64url(text) ?? new Uint8Array()
    const root = await signet.publicKeyFromRaw('ed25519', rootPublicKey)
    const seen: string[] = []
    for (const { highestSerial, status, headers, body } of cases) {
      const lowerCase = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
      const reply = { status, headers: lowerCase, body: bytes(body) }
      const checked = new signet.ReplyChecker(root, highestSerial).check(
        { ...request, body: bytes(request.body) },
        reply,
        now,
      )
      seen.push(
        await checked.then(
          () => 'accepted',
          (error: Sdk.SignetError) => error.code,
        ),
      )
    }
    return seen
  }, vectors)
  const expected = vectors.cases.map((each) => (each as unknown as { outcome: string }).outcome)
  expect(outcomes).toEqual(expected)
})
