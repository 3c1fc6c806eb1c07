import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type MailServer, startMailServer, turnMailOn } from '#testing/servers/mail-server.ts'
import { goodPassword, newAdmin, newOwner, type Owner, setPlan } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** Emails use the language of the recipient's dashboard, whoever causes them. */

let app: TestApp
let server: MailServer
let owner: Owner

const portuguese = { 'accept-language': 'pt-BR,pt;q=0.9,en;q=0.5' }
const spanish = { 'accept-language': 'es-MX,es;q=0.9,en;q=0.5' }
const english = { 'accept-language': 'en-US,en;q=0.9' }

beforeAll(async () => {
  app = await startTestApp()
  server = await startMailServer()
})
afterAll(async () => {
  await app.close()
  await server.close()
})
beforeEach(async () => {
  app.advance(3600)
  await turnMailOn(app, server)
  owner = await newOwner(app)
  await app.jobsDone()
  server.mails.length = 0
})

const signIn = (headers: Record<string, string>, visitor = app.visitor()) =>
  visitor.call('POST /login', { body: { username: owner.username, password: goodPassword }, headers })
async function mailed() {
  await app.jobsDone()
  const mails = server.mails.map(({ subject, text, html }) => ({ subject, text: text ?? '', html: html ?? '' }))
  server.mails.length = 0
  return mails
}

test('the mail about a sign-in from a Portuguese browser is in Portuguese: subject, text, time, and linked page', async () => {
  await signIn(portuguese)
  const [mail] = await mailed()
  expect(mail?.subject).toBe('Novo login em Signet')
  expect(mail?.text).toContain('Alguém entrou na sua conta')
  expect(mail?.text).toMatch(/Quando: \d{1,2} de \p{L}+ de \d{4}/u)
  expect(mail?.text).not.toMatch(/Someone|IP address|unknown/)
  expect(mail?.html).toContain('<html lang="pt-BR" dir="ltr">')
})

test('the mail about a sign-in from a Spanish browser of any country is in Spanish', async () => {
  await signIn(spanish)
  const [mail] = await mailed()
  expect(mail?.subject).toBe('Nuevo inicio de sesión en Signet')
  expect(mail?.text).toMatch(/Cuándo: \d{1,2} de \p{L}+ de \d{4}/u)
  expect(mail?.text).not.toMatch(/Someone|IP address|unknown|Alguém/)
  expect(mail?.html).toContain('<html lang="es-419" dir="ltr">')
})

test('a mail that a stranger requests in English is in the language of the account', async () => {
  await signIn(portuguese)
  await mailed()
  const email = `${owner.username}@example.com`
  await app.visitor().call('POST /forgot-password', { body: { email }, headers: english })
  expect((await mailed()).map(({ subject }) => subject)).toEqual(['Defina uma nova senha para Signet'])
})

test('so is the mail about the end of a plan, which nobody requests', async () => {
  await signIn(portuguese)
  await mailed()
  await setPlan(app, owner.id, 'Pro', app.now() + 5 * 86_400)
  app.advance(3600)
  expect((await mailed()).map(({ subject }) => subject)).toEqual(['Seu plano Pro em Signet termina em 5 dias'])
})

test('the last language counts; a browser without a supported language changes nothing', async () => {
  await signIn(portuguese)
  await signIn({ 'accept-language': 'fr-FR,fr;q=0.9,*;q=0.1' })
  expect((await mailed()).map(({ subject }) => subject)).toEqual(['Novo login em Signet', 'Novo login em Signet'])
  await signIn(english)
  expect((await mailed()).map(({ subject }) => subject)).toEqual(['New sign-in at Signet'])
})

test('a language chosen in the dashboard counts without another sign-in', async () => {
  app.advance(120)
  await owner.visitor.call('GET /profile/stats', { headers: portuguese })
  const change = { currentPassword: goodPassword, newPassword: 'Another7Horse' }
  await owner.visitor.call('POST /profile/change-password', { body: change })
  expect((await mailed()).map(({ subject }) => subject)).toEqual(['Sua senha em Signet foi alterada'])
})

test('the language at registration counts, and an unknown language means English', async () => {
  const silent = app.visitor()
  const form = { password: goodPassword, displayName: 'Ana' }
  const names = [`ana${app.now()}`, `bia${app.now()}`] as const
  const register = (name: string, headers: Record<string, string>) =>
    app.visitor().call('POST /register', { body: { ...form, username: name, email: `${name}@example.com` }, headers })
  expect((await register(names[0], portuguese)).status).toBe(200)
  app.advance(61)
  expect((await register(names[1], {})).status).toBe(200)
  await mailed()
  for (const name of names) await silent.call('POST /forgot-password', { body: { email: `${name}@example.com` } })
  expect((await mailed()).map(({ subject }) => subject).toSorted()).toEqual([
    'Defina uma nova senha para Signet',
    'Set a new password for Signet',
  ])
})

test("the test mail is in the administrator's language", async () => {
  const admin = await newAdmin(app)
  const elsewhere = app.visitor()
  const body = { username: admin.username, password: goodPassword }
  await elsewhere.call('POST /login', { body, headers: portuguese })
  await mailed()
  expect((await elsewhere.call('POST /admin/settings/email/test')).status).toBe(200)
  expect((await mailed()).map(({ subject }) => subject)).toEqual(['E-mail de teste de Signet'])
})

describe('a malicious header', () => {
  test.each(['pt;q=1e999', ',,,;;;q=', 'pt-BR'.repeat(200), 'en;q=0', '../../etc', 'constructor', '__proto__'])(
    'a sign-in with %j works as usual',
    async (language) => {
      expect((await signIn({ 'accept-language': language })).status).toBe(200)
      expect((await mailed())[0]?.subject).toMatch(/New sign-in at Signet|Novo login em Signet/)
    },
  )
})
