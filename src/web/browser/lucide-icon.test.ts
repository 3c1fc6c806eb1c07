import { globSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { createElement as h, type ComponentType, type SVGProps } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import createLucideIcon from './lucide-icon.ts'

interface IconFile {
  __iconData?: Parameters<typeof createLucideIcon>[0]
  default: ComponentType<SVGProps<SVGSVGElement>>
}

const files = globSync('node_modules/lucide-react/dist/esm/icons/*-*.mjs').filter((_, index) => index % 10 === 0)
/** The opening tag's attributes in the order of the alphabet, without the classes of Lucide, and all shapes. */
function drawn(markup: string) {
  const [, tag = '', shapes] = /^<svg ([^>]*)>(.*)<\/svg>$/.exec(markup) ?? []
  const own = tag
    .replace(/ ?\blucide(-[a-z0-9-]+)?\b/g, '')
    .replace('class=" ', 'class="')
    .replace('class=""', '')
  return { attributes: (own.match(/[\w-]+="[^"]*"/g) ?? []).sort(), shapes }
}

test('icons are drawn as Lucide itself draws them', async () => {
  let compared = 0
  for (const file of files) {
    const { __iconData: drawing, default: original } = (await import(pathToFileURL(file).href)) as IconFile
    if (!drawing) continue
    for (const props of [{}, { className: 'size-4' }, { role: 'img', 'aria-label': 'Active' }]) {
      const markup = drawn(renderToStaticMarkup(h(original, props)))
      expect(drawn(renderToStaticMarkup(h(createLucideIcon(drawing), props)))).toEqual(markup)
      expect(markup.shapes).not.toBe('')
    }
    compared++
  }
  expect(compared).toBeGreaterThan(100)
})
