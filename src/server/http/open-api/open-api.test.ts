import { createConfig, lintFromString } from '@redocly/openapi-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** The documents are valid, complete, and usable by generators of clients. */

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ config: { publicUrl: 'https://keys.example' } })
})
afterAll(() => app.close())

const paths = ['/api/1.0/openapi.json', '/api/1.0/seller/openapi.json', '/api/1.0/client/openapi.json']

interface Operation {
  operationId: string
  summary: string
  security: Record<string, unknown>[]
  parameters: { name: string; in: string; required: boolean }[]
  requestBody?: { content: Record<string, { schema: { $ref: string } }> }
  responses: Record<string, { description: string; headers?: object }>
}
interface Document {
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, { properties?: Record<string, unknown>; required?: string[] }> }
}

const textOf = async (path: string): Promise<string> => (await fetch(app.url + path)).text()
const documentOf = async (path: string) => JSON.parse(await textOf(path)) as Document
const operationsOf = ({ paths: all }: Document) => Object.values(all).flatMap((item) => Object.values(item))

describe.each(paths)('%s', (path) => {
  test('has no error or warning of the recommended rules', async () => {
    // The dashboard's addresses are older than this document: /resellers/{id}/ban beside /resellers/by-username/{username}.
    const rules: Record<string, 'off'> = path === '/api/1.0/openapi.json' ? { 'no-ambiguous-paths': 'off' } : {}
    const config = await createConfig({ extends: ['recommended'], rules })
    const source = await textOf(path)
    const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config })
    expect(
      problems.map(({ ruleId, severity, message, location }) => [ruleId, severity, message, location[0]?.pointer]),
    ).toEqual([])
  })

  test('every operation has an ID of its own, a summary, and the replies of its errors', async () => {
    const operations = operationsOf(await documentOf(path))
    const ids = operations.map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { operationId, summary, responses } of operations) {
      expect(operationId).toMatch(/^[a-z][A-Za-z0-9]+$/)
      expect(summary, operationId).toMatch(/^[A-Z].*\.$/s)
      expect(Object.keys(responses), operationId).toEqual(expect.arrayContaining(['200', '400', '429', '500', '503']))
      expect(responses['429']?.headers, operationId).toHaveProperty('Retry-After')
    }
  })

  test('schemas have names and only keywords of JSON Schema', async () => {
    const document = await documentOf(path)
    for (const { operationId, requestBody } of operationsOf(document)) {
      const [content] = Object.values(requestBody?.content ?? {})
      if (content) expect(content.schema.$ref, operationId).toMatch(/^#\/components\/schemas\/\w+Body$/)
    }
    // A schema follows the name of a field.
    expect(JSON.stringify(document)).not.toMatch(/"(?:rejection|exact)":(?!\{)/)
    expect(document.servers).toEqual([{ url: 'https://keys.example' }])
  })
})

test('the seller API says how it signs in, what runs once, and every name of a field', async () => {
  const document = await documentOf('/api/1.0/seller/openapi.json')
  const operations = operationsOf(document)
  expect(operations.length).toBeGreaterThanOrEqual(30)
  for (const { security, responses } of operations) {
    expect(security).toEqual([{ sellerKey: [] }])
    expect(responses['401']?.description).toContain('SELLER_KEY_INVALID')
  }
  const create = document.paths['/api/1.0/seller/licenses']?.['post']
  expect(create?.parameters).toContainEqual(
    expect.objectContaining({ name: 'Idempotency-Key', in: 'header', required: false }),
  )
  expect(create?.responses['422']?.description).toContain('IDEMPOTENCY_KEY_REUSED')
  const name = create?.requestBody?.content['application/json']?.schema.$ref.split('/').at(-1) ?? ''
  expect(Object.keys(document.components.schemas[name]?.properties ?? {})).toEqual(
    expect.arrayContaining(['amount', 'level', 'subscription', 'plan']),
  )
})

test('the dashboard API has no call of a seller key, and the seller API only such', async () => {
  const all = Object.keys((await documentOf('/api/1.0/openapi.json')).paths)
  expect(all.filter((path) => path.startsWith('/api/1.0/seller/'))).toEqual([])
  const seller = Object.keys((await documentOf('/api/1.0/seller/openapi.json')).paths)
  expect(seller.every((path) => path.startsWith('/api/1.0/seller/'))).toBe(true)
})

test('the client protocol names the headers of every request and of its signature', async () => {
  const operations = operationsOf(await documentOf('/api/1.0/client/openapi.json'))
  expect(operations).toHaveLength(16)
  for (const { operationId, parameters, responses } of operations) {
    const required = parameters.filter((each) => each.required).map(({ name }) => name)
    const session = operationId === 'init' ? [] : ['X-Signet-Session']
    expect(required, operationId).toEqual(['X-Signet-App', 'X-Signet-Nonce', 'X-Signet-Time', ...session])
    expect(Object.keys(responses['200']?.headers ?? {})).toContain('X-Signet-Signature')
  }
})
