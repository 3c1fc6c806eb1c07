import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commonErrors, cooldownErrors } from '#contract/common-errors.ts'
import { anchorsOf } from '#testing/docs/links.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { addressOf, checkedEditUrl, collectPages, pages } from '../../../site/pages.ts'
import type { TryItCall } from '../../../site/try-it/call.ts'
import { root } from '../../outdated.ts'
import { errorPages } from '../error-pages.ts'
import { clientDocument, type Document, operationsOf, sellerContract, sellerDocument } from './documents.ts'
import { programErrorsOf, sellerErrorsOf } from './errors.ts'
import { exampleOf } from './examples.ts'
import { fieldsOf, typeText } from './field-types.ts'
import { apiPages } from './pages.ts'

/** The API reference has every operation that a server offers, with all its fields, and its links lead somewhere. */

const made = apiPages()
const seller = operationsOf(sellerDocument())
const client = operationsOf(clientDocument())

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const served = async (api: string) => (await (await fetch(`${app.url}/api/1.0/${api}/openapi.json`)).json()) as Document

/** Sections of all pages by the anchor of their heading. */
function sectionsOf(isClient: boolean): Map<string, string> {
  const texts = Object.entries(made).flatMap(([path, text]) => ((path === 'api/client.md') === isClient ? [text] : []))
  const sections = texts.flatMap((text) => text.split(/^(?=## )/m).slice(1))
  return new Map(sections.map((section) => [/^## .+ \{#(\w+)\}\n/.exec(section)?.[1] ?? '', section]))
}

const shownText = (section: string): string => section.replaceAll('<wbr>', '')

/** The documents don't repeat all of them for each operation. */
const commonCodes = Object.keys({ ...commonErrors, ...cooldownErrors })

describe.each([
  ['seller', seller],
  ['client', client],
] as const)('the %s API', (api, operations) => {
  const sections = sectionsOf(api === 'client')

  test('is made from the operations and schemas that a server offers', async () => {
    const offered = await served(api)
    expect(operationsOf(offered)).toEqual(operations)
    expect(operations.length).toBeGreaterThan(10)
  })

  test('every operation has one section, with its method, path, and all its fields', () => {
    const text = Object.values(made).join('\n')
    for (const { id, method, path, parameters, body, reply } of operations) {
      const section = shownText(sections.get(id) ?? '')
      expect(text.split(` {#${id}}\n`).length, id).toBeGreaterThanOrEqual(2)
      expect(section, id).toContain(`>${method}</span> <code>${path}</code>`)
      const inBody = Object.keys(body?.properties ?? {})
      const inReply = Object.keys(reply.properties ?? {}).filter(
        (name) => !/^(success|message|code|values)$/.test(name),
      )
      for (const name of [...parameters.map((each) => each.name), ...inBody, ...inReply])
        expect(section, `${id}: ${name}`).toContain(`<code>${name}</code>`)
    }
  })

  test('an operation shows errors of its own, which its document has, with links to their pages', () => {
    for (const { id, path, errors } of operations) {
      const codes = api === 'seller' ? sellerErrorsOf(id) : programErrorsOf(path.split('/').at(-1) ?? '')
      for (const code of codes) {
        expect([...errors.keys(), ...commonCodes], `${id}: ${code}`).toContain(code)
        expect(sections.get(id), id).toContain(
          `href="/docs/reference/errors/${code.toLowerCase().replaceAll('_', '-')}/"`,
        )
      }
    }
    expect(operations.filter(({ id }) => /<caption>Errors/.test(sections.get(id) ?? '')).length).toBeGreaterThan(10)
  })
})

describe('examples', () => {
  // Formats and our own keywords are for people.
  const ajv = new Ajv({ strict: false, validateFormats: false })

  test.each(seller.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
    const { body, reply, query } = { ...exampleOf(operation) }
    if (body && !operation.isUpload) expect(ajv.validate(operation.body ?? {}, body), ajv.errorsText()).toBe(true)
    expect(ajv.validate(operation.reply, reply), `${ajv.errorsText()} in ${JSON.stringify(reply)}`).toBe(true)
    const known = operation.parameters.map(({ name }) => name)
    expect(known, id).toEqual(expect.arrayContaining(Object.keys(query)))
  })
})

describe('try it', () => {
  const calls = new Map(
    Object.values(made).flatMap((text) =>
      [...text.matchAll(/data-call="([^"]*)"/g)].map(([, data = '']) => {
        const call = JSON.parse(
          data.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
        ) as TryItCall
        return [call.id, call] as const
      }),
    ),
  )

  test('every operation of the seller API has a form with all its fields, and none of the client API', () => {
    expect([...calls.keys()].toSorted()).toEqual(seller.map(({ id }) => id).toSorted())
    for (const { id, method, path, parameters, body, isUpload } of seller) {
      const call = calls.get(id)
      expect([call?.method, call?.path]).toEqual([method, path])
      const names = [...parameters.map(({ name }) => name), ...(isUpload ? Object.keys(body?.properties ?? {}) : [])]
      expect(
        call?.fields.map(({ name }) => name),
        id,
      ).toEqual(names)
      expect(call?.body !== undefined, id).toBe(!isUpload && Object.keys(body?.properties ?? {}).length > 0)
    }
  })

  test('deleting asks once more; so does what takes something from customers, or creates many', () => {
    const asking = [...calls.values()].filter((call) => call.needsConfirmation).map(({ id }) => id)
    const deleting = seller.filter(({ method }) => method === 'DELETE').map(({ id }) => id)
    expect(asking).toEqual(expect.arrayContaining([...deleting, 'banUser', 'subtractUser', 'updateSettings']))
    expect(asking).not.toContain('listLicenses')
    expect(calls.get('createLicenses')?.countField).toBe('amount')
  })

  test('the forms have the values of the example', () => {
    expect(JSON.parse(calls.get('createLicenses')?.body ?? '')).toMatchObject({ amount: 2, level: 1 })
    expect(calls.get('getLicense')?.fields[0]?.value).toMatch(/^\w{4}-/)
    expect(calls.get('listLicenses')?.fields.find(({ name }) => name === 'status')?.value).toBe('unused')
  })
})

test('permissions are those of the contract', () => {
  for (const [id, section] of sectionsOf(false)) {
    const scope = sellerContract[id]?.scope
    if (scope) expect(section, id).toContain(`Needs the permission [\`${scope}\`]`)
  }
})

test('every link leads to a page of the site, and to a heading of it', () => {
  const texts = new Map([
    ...[...pages].map(([file, place]) => [addressOf(place), readFileSync(join(root, file), 'utf8')] as const),
    ...Object.entries(errorPages()).map(([path, text]) => [addressOf(`reference/${path}`), text] as const),
    ...Object.entries(made).map(([place, text]) => [addressOf(place), text] as const),
  ])
  const anchorsIn = (text: string) =>
    new Set([...anchorsOf(text), ...[...text.matchAll(/ \{#(\w+)\}$/gm)].map(([, anchor]) => anchor)])
  for (const [page, text] of Object.entries(made)) {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)|href="([^"]+)"/g)].map(([, inline, html]) => inline ?? html ?? '')
    expect(links.length, page).toBeGreaterThan(2)
    for (const link of new Set(links)) {
      if (link.startsWith('/api/')) {
        expect(link).toMatch(/^\/api\/1\.0\/(?:seller|client)\/openapi\.json$/)
        continue
      }
      const [address = '', anchor] = link.split('#')
      const target = texts.get(address)
      expect(target, `${page}: ${link}`).toBeDefined()
      if (anchor !== undefined) expect([...anchorsIn(target ?? '')], `${page}: ${link}`).toContain(anchor)
    }
  }
})

test.each([
  [{ type: 'integer', minimum: 1, maximum: 1000 }, 'integer, 1 to 1,000'],
  [{ type: 'string', minLength: 1, maxLength: 200 }, 'text, 1 to 200 characters'],
  [{ type: 'string', maxLength: 1 }, 'text, up to 1 character'],
  [{ anyOf: [{ const: 'a' }, { const: 'b' }], default: 'a' }, '`"a"` or `"b"`; default `"a"`'],
  [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'integer or `null`'],
  [{ type: 'array', items: { type: 'string' }, maxItems: 3 }, 'list of up to 3: text'],
  [{ type: 'string', format: 'binary' }, 'file'],
])('the type of %j reads %s', (schema, text) => {
  expect(typeText(schema)).toBe(text)
})

test('fields within objects, lists, and maps are named by their place', () => {
  const text = { type: 'string' }
  const inner = { type: 'object', properties: { b: text } }
  const schema = {
    properties: {
      a: inner,
      list: { type: 'array', items: inner },
      map: { type: 'object', additionalProperties: inner },
      other: { ...text, description: 'Another name of `a`' },
    },
  }
  expect(fieldsOf(schema).map(({ name }) => name)).toEqual(['a', 'a.b', 'list', 'list[].b', 'map', 'map.*.b'])
  expect(fieldsOf(schema)[0]?.otherNames).toEqual(['other'])
})

describe('links to edit a page', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signet-pages-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const collect = (editUrl: string | undefined) => {
    collectPages(folder, { made, editUrl })
    return (place: string) => readFileSync(join(folder, place), 'utf8')
  }

  test('lead to the file in the repository, except on generated pages', () => {
    const text = collect(checkedEditUrl('https://code.example.com/signet/edit/main/'))
    expect(text('guides/webhooks.md')).toMatch(
      /^---\neditUrl: "https:\/\/code\.example\.com\/signet\/edit\/main\/docs\/guides\/webhooks\.md"\ntitle: /,
    )
    expect(text('clients/python.md')).toContain(
      'editUrl: "https://code.example.com/signet/edit/main/sdks/python/README.md"',
    )
    for (const place of ['reference/limits.md', 'start/quick-start-python.md', 'api/licenses.md'])
      expect(text(place), place).not.toContain('editUrl')
  })

  test('are on no page without an address, and an address that is none is rejected', () => {
    const text = collect(checkedEditUrl(undefined))
    for (const [, place] of pages) expect(text(place), place).not.toContain('editUrl')
    expect(checkedEditUrl('')).toBeUndefined()
    for (const address of ['code.example.com', 'javascript:alert(1)', '/edit'])
      expect(() => checkedEditUrl(address), address).toThrow('DOCS_EDIT_URL')
  })
})

test('starting a server loads nothing of the build of its documentation', () => {
  const source = readFileSync(join(root, 'tools/build-docs.ts'), 'utf8')
  for (const [, file = ''] of source.matchAll(/^import .* from '(\.[^']+)'/gm)) {
    expect(file).not.toMatch(/site|docs\//)
    expect(existsSync(join(root, 'tools', file)), file).toBe(true)
  }
})
