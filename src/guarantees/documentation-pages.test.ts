import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { documentationPage, documentationPages } from '#web/navigation/documentation-pages.ts'

test('every page to which a screen leads exists', () => {
  const missing = documentationPages.filter(
    (page) => !existsSync(`docs/${page}.md`) && !existsSync(`docs/${page}/index.md`),
  )
  expect(missing).toEqual([])
})

test.each([
  ['/webhooks', 'guides/webhooks/'],
  ['/resellers/nora', 'guides/resellers/'],
  ['/admin/settings', 'operate/settings/'],
  ['/admin/owners', 'operate/plans-and-limits/'],
  ['/dashboard', ''],
  ['/webhooksandmore', ''],
])('%s leads to /docs/%s', (screen, page) => {
  expect(documentationPage(screen)).toBe(page)
})
