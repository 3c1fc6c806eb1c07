import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { passTime } from '#testing/people/end-users.ts'
import type { NameServer } from '#testing/servers/name-server.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { newReseller } from '#testing/people/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** Verified domains are checked daily. After 7 days without its TXT record, a domain loses its verification. */

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

const day = 86_400
const paramsOf = ({ id }: { id: string }) => ({ params: { id } })

/** A reseller with a verified domain. */
async function newVerified(of: OwnedApp, domain = `shop${++made}.example.com`) {
  const reseller = await newReseller(app, of)
  const { body } = await of.visitor.call('POST /resellers/{id}/domain', { ...paramsOf(reseller), body: { domain } })
  const { name, value } = body.domain.record
  names.records.set(name, [value])
  expect((await check(of, reseller)).status).toBe(200)
  return { ...reseller, domain, name, value }
}
const check = (of: OwnedApp, reseller: { id: string }) =>
  of.visitor.call('POST /resellers/{id}/domain/check', paramsOf(reseller))
const domainOf = async (reseller: { id: string }, of = owner) =>
  (await of.visitor.call('GET /resellers/{id}/domain', paramsOf(reseller))).body.domain

async function passDays(days: number): Promise<void> {
  for (let passed = 0; passed < days; passed += 1) {
    await passTime(app, owner, day)
    await app.jobsDone()
  }
}
const losses = async (of: OwnedApp, target: string) =>
  (await of.visitor.call('GET /audit', { query: { act: 'reseller.lose-domain', target } })).body.entries

test('a domain with its record stays verified, checked once a day', async () => {
  const reseller = await newVerified(owner)
  const asked = () => names.questions.filter((name) => name === reseller.name).length
  const before = asked()
  await passDays(3)
  await passTime(app, owner, day / 2)
  await app.jobsDone()
  expect(asked() - before).toBe(3)
  expect(await domainOf(reseller)).toMatchObject({ proved: true, recordMissingSince: null, lostAt: null })
})

test('a domain without its record shows since when, and after 7 days is unverified, with an audit event', async () => {
  const reseller = await newVerified(owner)
  names.records.set(reseller.name, ['signet-domain=another'])
  await passDays(1)
  const since = app.now()
  await passDays(6)
  expect(await domainOf(reseller)).toMatchObject({ proved: true, recordMissingSince: since, lostAt: null })
  expect(await losses(owner, reseller.username)).toEqual([])
  await passDays(1)
  const lostAt = app.now()
  expect(await domainOf(reseller)).toMatchObject({ proved: false, recordMissingSince: null, lostAt })
  expect(await losses(owner, reseller.username)).toMatchObject([
    {
      timestamp: lostAt,
      actor: { type: 'system', id: '', name: '' },
      owner: { id: owner.id },
      details: { domain: reseller.domain, reason: 'record missing', missingSince: since },
    },
  ])
  await passDays(2)
  expect(await losses(owner, reseller.username)).toHaveLength(1)
  // Verified again, and the missing period is cleared.
  names.records.set(reseller.name, [reseller.value])
  expect((await check(owner, reseller)).status).toBe(200)
  expect(await domainOf(reseller)).toMatchObject({ proved: true, recordMissingSince: null, lostAt: null })
})

test('only consecutive days count: a record that returns restarts the count', async () => {
  const reseller = await newVerified(owner)
  for (const records of [[], [reseller.value], []]) {
    names.records.set(reseller.name, records)
    await passDays(5)
  }
  expect(await domainOf(reseller)).toMatchObject({ proved: true, recordMissingSince: app.now() - 4 * day })
})

test('name servers that fail take nothing away, however long, and don’t count as a found record', async () => {
  const reseller = await newVerified(owner)
  names.mode = 'fails'
  await passDays(10)
  expect(await domainOf(reseller)).toMatchObject({ proved: true, recordMissingSince: null })
  names.mode = 'answers'
  names.records.delete(reseller.name)
  await passDays(1)
  const since = app.now()
  names.mode = 'fails'
  await passDays(10)
  expect(await domainOf(reseller)).toMatchObject({ proved: true, recordMissingSince: since })
})

test('after a clock that was ahead, a domain is checked within an hour and loses its record after 7 days', async () => {
  const reseller = await newVerified(owner)
  names.records.delete(reseller.name)
  const ahead = { checked_at: app.now() + 31 * day, missing_since: app.now() + 30 * day }
  await app.db.write(({ db }) =>
    db.updateTable('reseller_domains').set(ahead).where('reseller_id', '=', reseller.id).execute(),
  )
  await passTime(app, owner, 3600)
  await app.jobsDone()
  expect(await domainOf(reseller)).toMatchObject({ proved: true, recordMissingSince: app.now() })
  await passDays(7)
  expect(await domainOf(reseller)).toMatchObject({ proved: false, lostAt: app.now() })
})

test("saving a brand again doesn't change since when its record is missing", async () => {
  const reseller = await newVerified(owner)
  names.records.delete(reseller.name)
  await passDays(2)
  const before = await domainOf(reseller)
  const body = { domain: reseller.domain, companyName: 'Keys' }
  await owner.visitor.call('POST /resellers/{id}/domain', { ...paramsOf(reseller), body })
  expect(await domainOf(reseller)).toEqual({ ...before, companyName: 'Keys' })
})

test('a domain that another reseller verifies adds an audit event for the previous holder, without naming them', async () => {
  const loser = await newOwnerWithApp(app)
  const lost = await newVerified(loser)
  const winner = await newReseller(app, owner)
  const { body } = await owner.visitor.call('POST /resellers/{id}/domain', {
    ...paramsOf(winner),
    body: { domain: lost.domain },
  })
  names.records.set(lost.name, [body.domain.record.value])
  expect((await check(owner, winner)).status).toBe(200)
  expect(await domainOf(lost, loser)).toMatchObject({ proved: false, lostAt: app.now() })
  const entries = await losses(loser, lost.username)
  expect(entries).toMatchObject([
    {
      actor: { type: 'system', id: '', name: '', isYou: false },
      ip: '',
      requestId: '',
      details: { domain: lost.domain, reason: 'proved by somebody else' },
    },
  ])
  expect(JSON.stringify(entries)).not.toContain(winner.username)
  expect(await losses(owner, lost.username)).toEqual([])
})

test('a rejected verification adds no such audit event', async () => {
  const first = await newVerified(owner)
  const other = await newOwnerWithApp(app)
  const second = await newReseller(app, other)
  const { body } = await other.visitor.call('POST /resellers/{id}/domain', {
    ...paramsOf(second),
    body: { domain: first.domain },
  })
  names.records.set(first.name, [first.value, body.domain.record.value])
  expect((await check(other, second)).body.code).toBe('DOMAIN_TAKEN')
  expect(await losses(owner, first.username)).toEqual([])
  expect((await domainOf(first))?.proved).toBe(true)
})
