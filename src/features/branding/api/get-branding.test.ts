import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newReseller } from '#testing/people/resellers.ts'
import { newOwnerWithApp, type OwnedApp, setPlan } from '#testing/people/people.ts'
import { RawConnection } from '#testing/servers/raw-connection.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp({ dashboardDir: resolve('src/web') })
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const look = {
  primaryColor: '#ff0055',
  secondaryColor: '#003366',
  companyName: 'Prism Keys',
  logoUrl: 'https://logo.example/l.png',
}

/** A reseller with a branded domain, verified unless stated otherwise. */
async function newDomain(
  domain: string,
  { isVerified = true, ...more }: Partial<typeof look> & { isVerified?: boolean } = {},
) {
  const { id } = await newReseller(app, owner)
  const saved = await owner.visitor.call('POST /resellers/{id}/domain', {
    params: { id },
    body: { domain, ...look, ...more },
  })
  expect(saved.status).toBe(200)
  if (isVerified)
    await app.db.write(({ db: trx }) =>
      trx.updateTable('reseller_domains').set({ proved_at: app.now() }).where('reseller_id', '=', id).execute(),
    )
  return id
}

/** The raw HTTP response for this Host header. */
async function get(path: string, host: string, more: string[] = []): Promise<{ head: string; body: string }> {
  const lines = [`GET ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...more, '', '']
  const [head = '', ...rest] = (await new RawConnection(app.url).send(lines.join('\r\n')).untilClosed()).split(
    '\r\n\r\n',
  )
  return { head, body: rest.join('\r\n\r\n') }
}

async function brandingAt(host: string, more?: string[]): Promise<unknown> {
  const { body } = await get('/api/1.0/website/branding', host, more)
  return (JSON.parse(body) as { branding: unknown }).branding
}

const own = { primaryColor: '#1bff00', secondaryColor: '#8B5CF6', companyName: 'Signet', logo: '' }
const prism = { primaryColor: '#ff0055', secondaryColor: '#003366', companyName: 'Prism Keys', logo: look.logoUrl }

test('a verified domain has its brand, however its name is written', async () => {
  await newDomain('keys.prism.example')
  for (const host of ['keys.prism.example', 'KEYS.Prism.Example', 'keys.prism.example:8443', 'keys.prism.example.'])
    expect(await brandingAt(host), host).toEqual(prism)
})

test("a verified domain has Signet's brand once the plan that includes branding ends, and its own with the next plan", async () => {
  await newDomain('ended.prism.example')
  const isOurs = async () => (await get('/login', 'ended.prism.example')).body.includes('Prism Keys')
  await setPlan(app, owner.id, 'Pro', app.now() + 100)
  expect([await brandingAt('ended.prism.example'), await isOurs()]).toEqual([prism, true])
  app.advance(101)
  expect([await brandingAt('ended.prism.example'), await isOurs()]).toEqual([own, false])
  await setPlan(app, owner.id, 'Pro')
  expect(await brandingAt('ended.prism.example')).toEqual(prism)
})

test("a verified domain without a company name uses the domain as its name, and its page doesn't mention the platform", async () => {
  await newDomain('nameless.example', { companyName: '' })
  const request = 'GET /login HTTP/1.1\r\nhost: nameless.example\r\nconnection: close\r\n\r\n'
  const page = await new RawConnection(app.url).send(request).untilClosed()
  expect(page).toContain('<title>nameless.example</title>')
  // Ignoring the names of the page's own scripts and styles.
  expect(page.replaceAll(/signet-\w+/g, '')).not.toMatch(/signet/i)
  expect(page).toContain('name="signet-registration" content="open"')
  expect(await (await fetch(`${app.url}/login`)).text()).toContain('name="signet-registration" content="no-admin"')
})

test("every other host, including an unverified domain, has Signet's brand", async () => {
  await newDomain('unproved.example', { isVerified: false })
  await newDomain('proved.example')
  for (const host of [
    'unproved.example',
    'nobody.example',
    '127.0.0.1',
    'x.proved.example',
    'proved.example.evil',
    '_',
  ])
    expect(await brandingAt(host), host).toEqual(own)
})

test('only the Host header counts, not a forwarded host from an untrusted client', async () => {
  await newDomain('forwarded.example')
  expect(await brandingAt('nobody.example', ['X-Forwarded-Host: forwarded.example'])).toEqual(own)
})

test('a ban removes the brand, and so does deleting the domain', async () => {
  const id = await newDomain('soon-gone.example')
  expect(await brandingAt('soon-gone.example')).toEqual(prism)
  await owner.visitor.call('POST /resellers/{id}/ban', { params: { id } })
  expect(await brandingAt('soon-gone.example')).toEqual(own)
  await owner.visitor.call('POST /resellers/{id}/ban', { params: { id } })
  expect(await brandingAt('soon-gone.example')).toEqual(prism)
  await owner.visitor.call('DELETE /resellers/{id}/domain', { params: { id } })
  expect(await brandingAt('soon-gone.example')).toEqual(own)
})

test("the page of a verified domain has its brand, and the owner's input stays text (R-HDR-01)", async () => {
  await newDomain('page.example', { companyName: `"><script>alert(1)</script>&' <b>` })
  const { head, body } = await get('/login', 'page.example')
  expect(head).toContain('200 OK')
  expect(body).not.toContain('<script>alert(1)')
  const written = /<meta name="signet-brand" content="([^"]*)"/.exec(body)?.[1] ?? ''
  const unescaped = written
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
  expect(JSON.parse(unescaped)).toMatchObject({
    name: `"><script>alert(1)</script>&' <b>`,
    logo: look.logoUrl,
    tokens: { '--color-accent': '#ff0055' },
  })
  expect(body).toContain('<title>&quot;&gt;&lt;script&gt;')
  for (const host of ['unknown.example', '127.0.0.1', 'signet.test']) {
    const plain = await get('/login', host)
    expect(plain.body).toContain('<meta name="signet-brand" content=""')
    expect(plain.body).toContain('<title>Signet</title>')
  }
  // A brand must not weaken the Content-Security-Policy.
  const policyOf = (text: string) => /content-security-policy: (.*)/.exec(text)?.[1]?.replace(/nonce-[^']+/, 'nonce')
  expect(policyOf(head)).toBe(policyOf((await get('/login', 'signet.test')).head))
})

