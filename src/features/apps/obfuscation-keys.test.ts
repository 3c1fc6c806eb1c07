import { sign } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rawPublicKey } from '#protocol/raw-keys.ts'
import { replyMessage } from '#protocol/reply-message.ts'
import { requestHash } from '#protocol/request-hash.ts'
import { openSealedBody } from '#protocol/sealed-body.ts'
import { issueCertificate } from '#protocol/key-certificate.ts'
import { ReplyChecker } from '#sdk/check-reply.ts'
import { publicKeyFromRaw } from '#sdk/public-keys.ts'
import { sealBody } from '#sdk/sealing.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { privateKeyFromSeed } from '#testing/seeded-keys.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { openBoxKey, openRootKey } from './app-keys.ts'
import {
  cppSnippet,
  csharpSnippet,
  curlSnippet,
  type ProgramSettings,
  pythonSnippet,
  typescriptSnippet,
} from './web/client-snippets.ts'
import { snippetText } from './web/code-lines.ts'

/** The two keys contained in every program: all its customers have them. */
let app: TestApp
let owner: OwnedApp
let published: { clientObfuscationKey: string; serverObfuscationKey: string }

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  const { body } = await owner.visitor.call('GET /apps')
  const { clientObfuscationKey = '', serverObfuscationKey = '' } = body.apps[0]?.settings ?? {}
  published = { clientObfuscationKey, serverObfuscationKey }
})
afterAll(() => app.close())

const request = () => ({
  path: '/api/1.0/client/login',
  app: `${owner.id}/${encodeURIComponent(owner.appName)}`,
  nonce: 'a'.repeat(22),
  time: String(app.services.clock()),
  session: undefined,
  body: Buffer.from('{}'),
})

describe('publishing both obfuscation keys breaks nothing (R-CLI-10)', () => {
  test('no answer signed with what they give is believed', async () => {
    const body = new Uint8Array(Buffer.from('{"success":true}'))
    const time = app.services.clock()
    const rootKey = await publicKeyFromRaw('ed25519', published.serverObfuscationKey)
    const forge = (seed: string) => {
      const key = privateKeyFromSeed('ed25519', Buffer.from(seed, 'base64url'))
      const now = Math.floor(time / 1000)
      const terms = { kid: 'forged', serial: 1, notBefore: now - 60, notAfter: now + 3600 }
      const message = replyMessage({
        app: request().app,
        kid: 'forged',
        requestHash: requestHash(request()),
        serverTime: time,
        status: 200,
        body,
      })
      return {
        status: 200,
        body,
        headers: {
          'x-signet-key': 'forged',
          'x-signet-time': String(time),
          'x-signet-signature': sign(null, message, key).toString('base64url'),
          'x-signet-certificate': issueCertificate({ rootKey: key, publicKey: key, ...terms }),
        },
      }
    }
    for (const seed of Object.values(published)) {
      const checker = new ReplyChecker(rootKey)
      await expect(checker.check(request(), forge(seed), time)).rejects.toThrow('Not signed by this root key.')
    }
  })

  test('no sealed body is opened with what they give', async () => {
    const { body: _body, ...place } = request()
    const publicKey = await publicKeyFromRaw('x25519', published.clientObfuscationKey)
    const body = new Uint8Array(Buffer.from('{"password":"canary"}'))
    const sealed = await sealBody({ publicKey, ...place, body })
    for (const seed of Object.values(published)) {
      const privateKey = privateKeyFromSeed('x25519', Buffer.from(seed, 'base64url'))
      expect(() => openSealedBody({ privateKey, sealed, ...place })).toThrow('cannot be opened')
    }
  })

  test('they are public halves of sealed keys, and two different ones', async () => {
    const row = await app.db.read.selectFrom('apps').selectAll().where('id', '=', owner.appId).executeTakeFirstOrThrow()
    const { masterKey } = app.services
    expect(rawPublicKey(openRootKey(masterKey, row))).toBe(published.serverObfuscationKey)
    expect(rawPublicKey(openBoxKey(masterKey, row.id, row))).toBe(published.clientObfuscationKey)
    expect(published.clientObfuscationKey).not.toBe(published.serverObfuscationKey)
  })
})

describe('nothing that reaches a program holds a private key (R-CLI-11)', () => {
  const keyShaped = /[A-Za-z0-9_-]{43}|[A-Fa-f0-9]{64}/g

  test('the snippets hold the two public keys and no other', async () => {
    const settings = {
      ownerId: owner.id,
      appName: owner.appName,
      version: '1.0.0',
      hashCheck: false,
      hashToCheck: '',
      serverUrl: 'https://keys.example',
      sslFingerprint: 'auto',
      sealingKey: published.clientObfuscationKey,
      verificationKey: published.serverObfuscationKey,
    } satisfies ProgramSettings
    for (const snippet of [pythonSnippet, typescriptSnippet, csharpSnippet, cppSnippet]) {
      const text = snippetText(snippet(settings))
      expect(new Set(text.match(keyShaped))).toEqual(new Set(Object.values(published)))
    }
    expect(snippetText(curlSnippet(settings))).not.toMatch(keyShaped)
  })

  test('nothing that the website answers about an app has a private half of its keys', async () => {
    const rows = await app.db.read.selectFrom('apps').selectAll().where('id', '=', owner.appId).execute()
    const sealed = Object.entries(rows[0] ?? {}).filter(([column]) => column.endsWith('_sealed'))
    expect(sealed.length).toBeGreaterThan(2)
    const answers = JSON.stringify([
      (await owner.visitor.call('GET /apps')).body,
      (await owner.visitor.call('GET /active_app')).body,
    ])
    for (const [column, value] of sealed) {
      expect(answers, column).not.toContain(String(value).slice(4, 30))
      expect(answers).not.toContain(column)
    }
    expect(new Set(answers.match(keyShaped))).toEqual(new Set(Object.values(published)))
  })

  test('the clients come without keys', () => {
    const root = join(dirname(import.meta.dirname), '../..')
    const files = globSync(
      [
        'sdks/python/signet_client/**/*.py',
        'sdks/typescript/src/*.ts',
        'sdks/csharp/src/**/*.cs',
        'sdks/cpp/{src,include}/**/*.{h,hpp,cpp}',
      ],
      { cwd: root },
    )
    // The numbers of the curve stand in the check of public keys.
    const shipped = files.filter((file) => !/\.test\.ts$|public_?keys\.(?:cpp|cs)$/i.test(file))
    expect(shipped.length).toBeGreaterThan(15)
    for (const file of shipped) {
      const text = readFileSync(join(root, file), 'utf8')
      expect(text, file).not.toMatch(/(['"])([A-Za-z0-9_-]{43}|[A-Fa-f0-9]{64})\1/)
      expect(text, file).not.toMatch(/PRIVATE KEY/)
    }
  })
})
