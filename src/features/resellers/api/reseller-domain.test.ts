import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { somebodyWaits } from '#testing/faults/waiting-for-lock.ts'
import type { NameServer } from '#testing/servers/name-server.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { newReseller } from '#testing/people/resellers.ts'
import { startTestApp, type TestApp, testEngine } from '#testing/start-test-app.ts'
import { verifyDomain } from '../reseller-domains.actions.ts'

let app: TestApp
let names: NameServer
let owner: OwnedApp
let made = 0

beforeAll(async () => {
  app = await startTestApp()
  names = app.names
  owner = await newOwnerWithApp(app)
})
beforeEach(() => {
  names.mode = 'answers'
})
afterAll(() => app.close())

const newDomain = () => `keys${++made}.example.com`
const paramsOf = ({ id }: { id: string }) => ({ params: { id } })
const save = (of: OwnedApp, reseller: { id: string }, domain: string, more: object = {}) =>
  of.visitor.call('POST /resellers/{id}/domain', { ...paramsOf(reseller), body: { domain, ...more } })
const check = (of: OwnedApp, reseller: { id: string }) =>
  of.visitor.call('POST /resellers/{id}/domain/check', paramsOf(reseller))
const domainOf = async (of: OwnedApp, reseller: { id: string }) =>
  (await of.visitor.call('GET /resellers/{id}/domain', paramsOf(reseller))).body.domain

/** A reseller with a domain; with `proves`, its TXT record exists. */
async function newClaim(of: OwnedApp, { domain = newDomain(), proves = false } = {}) {
  const reseller = await newReseller(app, of)
  const { body } = await save(of, reseller, domain)
  const { name, value } = body.domain.record
  if (proves) names.records.set(name, [...(names.records.get(name) ?? []), value])
  return { reseller, domain, name, value }
}

test('a domain is saved in its normalized form, and can be deleted', async () => {
  const reseller = await newReseller(app, owner)
  const { body } = await save(owner, reseller, 'Keys.Example.com.')
  expect(body.domain).toMatchObject({ domain: 'keys.example.com', primaryColor: '#1bff00', proved: false })
  expect((await save(owner, reseller, '')).body).toMatchObject({
    code: 'DOMAIN_REQUIRED',
    message: 'Domain is required',
  })
  expect((await save(owner, reseller, 'Schlüssel.Example')).body.domain).toMatchObject({
    domain: 'xn--schlssel-95a.example',
    record: { name: '_signet.xn--schlssel-95a.example' },
  })
  expect((await owner.visitor.call('DELETE /resellers/{id}/domain', paramsOf(reseller))).status).toBe(200)
  expect(await domainOf(owner, reseller)).toBeNull()
  expect((await check(owner, reseller)).body.code).toBe('DOMAIN_NOT_FOUND')
})

test('a domain is verified by its TXT record, also by one of several or a split one, and stays verified with another brand', async () => {
  const { reseller, domain, name, value } = await newClaim(owner)
  expect((await check(owner, reseller)).body.code).toBe('DOMAIN_NOT_PROVED')
  expect(names.questions).toContain(name)
  names.records.set(name, ['v=spf1 -all', 'x'.repeat(600), value])
  const { body } = await check(owner, reseller)
  expect(body).toMatchObject({ code: 'DOMAIN_PROVED_OK', domain: { domain, proved: true } })
  await save(owner, reseller, domain.toUpperCase(), { companyName: 'Keys' })
  expect(await domainOf(owner, reseller)).toMatchObject({ companyName: 'Keys', proved: true, record: { value } })
  await save(owner, reseller, newDomain())
  const moved = await domainOf(owner, reseller)
  expect(moved?.proved).toBe(false)
  expect(moved?.record.value).not.toBe(value)
})

test('a record with a similar value verifies nothing', async () => {
  const { reseller, name, value } = await newClaim(owner)
  for (const wrong of [`${value}x`, value.slice(0, -1), value.toUpperCase(), 'signet-domain=', ` ${value}`]) {
    names.records.set(name, [wrong])
    expect((await check(owner, reseller)).body.code).toMatch(/^DOMAIN_(PROOF_WRONG|NOT_PROVED)$/)
  }
  names.records.set(name, [])
  expect((await check(owner, reseller)).body.code).toBe('DOMAIN_NOT_PROVED')
  expect((await domainOf(owner, reseller))?.proved).toBe(false)
})

test('name servers that fail, or return nothing, verify nothing and take nothing away', async () => {
  const { reseller } = await newClaim(owner, { proves: true })
  names.mode = 'silent'
  expect((await check(owner, reseller)).body.code).toBe('DNS_UNAVAILABLE')
  names.mode = 'answers'
  expect((await check(owner, reseller)).status).toBe(200)
  names.mode = 'fails'
  expect(await check(owner, reseller)).toMatchObject({ status: 503, body: { code: 'DNS_UNAVAILABLE' } })
  expect((await domainOf(owner, reseller))?.proved).toBe(true)
})

