import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { languages } from '#contract/language.ts'
import { CallError } from '#contract/errors.ts'
import { newLog } from '#server/log/log.ts'
import { type NewMail, queueMail, requireMail, sendMail } from './mail.ts'
import type { MailText } from './mail-text.ts'
import { mailTexts, type MailCode } from './mail-texts.ts'
import { type MailServer, startMailServer, turnMailOn } from '#testing/servers/mail-server.ts'
import { setPlatform } from '#testing/platform.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let server: MailServer
let logged: string[]
const closing: (() => Promise<void>)[] = []

beforeEach(async () => {
  logged = []
  const log = newLog('debug', { write: (line: string) => void logged.push(line) })
  app = await startTestApp({ log })
  server = await startMailServer()
})
afterEach(async () => {
  await app.close()
  for (const close of [server.close, ...closing.splice(0)]) await close()
})

async function another(options: Parameters<typeof startMailServer>[0]): Promise<MailServer> {
  const made = await startMailServer(options)
  closing.push(made.close)
  return made
}

const link = 'http://signet.test/reset-password#a-link-that-opens-an-account'
const values = { username: 'ana', link, minutes: 30 }

const queue = <C extends MailCode = 'password-reset'>(mail: Partial<NewMail<C>> = {}) =>
  app.db.write((tx) =>
    queueMail(
      tx,
      app.services,
      { to: 'ana@example.com', language: null, code: 'password-reset', values, ...mail } as NewMail<MailCode>,
      app.now(),
    ),
  )

const sendNow = (to = 'ana@example.com') => sendMail(app.services, { to, language: null, code: 'test', values: {} })

const waiting = () =>
  app.db.read.selectFrom('jobs').select(['payload', 'error', 'failed_at']).where('kind', '=', 'mail').execute()

const headerNames = (raw: string): string[] =>
  (raw.split('\r\n\r\n')[0] ?? '')
    .split('\r\n')
    .filter((line) => !/^\s/.test(line))
    .map((line) => line.split(':')[0] ?? '')

const ownHeaders = [
  'From',
  'To',
  'Subject',
  'Message-ID',
  'Auto-Submitted',
  'Date',
  'MIME-Version',
  'Content-Type',
].toSorted()

describe('a mail', () => {
  test('is sent after the commit of its cause, and never after a rollback', async () => {
    await turnMailOn(app, server)
    await expect(
      app.db.write(async (tx) => {
        await queueMail(
          tx,
          app.services,
          { to: 'ana@example.com', language: null, code: 'test', values: {} },
          app.now(),
        )
        throw new Error('changed my mind')
      }),
    ).rejects.toThrow('changed my mind')
    await app.jobsDone()
    expect(server.mails).toEqual([])
    await queue()
    await app.jobsDone()
    const [mail, ...others] = server.mails
    expect(others).toEqual([])
    expect(mail).toMatchObject({
      sender: 'signet@example.com',
      recipients: ['ana@example.com'],
      from: { name: 'Signet', address: 'signet@example.com' },
      to: [{ name: '', address: 'ana@example.com' }],
      subject: 'Set a new password for Signet',
    })
    expect(mail?.text).toContain(`ana at Signet. This link sets it:\n\n${link}\n\nThe link works once`)
    expect(mail?.html).toContain(`<a href="${link}">${link}</a>`)
    expect(headerNames(mail?.raw ?? '').toSorted()).toEqual(ownHeaders)
    expect(await waiting()).toEqual([])
  })

  test('is neither queued nor sent while mail is off, and calls that need it say so', async () => {
    await queue()
    expect(await waiting()).toEqual([])
    expect(() => requireMail(app.services)).toThrow(CallError)
    await turnMailOn(app, server)
    expect(() => requireMail(app.services)).not.toThrow()
    await turnMailOn(app, server, { enabled: false })
    await queue()
    expect(await waiting()).toEqual([])
  })

  test('that is waiting when mail is turned off is dropped', async () => {
    await turnMailOn(app, server)
    server.rejection = { code: 451, text: 'Come back later' }
    await queue()
    await app.jobsDone()
    await turnMailOn(app, server, { enabled: false })
    app.advance(60)
    await app.jobsDone()
    expect(await waiting()).toEqual([])
    expect(server.mails).toEqual([])
  })

  test('that is no longer needed is dropped', async () => {
    await turnMailOn(app, server)
    server.rejection = { code: 451, text: 'Come back later' }
    await queue({ usefulUntil: app.now() + 30 })
    await app.jobsDone()
    server.rejection = undefined
    app.advance(60)
    await app.jobsDone()
    expect(server.mails).toEqual([])
    expect(await waiting()).toEqual([])
  })

  test("never exposes its link or the mail server's password in the database or the log (R-LOG-03)", async () => {
    const password = 'a password of the mail server'
    const careful = await another({ login: { user: 'signet', password: 'another one' } })
    await turnMailOn(app, careful, { smtpUser: 'signet', smtpPassword: password })
    await queue()
    await app.jobsDone()
    const [row] = await waiting()
    expect(row?.error).toContain('MAIL_LOGIN_REFUSED')
    const base64 = Buffer.from(`\0signet\0${password}`).toString('base64')
    for (const place of [JSON.stringify(row), logged.join('\n')])
      for (const secret of [password, base64, 'a-link-that-opens', 'ana@example.com'])
        expect(place).not.toContain(secret)
    expect(logged.join('\n')).toContain('MAIL_LOGIN_REFUSED')
  })
})

