import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOwnerWithApp } from '#testing/people.ts'
import { newReseller } from '#testing/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('a domain is saved, is one reseller’s alone, and goes', async () => {
  const owner = await newOwnerWithApp(app)
  const [one, other] = [await newReseller(app, owner), await newReseller(app, owner)]
  const save = ({ id }: typeof one, domain: string) =>
    owner.visitor.call('POST /resellers/{id}/domain', { params: { id }, body: { domain } })
  const { body } = await save(one, 'Keys.Example.com')
  expect(body.domain).toMatchObject({ domain: 'keys.example.com', primaryColor: '#1bff00', proved: false })
  expect((await save(other, 'keys.example.com')).body.code).toBe('DOMAIN_TAKEN')
  expect((await save(one, '')).body).toMatchObject({ code: 'DOMAIN_REQUIRED', message: 'Domain is required' })
  const params = { id: one.id }
  expect((await owner.visitor.call('DELETE /resellers/{id}/domain', { params })).status).toBe(200)
  expect((await owner.visitor.call('GET /resellers/{id}/domain', { params })).body.domain).toBeNull()
})