test('a domain belongs to the reseller who verifies it, also against an earlier claim of another owner', async () => {
  const stranger = await newOwnerWithApp(app)
  const squatter = await newClaim(stranger)
  const real = await newClaim(owner, { domain: squatter.domain, proves: true })
  expect((await check(stranger, squatter.reseller)).body.code).toBe('DOMAIN_PROOF_WRONG')
  expect((await check(owner, real.reseller)).status).toBe(200)
  // With both records present, the reseller who verified first keeps the domain.
  names.records.set(squatter.name, [real.value, squatter.value])
  expect(await check(stranger, squatter.reseller)).toMatchObject({ status: 409, body: { code: 'DOMAIN_TAKEN' } })
  expect((await domainOf(owner, real.reseller))?.proved).toBe(true)
  // The domain was sold: only the new owner's record remains.
  names.records.set(squatter.name, [squatter.value])
  expect((await check(stranger, squatter.reseller)).status).toBe(200)
  expect((await domainOf(owner, real.reseller))?.proved).toBe(false)
})

test('of two resellers who verify a domain at once, one gets it', async () => {
  const one = await newClaim(owner, { proves: true })
  const other = await newClaim(await newOwnerWithApp(app), { domain: one.domain })
  const both = await newOwnerWithApp(app)
  const third = await newClaim(both, { domain: one.domain, proves: true })
  expect(other.domain).toBe(third.domain)
  const answers = await Promise.all([check(owner, one.reseller), check(both, third.reseller)])
  expect(answers.map(({ body }) => body.code).toSorted()).toEqual(['DOMAIN_PROVED_OK', 'DOMAIN_TAKEN'])
})

// On SQLite, a transaction is alone with the database.
test.runIf(testEngine === 'postgres')(
  'a brand that is saved while another reseller verifies its domain is saved without the verification',
  async () => {
    const one = await newClaim(owner, { proves: true })
    expect((await check(owner, one.reseller)).status).toBe(200)
    const stranger = await newOwnerWithApp(app)
    const { reseller, domain, value } = await newClaim(stranger, { domain: one.domain })
    const actor = { type: 'owner', username: '', sessionHash: '', verifiedAt: 0, selectedAppId: null } as const
    const context = { actor: { ...actor, id: stranger.id }, now: app.now(), caller: { ip: '', requestId: 'x' } }
    let saving: ReturnType<typeof save> | undefined
    await app.db.write(async (tx) => {
      await verifyDomain(tx, context, reseller.id, { domain, texts: [value] })
      saving = save(owner, one.reseller, domain, { companyName: 'Keys' })
      await somebodyWaits(app.db.read)
    })
    expect((await saving)?.status).toBe(200)
    expect(await domainOf(owner, one.reseller)).toMatchObject({ companyName: 'Keys', proved: false })
    expect((await domainOf(stranger, reseller))?.proved).toBe(true)
  },
)

test("a domain that changed during the DNS query isn't verified by its reply", async () => {
  const { reseller, domain } = await newClaim(owner, { proves: true })
  const before = names.questions.length
  const checking = check(owner, reseller)
  await expect.poll(() => names.questions.length).toBeGreaterThan(before)
  await save(owner, reseller, newDomain())
  const { body } = await checking
  const now = await domainOf(owner, reseller)
  expect(now?.domain).not.toBe(domain)
  expect(now?.proved).toBe(false)
  expect(['DOMAIN_NOT_PROVED', 'DOMAIN_PROVED_OK']).toContain(body.code)
})

test("another owner's reseller and domain look like missing ones (R-TEN-02)", async () => {
  const stranger = await newOwnerWithApp(app)
  const { reseller } = await newClaim(owner, { proves: true })
  const before = names.questions.length
  for (const { body } of [await check(stranger, reseller), await save(stranger, reseller, newDomain())])
    expect(body.code).toBe('RESELLER_NOT_FOUND')
  expect(names.questions).toHaveLength(before)
  expect((await domainOf(owner, reseller))?.proved).toBe(false)
})

test('an edit of a brand that changed in the meantime is rejected (FIELD_CHANGED)', async () => {
  const { reseller, domain } = await newClaim(owner)
  await save(owner, reseller, domain, { companyName: 'Theirs' })
  const stale = await save(owner, reseller, domain, { companyName: 'Mine', before: { companyName: '' } })
  expect(stale.body).toMatchObject({ code: 'FIELD_CHANGED', current: { companyName: 'Theirs' } })
})

test('an edit of a brand keeps what it does not edit: the domain that was changed and verified in the meantime', async () => {
  const { reseller, domain } = await newClaim(owner)
  const other = newDomain()
  const { body } = await save(owner, reseller, other, { primaryColor: '#112233' })
  names.records.set(body.domain.record.name, [body.domain.record.value])
  await check(owner, reseller)
  const edit = await save(owner, reseller, domain, { companyName: 'Mine', before: { companyName: '' } })
  expect(edit.status).toBe(200)
  const stored = { domain: other, proved: true, companyName: 'Mine', primaryColor: '#112233' }
  expect(await domainOf(owner, reseller)).toMatchObject(stored)
})