describe('no value can become a header or a recipient', () => {
  const evil = 'x\r\nBcc: eve@example.com\r\n\r\n<b>Hello</b>\nRCPT TO:<eve@example.com>\u2028\0'

  test.each([
    'ana@example.com\r\nBcc: eve@example.com',
    'ana@example.com, eve@example.com',
    'ana@example.com\nRCPT TO:<eve@example.com>',
    '<eve@example.com> ana@example.com',
    '"eve@example.com, x"@example.com',
    'ana@example.com\0',
    'ana\u202e@example.com',
    '',
    'nobody',
  ])('an invalid address %j gets no mail', async (to) => {
    await turnMailOn(app, server)
    await queue({ to })
    expect(await waiting()).toEqual([])
    expect(server.connections).toBe(0)
  })

  test('names of the platform, the sender, and the account stay in their line', async () => {
    await setPlatform(app, 'platform', { platformName: evil })
    await turnMailOn(app, server, { senderName: evil })
    await queue({ values: { ...values, username: evil } })
    await queue({ code: 'user-password-reset', values: { ...values, app: evil, username: evil } } as never)
    await app.jobsDone()
    expect(server.mails).toHaveLength(2)
    for (const mail of server.mails) {
      expect(mail.recipients).toEqual(['ana@example.com'])
      expect(headerNames(mail.raw).toSorted()).toEqual(ownHeaders)
      expect(mail.from?.address).toBe('signet@example.com')
      expect(mail.html).not.toContain('<b>')
    }
    // What end users and owners call themselves is left out where a mail program could make a link of it.
    expect(server.mails[1]?.subject).toBe('Set a new password')
  })

  test('whatever the names are', async () => {
    await turnMailOn(app, server)
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.constantFrom('\r\nBcc: eve@example.com', '\r', '\n.\r\n'),
    )
    const language = fc.constantFrom(...languages.map(({ code }) => code))
    await fc.assert(
      fc.asyncProperty(text, text, text, language, async (platformName, senderName, username, language) => {
        server.mails.length = 0
        await setPlatform(app, 'platform', { platformName })
        await turnMailOn(app, server, { senderName })
        expect(
          await sendMail(app.services, {
            to: 'ana@example.com',
            language,
            code: 'password-reset',
            values: { ...values, username },
          }),
        ).toBeUndefined()
        expect(server.mails).toHaveLength(1)
        expect(server.mails[0]?.recipients).toEqual(['ana@example.com'])
        expect(headerNames(server.mails[0]?.raw ?? '').toSorted()).toEqual(ownHeaders)
      }),
      { numRuns: 15 },
    )
  })

  test('a name in any script arrives unchanged', async () => {
    await turnMailOn(app, server, { senderName: 'Łódź 🔑 "Keys", Inc.' })
    expect(await sendNow('josé@exämple.com')).toBeUndefined()
    expect(server.mails[0]?.from).toEqual({ name: 'Łódź 🔑 "Keys", Inc.', address: 'signet@example.com' })
    expect(server.mails[0]?.recipients).toHaveLength(1)
  })

  test.each(['evil.com', 'https://evil.com', 'ana@evil.com', 'a\u200bb', 'evil․com', 'x'.repeat(65)])(
    "a stranger's name %j isn't repeated",
    (name) => {
      const about = { name: 'Signet', url: 'https://signet.test' }
      for (const mails of Object.values(mailTexts)) {
        const mail = mails['user-password-reset']({ ...values, app: name, username: name })
        expect(JSON.stringify(mail)).not.toContain(name)
        expect(JSON.stringify(mails['password-reset']({ ...values, username: name }, about))).not.toContain(name)
      }
    },
  )

  test('each mail has the same link and values in every language, and no line of another language', () => {
    const about = { name: 'PLATFORM', url: 'https://signet.test' }
    const every = { username: 'USERNAME', app: 'APP', link: 'https://signet.test/#token', minutes: 4711 }
    const more = { time: 'TIME', ip: 'ADDRESS', browser: 'BROWSER', page: 'profile', plan: 'PLAN', days: 3 }
    const all = { ...every, ...more, host: 'HOST', reason: 'gone' }
    const valuesOf = (text: string) => (text.match(/[A-Z]{3,}|4711|https:\S+/g) ?? []).toSorted()
    for (const code of Object.keys(mailTexts.en) as MailCode[]) {
      const [english, ...others] = languages.map((language) =>
        (mailTexts[language.code][code] as (values: object, platform: object) => MailText)(all, about),
      ) as [MailText, ...MailText[]]
      const lines = ({ subject, lines, closing = [] }: MailText) => [subject, ...lines, ...closing]
      for (const other of others) {
        expect(other.link, code).toBe(english.link)
        expect(valuesOf(lines(other).join(' ')), code).toEqual(valuesOf(lines(english).join(' ')))
        expect(lines(other)).toHaveLength(lines(english).length)
        for (const line of lines(other)) expect(lines(english)).not.toContain(line)
      }
    }
  })
})

