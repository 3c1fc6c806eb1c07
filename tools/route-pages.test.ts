import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { routePages } from './route-pages.ts'

describe('routePages', () => {
  test('each screen has the modules of its area and its own', () => {
    const pages = routePages()
    const licenses = pages.find(({ path }) => path === '/licenses')
    expect(licenses?.modules).toEqual(['src/web/routes/owner-area.tsx', 'src/features/licenses/web/licenses-page.tsx'])
    const owners = pages.find(({ path }) => path === '/admin/owners')
    expect(owners?.modules).toEqual(['src/web/routes/admin-area.tsx', 'src/features/admin/web/owners-page.tsx'])
    for (const { modules } of pages) for (const module of modules) expect(existsSync(module), module).toBe(true)
  })

  test('a screen that it cannot read fails the build instead of loading slowly', () => {
    const source = "const page = lazyPage(() => import('./page.tsx'), 'Page')\nat(root, `/a`, msg`A`, other)"
    expect(() => routePages(source)).toThrow('Cannot read this route')
    const unread = "const page = lazyPage(() => import('./page.tsx'), 'Page')\nat(root, pathOf(1, 2), title, page)"
    expect(() => routePages(unread)).toThrow('1 screens, of which 0 are read')
  })
})
