import { expect, test } from 'vitest'
import {
  cppSnippet,
  csharpSnippet,
  curlSnippet,
  type ProgramSettings,
  pythonSnippet,
  typescriptSnippet,
} from './client-snippets.ts'
import { snippetText } from './code-lines.ts'

const settings: ProgramSettings = {
  ownerId: 'Ab3dE6gH1j',
  appName: 'Prism Studio',
  version: '2.4.1',
  hashCheck: true,
  hashToCheck: 'ab'.repeat(32),
  serverUrl: 'https://keys.example',
  sslFingerprint: 'auto',
  sealingKey: 'c'.repeat(43),
  verificationKey: 's'.repeat(43),
}

test('the Python snippet gives the client every argument, each with its own key', () => {
  expect(snippetText(pythonSnippet(settings))).toBe(`from signet_client import Client, SignetError

signet = Client(
    owner_id="Ab3dE6gH1j",
    app_name="Prism Studio",
    version="2.4.1",
    hash_check=True,
    server_url="https://keys.example",
    ssl_fingerprint="auto",
    sealing_key="${'c'.repeat(43)}",
    verification_key="${'s'.repeat(43)}",
)
try:
    session = signet.license(input("Key: "))
except SignetError as error:
    code = f"\\nSupport code: {error.request_id}" if error.request_id else ""
    raise SystemExit(error.customer_message + code)
ends = session.subscriptions[0].expires_at
print(f"Welcome, your license runs until {ends:%Y-%m-%d %H:%M} UTC." if ends else "Welcome, your license never ends.")`)
})

test('the curl snippet names the app as the protocol spells it, and sends the hash only while it is checked', () => {
  const text = snippetText(curlSnippet(settings))
  expect(text).toContain('curl -i https://keys.example/api/1.0/client/init')
  expect(text).toContain('X-Signet-App: Ab3dE6gH1j/Prism%20Studio')
  expect(text).toContain(`{"version":"2.4.1","hash":"${'ab'.repeat(32)}"}`)
  expect(snippetText(curlSnippet({ ...settings, hashCheck: false }))).toContain(`-d '{"version":"2.4.1"}'`)
})

test('a version that holds quotes stays one text in Python and in a shell', () => {
  const quoted = { ...settings, version: `1.0 "it's" \\o/`, hashCheck: false }
  expect(snippetText(pythonSnippet(quoted))).toContain(`version="1.0 \\"it's\\" \\\\o/",`)
  expect(snippetText(curlSnippet(quoted))).toContain(`-d '{"version":"1.0 \\"it'\\''s\\" \\\\o/"}'`)
})

const languages = { pythonSnippet, typescriptSnippet, csharpSnippet, cppSnippet, curlSnippet }

test.each(Object.entries(languages))(
  '%s marks strings and keywords and loses no character of long keys',
  (_, snippet) => {
    const lines = snippet(settings)
    const tokens = lines.flat()
    expect(tokens.some(({ kind }) => kind === 'string')).toBe(true)
    expect(tokens.some(({ kind }) => kind === 'keyword')).toBe(true)
    for (const token of tokens.filter(({ long }) => long)) expect(token.kind).toBe('string')
    const text = snippetText(lines)
    if (snippet === curlSnippet) return
    for (const key of [settings.sealingKey, settings.verificationKey]) {
      expect(text).toContain(key)
      expect(tokens.find(({ text: each }) => each === `"${key}"`)).toMatchObject({ kind: 'string', long: true })
    }
  },
)

const programs = { pythonSnippet, typescriptSnippet, csharpSnippet, cppSnippet }

test.each(Object.entries(programs))('%s signs in with a given key instead of asking for one', (_, snippet) => {
  const asking = snippetText(snippet(settings))
  expect(asking).toContain('"Key: "')
  expect(asking).toContain('Welcome, your license')
  const signingIn = snippetText(snippet(settings, 'TEST-4QXR-77TK-M2WD-K7F3'))
  expect(signingIn).toContain('("TEST-4QXR-77TK-M2WD-K7F3")')
  expect(signingIn).toContain('Signed in as ')
  expect(signingIn).not.toMatch(/"Key: "|readline|ReadLine|getline|Welcome/)
})