describe('a mail server that fails', () => {
  test('temporarily gets the mail again, with the settings at that time', async () => {
    await turnMailOn(app, server)
    server.rejection = { code: 451, text: 'Come back later' }
    await queue()
    await app.jobsDone()
    expect(server.mails).toEqual([])
    const other = await another({})
    await turnMailOn(app, other)
    app.advance(60)
    await app.jobsDone()
    expect(other.mails).toHaveLength(1)
    expect(await waiting()).toEqual([])
  })

  test('before it confirms a mail gets it again, under the same ID', async () => {
    await turnMailOn(app, server)
    server.hangsUp = true
    await queue()
    await app.jobsDone()
    expect(await waiting()).toHaveLength(1)
    server.hangsUp = false
    app.advance(60)
    await app.jobsDone()
    expect(await waiting()).toEqual([])
    expect(server.mails).toHaveLength(2)
    expect(server.mails[0]?.messageId).toMatch(/^<.+@example\.com>$/)
    expect(server.mails[1]?.messageId).toBe(server.mails[0]?.messageId)
  })

  test('permanently has the mail set aside at once, and the log records it', async () => {
    await turnMailOn(app, server)
    server.rejection = { code: 550, text: 'No such user' }
    await queue()
    await app.jobsDone()
    const [row] = await waiting()
    expect(row).toMatchObject({ failed_at: app.now(), error: 'password-reset: MAIL_RECIPIENT_REFUSED' })
    expect(logged.join('\n')).toContain('a job was set aside')
    expect(logged.join('\n')).toContain('550 No such user')
    server.rejection = undefined
    app.advance(86_400)
    await app.jobsDone()
    expect(server.mails).toEqual([])
  })

  test("one mail doesn't delay the next", async () => {
    await turnMailOn(app, server)
    server.rejection = { code: 451, text: 'Come back later' }
    await queue()
    await app.jobsDone()
    server.rejection = undefined
    await queue({ to: 'bob@example.com' })
    await app.jobsDone()
    expect(server.mails.map(({ recipients }) => recipients)).toEqual([['bob@example.com']])
  })
})