describe('a brand with a hostile color or address is rejected as a whole (R-INP-04)', () => {
  const color = '#12345'
  const colors = [
    'red',
    color,
    `${color}67`,
    `${color}g`,
    '123456',
    '#abc',
    '#12345678',
    ' #123456',
    '#123456\n',
    '#123456;',
    '#１２３４５６',
    'url(x)',
    'var(--x)',
    '#000;}*{x:y',
    'javascript:1',
    'expression(1)',
    '</style><x>',
    '',
  ]
  const logos = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    ' javascript:alert(1)',
    'data:image/svg+xml,<svg onload=alert(1)>',
    'data:image/png;base64,AAAA',
    'blob:https://x.example/1',
    'file:///etc/passwd',
    'http://x.example/l.png',
    'HTTP://x.example/l.png',
    '//x.example/l.png',
    '/l.png',
    'x.example/l.png',
    'https:',
    'https://',
    'https:///l.png',
    'https:x.example/l.png',
    'https:\\\\x.example\\l.png',
    'https://x.example\\@evil.example/l.png',
    'https://user@x.example/l.png',
    'https://user:secret@x.example/l.png',
    'https://signet.test@evil.example/l.png',
    'https://@x.example/l.png',
    'https://:@x.example/l.png',
    'https://x.example:99999/l.png',
    'https://x.exa mple/l.png',
    'https://x.example/l.png x',
    'https://x.example/l.png\nx',
    'https://x.example/"onerror=alert(1)',
    "https://x.example/'onerror=alert(1)",
    'https://x.example/<script>',
    'https://x.example/);}*{background:url(//evil.example)',
    `https://x.example/${'l'.repeat(1000)}`,
  ]
  const hostile: [string, object, string][] = [
    ...['primaryColor', 'secondaryColor'].flatMap((field) =>
      colors.map((value): [string, object, string] => [
        `${field} ${JSON.stringify(value)}`,
        { [field]: value },
        'COLOR_INVALID',
      ]),
    ),
    ...logos.map((value): [string, object, string] => [
      `logo ${JSON.stringify(value.slice(0, 60))}`,
      { logoUrl: value },
      'LOGO_URL_INVALID',
    ]),
  ]
  let id: string

  beforeAll(async () => {
    id = await newDomain('hostile.example')
  })

  test.each(hostile)('%s', async (_, change, code) => {
    const body = { domain: 'hostile.example', ...look, ...change }
    const rejected = await owner.visitor.call('POST /resellers/{id}/domain', { params: { id }, body })
    expect(rejected.status).toBe(400)
    // The schema rejects very long texts before the rule runs.
    expect([code, 'TEXT_TOO_LONG']).toContain(rejected.body.code)
    expect(await brandingAt('hostile.example')).toEqual(prism)
  })

  test('any other color and https address is saved and returned as typed', async () => {
    const good = [
      ['#000000', 'https://x.example/l.png?size=2&v=1#top'],
      ['#FFffFF', 'https://xn--schlssel-95a.example:8443/a%20b.svg'],
      ['#1bff00', 'https://[2001:db8::1]/l.png'],
      ['#8B5CF6', 'https://x.example/logo@2x(1).png'],
    ] as const
    for (const [primaryColor, logoUrl] of good) {
      const body = { domain: 'hostile.example', ...look, primaryColor, logoUrl }
      const saved = await owner.visitor.call('POST /resellers/{id}/domain', { params: { id }, body })
      expect(saved.status, logoUrl).toBe(200)
      expect(await brandingAt('hostile.example')).toMatchObject({ primaryColor, logo: logoUrl })
    }
  })
})
