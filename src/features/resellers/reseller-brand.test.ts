import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type MailServer, startMailServer, turnMailOn } from '#testing/servers/mail-server.ts'
import { newLicenses, setPlan } from '#testing/people/people.ts'
import { setPlatform } from '#testing/platform.ts'
import { Program } from '#testing/people/program.ts'
import { newSellingReseller, resellerPassword, type SellingReseller } from '#testing/people/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** Email to a reseller with a verified domain, and to its customers, has the reseller's brand, not the platform's. */

let app: TestApp
let server: MailServer
let reseller: SellingReseller
let domain: string

beforeAll(async () => {
  app = await startTestApp({ config: { publicUrl: 'https://platform.example' } })
  server = await startMailServer()
  await setPlatform(app, 'platform', { platformName: 'Hearth' })
})
afterAll(async () => {
  await app.close()
  await server.close()
})
beforeEach(async () => {
  app.advance(3600)
  await turnMailOn(app, server, { senderName: 'Hearth', senderEmail: 'post@mail.example' })
  reseller = await newSellingReseller(app)
  domain = `${reseller.username.replaceAll('_', '-')}.example`
  await saveDomain('Prism Keys & Co.')
  await setVerifiedAt(app.now())
  await mailed()
})

const addressOf = ({ username }: SellingReseller) => `${username}@example.com`
async function saveDomain(companyName: string) {
  const look = { primaryColor: '#ff0055', secondaryColor: '#003366', logoUrl: '' }
  const saved = await reseller.owner.visitor.call('POST /resellers/{id}/domain', {
    params: { id: reseller.id },
    body: { domain, companyName, ...look },
  })
  expect(saved.status).toBe(200)
}
const setVerifiedAt = (proved_at: number | null) =>
  app.db.write(({ db }) =>
    db.updateTable('reseller_domains').set({ proved_at }).where('reseller_id', '=', reseller.id).execute(),
  )
async function mailed() {
  await app.jobsDone()
  return server.mails.splice(0)
}
const askForReset = () =>
  app.visitor().call('POST /forgot-password', {
    body: { email: addressOf(reseller) },
    headers: { host: domain, 'x-forwarded-host': domain },
  })
