import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { webhookEvents } from '#features/webhooks/webhooks.rules.ts'
import { everyCode, hasPage } from './error-codes.ts'
import { outdatedPages, referencePages } from './make-reference.ts'

const reference = join(import.meta.dirname, '../../docs/reference')
let pages: Record<string, string>

beforeAll(async () => {
  pages = await referencePages()
})

test('the reference is what tools/docs/make-reference.ts writes', () => {
  expect(outdatedPages(pages)).toEqual([])
})

test('every code is in the table, and described on its page or on that of the dashboard', () => {
  const ofDashboard = pages['errors/dashboard.md'] ?? ''
  for (const code of everyCode) {
    expect(pages['errors/index.md'], code).toContain(`| [\`${code}\`](`)
    const slug = code.toLowerCase().replaceAll('_', '-')
    expect(Object.hasOwn(pages, `errors/${slug}.md`), code).toBe(hasPage(code))
    expect(ofDashboard.includes(`\n## ${code}\n`), code).toBe(!hasPage(code))
  }
})

test('every webhook event has a section with a payload', () => {
  const page = pages['webhook-events.md'] ?? ''
  const types = [...page.matchAll(/^## (\S+)\n[^#]*?"type": "([^"]+)"/gm)].map(([, title, type]) => [title, type])
  expect(types).toEqual(webhookEvents.map((event) => [event, event]))
})

test('a page has a title, one sentence about it, no heading of the first level, and links that exist', () => {
  for (const [path, content] of Object.entries(pages)) {
    expect(content, path).toMatch(/^---\ntitle: "[^\n]+"\ndescription: "[^\n]+[.?!]"\n---\n\n/)
    expect(content, path).not.toMatch(/^# /m)
    for (const [, link = ''] of content.matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      const target = join(dirname(path), link)
      expect(Object.hasOwn(pages, target) || existsSync(join(reference, target)), `${path}: ${link}`).toBe(true)
    }
  }
})