async function senderAndLink() {
  await askForReset()
  const [mail] = await mailed()
  return [mail?.from?.name, /https:\/\/([^/]+)\/reset-password#/.exec(mail?.text ?? '')?.[1]]
}

test("all mails to a reseller have the brand as sender and in subject, text and frame, link to its domain, and don't mention the platform", async () => {
  const signIn = (password: string) =>
    app.visitor().call('POST /login', { body: { username: reseller.username, password } })
  await signIn(resellerPassword)
  await askForReset()
  const both = await mailed()
  const token = /reset-password#(\S+)/.exec(both.at(-1)?.text ?? '')?.[1] ?? ''
  const newPassword = 'Battery7Staple'
  expect((await app.visitor().call('POST /reset-password', { body: { token, newPassword } })).status).toBe(200)
  const email = `new-${addressOf(reseller)}`
  const { visitor, username, password } = reseller.owner
  await visitor.call('POST /login', { body: { username, password } })
  await visitor.call('PUT /resellers/{id}', { params: { id: reseller.id }, body: { email } })
  const more = (await mailed()).filter(({ recipients }) => recipients[0]?.includes(reseller.username))
  const link = more.map(({ text }) => /confirm-email#(\S+)/.exec(text ?? '')?.[1]).find(Boolean) ?? ''
  expect((await app.visitor().call('POST /reseller/confirm-email', { body: { token: link } })).status).toBe(200)
  const mails = [...both, ...more, ...(await mailed())]
  expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
    'A new email address was requested for your account at Prism Keys & Co.',
    'Confirm your new email address at Prism Keys & Co.',
    'New sign-in at Prism Keys & Co.',
    'Set a new password for Prism Keys & Co.',
    'Your email address at Prism Keys & Co. was changed',
    'Your password for Prism Keys & Co. was changed',
  ])
  for (const { subject, from, text, html } of mails) {
    expect(from, subject).toMatchObject({ name: 'Prism Keys & Co.', address: 'post@mail.example' })
    expect(text, subject).toContain(`-- \nPrism Keys & Co.\nhttps://${domain}`)
    expect(html, subject).toContain(`Prism Keys &amp; Co.<br><a href="https://${domain}">`)
    expect(`${subject} ${text} ${html}`, subject).not.toMatch(/hearth|platform\.example|signet/i)
    for (const [, host] of `${text} ${html}`.matchAll(/https?:\/\/([^/\s"<]+)/g)) expect(host, subject).toBe(domain)
  }
})

test('without a verified domain or the plan feature, mails come from the platform, whatever the Host header', async () => {
  const [platform, brand] = [
    ['Hearth', 'platform.example'],
    ['Prism Keys & Co.', domain],
  ]
  expect(await senderAndLink()).toEqual(brand)
  app.advance(3600)
  await setVerifiedAt(null)
  expect(await senderAndLink()).toEqual(platform)
  await setVerifiedAt(app.now())
  await setPlan(app, reseller.owner.id, 'Developer')
  expect(await senderAndLink()).toEqual(platform)
  await setPlan(app, reseller.owner.id, 'Pro')
  expect(await senderAndLink()).toEqual(brand)
  app.advance(3600)
  const { visitor, username, password } = reseller.owner
  await visitor.call('POST /login', { body: { username, password } })
  const deleted = await visitor.call('DELETE /resellers/{id}/domain', { params: { id: reseller.id } })
  expect(deleted.status).toBe(200)
  expect(await senderAndLink()).toEqual(platform)
})

test.each(['', 'Pay at bank.example', 'https:bank', 'a@bank', 'Keys\u202Eexe', 'K'.repeat(65)])(
  'the domain replaces a company name that mail programs would change (%j)',
  async (name) => {
    await app.db.write(({ db }) =>
      db.updateTable('reseller_domains').set({ company_name: name }).where('reseller_id', '=', reseller.id).execute(),
    )
    expect(await senderAndLink()).toEqual([domain, domain])
  },
)

test('a customer’s mail has the brand of the reseller whose license was redeemed last, or the platform’s own', async () => {
  const { owner } = reseller
  await owner.visitor.call('POST /login', { body: { username: owner.username, password: owner.password } })
  const sold = (await reseller.sell()).body as unknown as { licenses: string[] }
  const [own = ''] = await newLicenses(owner, 1)
  const hwid = 'a-machine-of-the-test'
  async function mailOf(username: string) {
    const program = await Program.of(app, owner)
    await program.init()
    expect((await program.send('request-password-reset', { username })).body.success).toBe(true)
    return (await mailed()).find(({ recipients }) => recipients[0] === `${username}@example.com`)
  }
  for (const [username, licenseKey] of [
    ['of-reseller', sold.licenses[0]],
    ['of-owner', own],
  ]) {
    const program = await Program.of(app, owner)
    await program.init()
    const body = { username, password: 'Password-of-user', licenseKey, hwid, email: `${username}@example.com` }
    expect((await program.send('register', body)).body.success).toBe(true)
  }
  const mail = await mailOf('of-reseller')
  expect(mail?.from?.name).toBe('Prism Keys & Co.')
  expect(mail?.text).toContain(`https://${domain}/reset-user-password#`)
  expect(`${mail?.text} ${mail?.html}`).not.toMatch(/hearth|platform\.example/i)
  const plain = await mailOf('of-owner')
  expect([plain?.from?.name, plain?.text?.includes('https://platform.example/reset-user-password#')]).toEqual([
    'Hearth',
    true,
  ])
  await setVerifiedAt(null)
  expect((await mailOf('of-reseller'))?.text).toContain('https://platform.example/reset-user-password#')
})
